/** What providers of the OpenAI dialect say when they fail, for whoever plays one: {@link io.sluice.plugins.api.fault.FaultAnswers}. */
package io.sluice.plugins.api.fault;
