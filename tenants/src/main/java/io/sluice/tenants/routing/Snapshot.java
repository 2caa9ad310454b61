package io.sluice.tenants.routing;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.shift.PublishedShifts;
import java.util.Map;
import java.util.Optional;

/**
 * All that a request reads, immutable, at one configuration epoch and one revision of the routing weights. Every look-up is
 * one or two hash reads, whatever the number of tenants. Safe to share between threads.
 *
 * @param epoch of the configuration it was compiled from
 * @param keys by key id
 * @param providers every provider that is configured, for opening connections
 * @param weights published health by pool
 * @param shifts where requests of scenarios in trouble start
 */
public record Snapshot(
        long epoch,
        Map<String, CompiledKey> keys,
        Map<TenantId, CompiledTenant> tenants,
        Map<ScopedId, ProviderConfig> providers,
        PublishedWeights weights,
        PublishedShifts shifts) {
    /** Before the first configuration arrives: nothing is known, every key is refused. */
    public static final Snapshot NONE =
            new Snapshot(0, Map.of(), Map.of(), Map.of(), PublishedWeights.NONE, PublishedShifts.NONE);

    /** The key with that public id. */
    public Optional<CompiledKey> key(String keyId) {
        return Optional.ofNullable(keys.get(keyId));
    }

    /** Whether a tenant may name that pool; looks through all tenants for a platform's. */
    public boolean hasPool(ScopedId pool) {
        if (pool.ofPlatform()) {
            return tenants.values().stream().anyMatch(tenant -> has(tenant, pool));
        }
        CompiledTenant owner = tenants.get(pool.tenant());
        return owner != null && has(owner, pool);
    }

    private static boolean has(CompiledTenant tenant, ScopedId pool) {
        CompiledPool named = tenant.pools().get(pool.id());
        return named != null && named.id().equals(pool);
    }

    /** The same configuration under newer weights. */
    public Snapshot with(PublishedWeights newer) {
        return new Snapshot(epoch, keys, tenants, providers, newer, shifts);
    }

    /** The same configuration under newer shifts. */
    public Snapshot with(PublishedShifts newer) {
        return new Snapshot(epoch, keys, tenants, providers, weights, newer);
    }
}
