package io.sluice.control.budget;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.ledger.AccountKey;
import java.time.Instant;

/**
 * That a webhook was told of a threshold or a band of one cap in one period.
 *
 * @param threshold null where it is a band
 * @param limitMicros that the threshold is a share of; 0 for a band. A cap with another limit has other thresholds
 * @param band null where it is a threshold
 * @param ends when the period is over and this may be forgotten
 */
public record CapFact(
        TenantId tenant,
        String webhook,
        AccountKey account,
        Double threshold,
        long limitMicros,
        BudgetBand band,
        Instant ends) {}
