package io.sluice.tenants.routing;

import io.sluice.tenants.json.RecordWriter;

/**
 * What the route of a request depends on, apart from the tenant's configuration. No text of the prompt is in it.
 *
 * @param model as the body names it: {@code auto} or a pool
 * @param promptTokens estimate
 * @param maxTokens longest answer the caller asks for; 0 where it does not say
 * @param needsStructure whether a ready text is no answer: JSON, a call of a tool or several answers are asked for
 * @param continuesTools whether the last message is the result of a tool call
 */
public record RequestFacts(
        String model,
        int promptTokens,
        int maxTokens,
        boolean streamed,
        boolean needsTools,
        boolean needsVision,
        boolean needsJsonSchema,
        boolean needsStructure,
        boolean continuesTools)
        implements RecordWriter.Written {
    /** Of a request that answers no tool call. */
    public RequestFacts(
            String model,
            int promptTokens,
            int maxTokens,
            boolean streamed,
            boolean needsTools,
            boolean needsVision,
            boolean needsJsonSchema,
            boolean needsStructure) {
        this(model, promptTokens, maxTokens, streamed, needsTools, needsVision, needsJsonSchema, needsStructure, false);
    }

    @Override
    public void members(RecordWriter out) {
        out.text("model", model);
        out.whole("promptTokens", promptTokens);
        out.whole("maxTokens", maxTokens);
        out.flag("streamed", streamed);
        out.flag("needsTools", needsTools);
        out.flag("needsVision", needsVision);
        out.flag("needsJsonSchema", needsJsonSchema);
        out.flag("needsStructure", needsStructure);
        out.flag("continuesTools", continuesTools);
    }
}
