package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;

/**
 * A key of an app for the data plane. The secret is not here: only its keyed hash.
 *
 * @param id the public part of the key
 * @param secretHash HMAC-SHA-256 of the secret under the server's secret, lower-case hex, 64 characters
 * @param prefix first characters of the key, for recognition by people
 * @param scenarios names the key may use; null means all of the tenant
 * @param defaultScenario used where a request names none; null means a request must name one
 * @param models pools (or {@code auto}) the key may ask for; null means all the tenant may use
 * @param expiresAt first instant at which it is refused; null means never
 * @param revokedAt when it was revoked; null while it is valid
 * @param lastUsedOn day of the last accepted request, UTC; null before the first
 * @param limits of its traffic; null where it has none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ApiKeyConfig(
        String id,
        String appId,
        String secretHash,
        String prefix,
        List<String> scenarios,
        String defaultScenario,
        List<String> models,
        Instant createdAt,
        Instant expiresAt,
        Instant revokedAt,
        LocalDate lastUsedOn,
        LimitsConfig limits) {
    public ApiKeyConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(appId);
        Objects.requireNonNull(secretHash);
        Objects.requireNonNull(createdAt);
        scenarios = scenarios == null ? null : List.copyOf(scenarios);
        models = models == null ? null : List.copyOf(models);
    }

    /** A key without limits of its own. */
    public ApiKeyConfig(
            String id,
            String appId,
            String secretHash,
            String prefix,
            List<String> scenarios,
            String defaultScenario,
            List<String> models,
            Instant createdAt,
            Instant expiresAt,
            Instant revokedAt,
            LocalDate lastUsedOn) {
        this(
                id,
                appId,
                secretHash,
                prefix,
                scenarios,
                defaultScenario,
                models,
                createdAt,
                expiresAt,
                revokedAt,
                lastUsedOn,
                null);
    }

    /** The same key, refused from {@code at} on. */
    public ApiKeyConfig revoked(Instant at) {
        return new ApiKeyConfig(
                id,
                appId,
                secretHash,
                prefix,
                scenarios,
                defaultScenario,
                models,
                createdAt,
                expiresAt,
                at,
                lastUsedOn,
                limits);
    }

    /** The same key, last used on {@code day}. */
    public ApiKeyConfig usedOn(LocalDate day) {
        return new ApiKeyConfig(
                id,
                appId,
                secretHash,
                prefix,
                scenarios,
                defaultScenario,
                models,
                createdAt,
                expiresAt,
                revokedAt,
                day,
                limits);
    }
}
