package io.sluice.tenants.routing;

import io.sluice.tenants.ScopedId;
import java.util.Map;

/**
 * What the control plane says of every target's health. A node may go below it on its own evidence, never above.
 *
 * @param revision grows with every publication; 0 means none yet
 * @param health by pool, then by target key: 0 (leave out) to 1 (as configured); a target that is absent counts as 1
 */
public record PublishedWeights(long revision, Map<ScopedId, Map<String, Double>> health) {
    public static final PublishedWeights NONE = new PublishedWeights(0, Map.of());

    public PublishedWeights {
        health = Map.copyOf(health);
    }

    /** The health of every target of a pool; empty where nothing was published yet. */
    public Map<String, Double> of(ScopedId pool) {
        return health.getOrDefault(pool, Map.of());
    }
}
