/** A scripted model server of the OpenAI dialect and the provider in front of it, for demo, tests and bench. */
package io.sluice.plugins.simulator;
