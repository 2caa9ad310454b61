package io.sluice.tenants.message;

import io.sluice.tenants.Stamp;
import io.sluice.tenants.budget.BandState;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.ledger.AccountKey;
import java.time.Instant;
import java.util.Objects;

/**
 * How short money is in one cap in one period, with what the next decision on it needs.
 *
 * @param ends of the period, and with it of the band
 */
public record CapBand(AccountKey account, Stamp stamp, BandState state, Instant ends) {
    public CapBand {
        Objects.requireNonNull(account);
        Objects.requireNonNull(stamp);
        Objects.requireNonNull(state);
        Objects.requireNonNull(ends);
    }

    public BudgetBand band() {
        return state.band();
    }

    /** Whether this holds where {@code other} is known too; null means that nothing is. */
    public boolean newerThan(CapBand other) {
        return other == null || stamp.newerThan(other.stamp);
    }
}
