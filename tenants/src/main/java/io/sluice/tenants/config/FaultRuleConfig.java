package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.fault.Fault;
import java.time.Instant;
import java.util.Objects;

/**
 * A tenant's wish that calls of its providers fail on purpose, for a while.
 *
 * @param version starts at 1 and grows by one with every change
 * @param scenario the only one it strikes; null for all; likewise pool, provider and model
 * @param share of the attempts it applies to that it strikes, above 0 to 1
 * @param startsAt first instant at which it applies; null means from the beginning
 * @param endsAt first instant at which it applies no more, by each node's clock
 * @param owner who answers for it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FaultRuleConfig(
        String id,
        int version,
        String scenario,
        String pool,
        String provider,
        String model,
        Fault fault,
        double share,
        Instant startsAt,
        Instant endsAt,
        String owner,
        String reason) {
    public FaultRuleConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(fault);
        Objects.requireNonNull(endsAt);
        Objects.requireNonNull(owner);
        Objects.requireNonNull(reason);
    }

    /** The same rule in its next version, over at {@code at}. */
    public FaultRuleConfig ended(Instant at) {
        return new FaultRuleConfig(
                id, version + 1, scenario, pool, provider, model, fault, share, startsAt, at, owner, reason);
    }

    /** Whether it strikes nothing any more at {@code now}. */
    public boolean over(Instant now) {
        return !now.isBefore(endsAt);
    }
}
