package io.sluice.tenants.routing;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.Stamp;
import java.util.Map;
import java.util.Objects;

/**
 * What the owner of a pool says of its targets' health.
 *
 * @param health by target key: 0 (leave out) to 1 (as configured); a target that is absent counts as 1
 */
public record PoolWeights(ScopedId pool, Stamp stamp, Map<String, Double> health) {
    public PoolWeights {
        Objects.requireNonNull(pool);
        Objects.requireNonNull(stamp);
        health = Map.copyOf(health);
    }

    /** Whether these hold where {@code other} is known too; null means that nothing is. */
    public boolean newerThan(PoolWeights other) {
        return other == null || stamp.newerThan(other.stamp);
    }
}
