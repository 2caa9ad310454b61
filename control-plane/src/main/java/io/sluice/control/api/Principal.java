package io.sluice.control.api;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Role;
import java.util.Objects;

/**
 * Who is asking, as proven by an access token.
 *
 * @param tenantId the only tenant it can see; null for a platform administrator
 * @param name of the token, as shown in the audit log
 */
public record Principal(Role role, TenantId tenantId, String name) {
    public Principal {
        Objects.requireNonNull(role);
        Objects.requireNonNull(name);
    }
}
