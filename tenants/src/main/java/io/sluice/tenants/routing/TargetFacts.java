package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.json.RecordWriter;

/**
 * One target at the moment of a decision. Several threads change the live figures; a decision is made on this copy, and the
 * copy is kept for replay.
 *
 * @param key see {@link CompiledTarget#key}
 * @param weight as configured
 * @param published health by the control plane, 0 to 1, times what is taken off in this scenario because the target is slow in it
 * @param local this node's own reduction (recent failures, slow start), 0 to 1
 * @param breaker state of the circuit breaker
 * @param inFlight calls running on this node
 * @param concurrencyMax most calls that may run on this node, as configured
 * @param limit most calls at which the request's lane still gets a permit: the adaptive limit, less what is kept from the lane
 * @param quotaMs when its provider has quota for the request again; 0 where it has now
 * @param priced whether it is known what a call costs; true where nobody asks, because no spend cap applies
 * @param promptTokens of the request, counted by the target's own vocabulary; null where the request's own estimate stands
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TargetFacts(
        String key,
        int weight,
        double published,
        double local,
        BreakerState breaker,
        int inFlight,
        int concurrencyMax,
        int limit,
        long quotaMs,
        int contextWindow,
        int maxOutputTokens,
        boolean tools,
        boolean vision,
        boolean jsonSchema,
        boolean priced,
        Integer promptTokens)
        implements RecordWriter.Written {
    /** One with a price, whose provider has quota and whose prompt nobody counted. */
    public TargetFacts(
            String key,
            int weight,
            double published,
            double local,
            BreakerState breaker,
            int inFlight,
            int concurrencyMax,
            int limit,
            int contextWindow,
            int maxOutputTokens,
            boolean tools,
            boolean vision,
            boolean jsonSchema) {
        this(
                key,
                weight,
                published,
                local,
                breaker,
                inFlight,
                concurrencyMax,
                limit,
                0,
                contextWindow,
                maxOutputTokens,
                tools,
                vision,
                jsonSchema,
                true,
                null);
    }

    /**
     * However bad a target looks, it keeps this share of its weight: one call in fifty shows when it is well again. Where it is
     * alone in its pool it is still the best there is; its breaker protects it.
     */
    static final double FACTOR_MIN = 0.02;

    /** Tokens of the prompt as this target would count them, as far as that is known. */
    int promptTokens(RequestFacts request) {
        return promptTokens == null ? request.promptTokens() : promptTokens;
    }

    /** Published health × local reduction; 0, or no number, leaves the target out. */
    double factor() {
        return published * local;
    }

    /** Configured weight × {@link #factor}, not below {@link #FACTOR_MIN} of it. */
    double effectiveWeight() {
        return weight * Math.max(FACTOR_MIN, factor());
    }

    @Override
    public void members(RecordWriter out) {
        out.text("key", key);
        out.whole("weight", weight);
        out.decimal("published", published);
        out.decimal("local", local);
        out.word("breaker", breaker);
        out.whole("inFlight", inFlight);
        out.whole("concurrencyMax", concurrencyMax);
        out.whole("limit", limit);
        out.whole("quotaMs", quotaMs);
        out.whole("contextWindow", contextWindow);
        out.whole("maxOutputTokens", maxOutputTokens);
        out.flag("tools", tools);
        out.flag("vision", vision);
        out.flag("jsonSchema", jsonSchema);
        out.flag("priced", priced);
        out.any("promptTokens", promptTokens);
    }
}
