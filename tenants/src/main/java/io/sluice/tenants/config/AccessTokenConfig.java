package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.TenantId;
import java.time.Instant;
import java.util.Objects;

/**
 * A token for the management API. The token itself is not here: only its keyed hash.
 *
 * @param tenantId the only tenant it can see; null only for {@link Role#PLATFORM_ADMIN}
 * @param tokenHash HMAC-SHA-256 under the server's secret, lower-case hex
 * @param expiresAt first instant at which it is refused; null means never
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AccessTokenConfig(
        String id, Role role, TenantId tenantId, String name, String tokenHash, Instant expiresAt) {
    public AccessTokenConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(role);
        Objects.requireNonNull(name);
        Objects.requireNonNull(tokenHash);
        if (tenantId == null && role != Role.PLATFORM_ADMIN) {
            throw new IllegalArgumentException("only a platform administrator's token has no tenant");
        }
    }
}
