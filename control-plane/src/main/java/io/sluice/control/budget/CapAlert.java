package io.sluice.control.budget;

import io.sluice.control.api.CapStanding;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.SpendCapConfig;
import java.util.Objects;

/**
 * Something about a cap that one webhook has to be told.
 *
 * @param webhook id within the cap's tenant
 * @param threshold share of the limit that was reached; null for another band
 * @param standing of the cap when it was noticed
 */
public record CapAlert(String webhook, SpendCapConfig cap, Double threshold, CapStanding standing) {
    public CapAlert {
        Objects.requireNonNull(webhook);
        Objects.requireNonNull(cap);
        Objects.requireNonNull(standing);
    }

    public TenantId tenant() {
        return standing.account().tenant();
    }

    /** What it is about, as remembered over restarts. */
    public CapFact fact() {
        return new CapFact(
                tenant(),
                webhook,
                standing.account(),
                threshold,
                threshold == null ? 0 : cap.limit().micros(),
                threshold == null ? standing.band() : null,
                standing.resetsAt());
    }
}
