package io.sluice.tenants.routing;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Tier;
import java.util.List;

/**
 * A pool as one tenant uses it (a platform pool has several forms where tenants have prices of their own).
 *
 * @param id whose pool it is and its name: pool state is shared under this id
 * @param version of all that its answers depend on: equal where the pool, its providers and its models are the same objects in
 *     the same versions, whatever happened to prices, weights or health
 */
public record CompiledPool(ScopedId id, String version, Tier tier, List<CompiledTarget> targets) {
    public CompiledPool {
        targets = List.copyOf(targets);
    }

    /** Calls that may be in flight on one node over all targets. */
    public int permits() {
        int permits = 0;
        for (CompiledTarget target : targets) {
            permits += target.concurrencyMax();
        }
        return permits;
    }
}
