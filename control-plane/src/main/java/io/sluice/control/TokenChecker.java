package io.sluice.control;

import io.sluice.control.api.Principal;
import io.sluice.tenants.config.AccessTokenConfig;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.key.KeyFormat;
import io.sluice.tenants.key.KeyHasher;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Proves who holds an access token: one look-up by the token's id and one keyed hash, whatever the number of tokens.
 * Thread-safe.
 */
final class TokenChecker {
    /** A longer header is no token; hashing it would be work for a stranger. */
    private static final int TOKEN_CHARS_MAX = 1_024;

    private final KeyHasher hasher;
    private final byte[] bootstrap;

    /**
     * A checker.
     *
     * @param adminToken the operator's own token; null where there is none
     */
    TokenChecker(KeyHasher hasher, String adminToken) {
        this.hasher = hasher;
        bootstrap = adminToken == null ? null : hasher.hash(adminToken.strip());
    }

    Optional<Principal> check(String token, Configuration configuration, Instant now) {
        if (token == null || token.isBlank() || token.length() > TOKEN_CHARS_MAX) {
            return Optional.empty();
        }
        boolean isBootstrap = bootstrap != null && hasher.matches(token, bootstrap);
        return isBootstrap
                ? Optional.of(new Principal(Role.PLATFORM_ADMIN, null, "bootstrap"))
                : KeyFormat.ACCESS_TOKEN.parse(token).flatMap(parts -> check(parts, configuration, now));
    }

    private Optional<Principal> check(KeyFormat.Parts parts, Configuration configuration, Instant now) {
        AccessTokenConfig known = configuration.accessTokens().get(parts.id());
        if (known == null || !hasher.matches(parts.secret(), HexFormat.of().parseHex(known.tokenHash()))) {
            return Optional.empty();
        }
        boolean expired = known.expiresAt() != null && !now.isBefore(known.expiresAt());
        return expired ? Optional.empty() : Optional.of(new Principal(known.role(), known.tenantId(), known.name()));
    }
}
