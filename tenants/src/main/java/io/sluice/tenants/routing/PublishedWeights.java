package io.sluice.tenants.routing;

import io.sluice.tenants.ScopedId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What the control plane says of every target's health. A node may go below it on its own evidence, never above. Each pool has a stamp of its
 * own, since pools have different owners.
 *
 * @param revision sum of the pools' numbers: it only grows on a node, and nodes with the same weights have the same; 0 means none yet
 * @param pools those of which anything was published
 */
public record PublishedWeights(long revision, Map<ScopedId, PoolWeights> pools) {
    public static final PublishedWeights NONE = new PublishedWeights(0, Map.of());

    public PublishedWeights {
        pools = Map.copyOf(pools);
    }

    /** The health of every target of a pool; empty where nothing was published yet. */
    public Map<String, Double> of(ScopedId pool) {
        PoolWeights known = pools.get(pool);
        return known == null ? Map.of() : known.health();
    }

    /** With those of {@code told} that are newer; the same object where none is. */
    public PublishedWeights plus(Collection<PoolWeights> told) {
        Map<ScopedId, PoolWeights> next = null;
        long sum = revision;
        for (PoolWeights each : told) {
            PoolWeights known = (next == null ? pools : next).get(each.pool());
            if (each.newerThan(known)) {
                next = next == null ? new HashMap<>(pools) : next;
                next.put(each.pool(), each);
                sum += each.stamp().number()
                        - (known == null ? 0 : known.stamp().number());
            }
        }
        return next == null ? this : new PublishedWeights(sum, next);
    }
}
