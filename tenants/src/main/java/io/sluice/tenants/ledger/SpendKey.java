package io.sluice.tenants.ledger;

import io.sluice.tenants.TenantId;
import java.time.Instant;
import java.util.Objects;

/**
 * All that spend is told apart by for good.
 *
 * @param quarter which quarter of an hour since 1970, UTC: the midnights of all time zones are between two of them
 * @param app null where none asked; likewise the others but for tenant
 * @param estimated whether the token figures are Sluice's own count
 */
public record SpendKey(
        TenantId tenant,
        long quarter,
        String app,
        String scenario,
        String provider,
        String model,
        String step,
        String endUser,
        String priceVersion,
        boolean estimated) {
    /** Length of a quarter of an hour. */
    public static final long QUARTER_SECONDS = 900;

    public SpendKey {
        Objects.requireNonNull(tenant);
    }

    static SpendKey of(SpendFacts facts, SpendFacts.Charge charge) {
        return new SpendKey(
                facts.tenant(),
                quarterOf(facts.at()),
                facts.app(),
                facts.scenario(),
                charge.provider(),
                charge.model(),
                charge.step(),
                facts.endUser(),
                charge.priceVersion(),
                charge.usage().estimated());
    }

    public static long quarterOf(Instant at) {
        return Math.floorDiv(at.getEpochSecond(), QUARTER_SECONDS);
    }

    /** When its quarter of an hour begins, seconds since 1970. */
    public long beginSeconds() {
        return quarter * QUARTER_SECONDS;
    }
}
