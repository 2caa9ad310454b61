package io.sluice.data.recall;

import io.sluice.tenants.TenantId;
import java.time.Duration;

/**
 * What equal requests have in common.
 *
 * @param scenario its name
 * @param version of all that an answer depends on beside the request: another one finds nothing of what was kept before
 * @param fingerprint of all members of the body that an answer can depend on: SHA-256 in hex
 * @param kept how long an answer may be of use, which the version decides
 */
public record CacheKey(TenantId tenant, String scenario, String version, String fingerprint, Duration kept) {
    /** The fingerprint is a hash already. */
    @Override
    public int hashCode() {
        return fingerprint.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CacheKey key
                && key.fingerprint.equals(fingerprint)
                && key.version.equals(version)
                && key.scenario.equals(scenario)
                && key.tenant.equals(tenant);
    }
}
