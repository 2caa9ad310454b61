package io.sluice.tenants.config;

import io.sluice.tenants.ScopedId;
import java.util.List;
import java.util.Objects;

/** A set of interchangeable targets. */
public record PoolConfig(ScopedId id, int version, Tier tier, List<TargetConfig> targets) {
    public PoolConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(tier);
        targets = List.copyOf(targets);
    }
}
