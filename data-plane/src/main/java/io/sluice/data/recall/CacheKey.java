package io.sluice.data.recall;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.routing.CompiledScenario;

/**
 * What equal requests have in common. The scenario is the very object of a snapshot: any change of the tenant's configuration, or
 * the platform's, makes another one, and what was kept before is found no more.
 *
 * @param fingerprint of all members of the body that an answer can depend on: SHA-256 in hex
 */
@SuppressWarnings("ReferenceEquality") // the same object is the same version, and far cheaper to compare
public record CacheKey(TenantId tenant, CompiledScenario scenario, String fingerprint) {
    @Override
    public boolean equals(Object other) {
        return other instanceof CacheKey key
                && key.scenario == scenario
                && key.fingerprint.equals(fingerprint)
                && key.tenant.equals(tenant);
    }

    @Override
    public int hashCode() {
        return fingerprint.hashCode();
    }
}
