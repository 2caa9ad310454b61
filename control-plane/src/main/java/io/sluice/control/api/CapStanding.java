package io.sluice.control.api;

import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.money.Money;
import java.time.Instant;

/**
 * How a cap stands in its running period. Amounts are in the tenant's currency and at most some seconds old.
 *
 * @param spent accounted for, with what crashes burned and finance corrected
 * @param held reserved by requests in flight
 * @param begun how often that band has begun in this period; 0 while it is NORMAL by default
 * @param resetsAt when the next period begins
 * @param forecast what will have been spent by then, at the present rate; null before there is one
 * @param explanation why the band is what it is, for people; null while it is NORMAL by default
 * @param at as of when
 */
public record CapStanding(
        AccountKey account,
        Money spent,
        Money held,
        BudgetBand band,
        int begun,
        Instant resetsAt,
        Money forecast,
        String explanation,
        Instant at) {}
