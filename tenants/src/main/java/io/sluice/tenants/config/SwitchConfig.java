package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;

/**
 * A manual degradation: until it expires or is ended, requests start at one rung or below (requirement C4). It needs an owner, a
 * reason, an end and a day of review, so that nobody finds a forgotten one a year later.
 *
 * @param scenario the one it holds for; null means every scenario that has the rung
 * @param fromStep name of the rung at which requests start; those above are out
 * @param owner who answers for it
 * @param reason for people
 * @param expiresAt first instant at which it does nothing any more, by each node's clock
 * @param reviewOn day, in the tenant's zone, on which the owner looks whether it is still needed
 * @param endedAt when somebody ended it before; null where nobody did
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SwitchConfig(
        String id,
        int version,
        String scenario,
        String fromStep,
        String owner,
        String reason,
        Instant expiresAt,
        LocalDate reviewOn,
        Instant endedAt) {
    public SwitchConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(fromStep);
        Objects.requireNonNull(owner);
        Objects.requireNonNull(reason);
        Objects.requireNonNull(expiresAt);
        Objects.requireNonNull(reviewOn);
    }

    /** Whether it holds for the scenario of that name. */
    public boolean covers(String name) {
        return scenario == null || scenario.equals(name);
    }

    /** First instant at which it does nothing any more. */
    public Instant activeUntil() {
        return endedAt != null && endedAt.isBefore(expiresAt) ? endedAt : expiresAt;
    }

    /** Whether it degrades at {@code now}. */
    public boolean activeAt(Instant now) {
        return now.isBefore(activeUntil());
    }

    /** The same switch, ended at {@code at}. */
    public SwitchConfig ended(Instant at) {
        return new SwitchConfig(id, version + 1, scenario, fromStep, owner, reason, expiresAt, reviewOn, at);
    }
}
