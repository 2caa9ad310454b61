package io.sluice.control.drill;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.drill.Proof;
import java.time.Instant;
import java.util.Objects;

/** A rung answered. */
public record Proven(Rung rung, Instant at, Proof how) {
    public Proven {
        Objects.requireNonNull(rung);
        Objects.requireNonNull(at);
        Objects.requireNonNull(how);
    }

    /** One rung of one scenario. */
    public record Rung(TenantId tenant, String scenario, String step) {}
}
