package io.sluice.tenants.routing;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.LimitsConfig;
import java.time.Instant;
import java.util.Set;

/**
 * An API key in the form the request path needs.
 *
 * @param secretHash raw bytes of the keyed hash; compare with {@code MessageDigest.isEqual}
 * @param scenarios null means all
 * @param models null means all
 * @param expiresAt null means never
 * @param limits null means none of its own
 * @param revoked true refuses it like an unknown key
 */
@SuppressWarnings("ArrayRecordComponent") // never compared or exposed: the only reader is the constant-time comparison
public record CompiledKey(
        String id,
        TenantId tenant,
        String appId,
        byte[] secretHash,
        Set<String> scenarios,
        String defaultScenario,
        Set<String> models,
        Instant expiresAt,
        boolean revoked,
        LimitsConfig limits) {
    /** A key without limits of its own. */
    public CompiledKey(
            String id,
            TenantId tenant,
            String appId,
            byte[] secretHash,
            Set<String> scenarios,
            String defaultScenario,
            Set<String> models,
            Instant expiresAt,
            boolean revoked) {
        this(id, tenant, appId, secretHash, scenarios, defaultScenario, models, expiresAt, revoked, null);
    }

    /** Whether it may use the scenario. */
    public boolean allowsScenario(String name) {
        return scenarios == null || scenarios.contains(name);
    }

    /** Whether it may ask for the pool, or for {@code auto}. */
    public boolean allowsModel(String name) {
        return models == null || models.contains(name);
    }
}
