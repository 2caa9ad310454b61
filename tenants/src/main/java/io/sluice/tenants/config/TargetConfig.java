package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;

/**
 * One model at one provider account, as a member of a pool. Provider and model are ids: the tenant's own object of that id
 * if it has one, else the platform's.
 *
 * @param upstreamName what the provider calls the model; null means the model's id
 * @param weight share of the pool's traffic relative to the other targets, 0 to 1,000; 0 drains it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TargetConfig(String provider, String model, String upstreamName, int weight) {
    public TargetConfig {
        Objects.requireNonNull(provider);
        Objects.requireNonNull(model);
    }

    /** What the provider is asked for. */
    public String nameUpstream() {
        return upstreamName == null ? model : upstreamName;
    }
}
