/** The provider for upstreams that speak the OpenAI dialect. */
package io.sluice.plugins.openai;
