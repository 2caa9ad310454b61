package io.sluice.tenants.shift;

import io.sluice.tenants.TenantId;
import java.util.Objects;

/** One scenario of one tenant: what is watched, and what is shifted. */
public record ScenarioKey(TenantId tenant, String scenario) {
    public ScenarioKey {
        Objects.requireNonNull(tenant);
        Objects.requireNonNull(scenario);
    }

    /** {@code tenant|scenario}; unique among scenarios. Says which member of a cluster owns it. */
    public String key() {
        return tenant.value() + "|" + scenario;
    }
}
