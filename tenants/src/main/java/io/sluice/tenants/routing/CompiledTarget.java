package io.sluice.tenants.routing;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.money.PriceBook;

/**
 * A target with everything resolved: whose provider, which model, what it can do and what it costs the tenant.
 *
 * @param key unique within its pool and stable over edits of other targets: {@code provider/model}, with
 *     {@code @upstreamName} where that differs from the model
 * @param weight as configured, 0 to 1,000
 * @param concurrencyMax calls in flight on one node
 * @param quota the limits that its calls count for
 * @param region of the provider, on which prices may depend; null where none is configured
 */
public record CompiledTarget(
        String key,
        ScopedId provider,
        ScopedId model,
        String nameUpstream,
        int weight,
        int contextWindow,
        int maxOutputTokens,
        boolean tools,
        boolean vision,
        boolean jsonSchema,
        int concurrencyMax,
        UpstreamQuota quota,
        PriceBook prices,
        String region) {
    /** What callers see in {@code x-sluice-model}: {@code provider/model}. */
    public String display() {
        return nameUpstream.equals(model.id()) ? key : provider.id() + "/" + model.id();
    }
}
