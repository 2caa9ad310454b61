package io.sluice.control.budget;

import io.sluice.control.api.BalanceStanding;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.ProviderBalanceConfig;
import io.sluice.tenants.money.Money;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;

/** Says when a prepaid account runs out at its present burn. Pure. */
public final class BalanceDecider {
    /** Requirement B7: 48 hours, a weekend's notice. */
    public static final Duration WARNED_BEFORE = Duration.ofDays(2);

    /** The burn is that of the last day, so that nights and busy hours even out. */
    public static final Duration BURN_OVER = Duration.ofDays(1);

    /** Shorter spans tell no rate: one request in a second is not a day's burn. Usage is summed by quarters of an hour. */
    private static final Duration BURN_OVER_MIN = Duration.ofMinutes(15);

    /** What lasts longer is not about to run out, and its date is no forecast. */
    private static final Duration FORECAST_MAX = Duration.ofDays(3_650);

    private static final BigDecimal DAY_S = BigDecimal.valueOf(86_400);

    private BalanceDecider() {}

    /** From when on the burn is measured. */
    public static Instant burnFrom(ProviderBalanceConfig declared, Instant now) {
        Instant day = now.minus(BURN_OVER);
        return declared.at().isAfter(day) ? declared.at() : day;
    }

    /**
     * How the account stands at {@code now}.
     *
     * @param spentMicros since the declaration
     * @param burnedMicros since {@link #burnFrom}
     */
    public static BalanceStanding decide(
            ScopedId provider,
            ProviderBalanceConfig declared,
            long spentMicros,
            long burnedMicros,
            String currency,
            Instant now) {
        long left = Math.subtractExact(declared.amount().micros(), spentMicros);
        long burnSeconds = Math.max(
                BURN_OVER_MIN.toSeconds(),
                Duration.between(burnFrom(declared, now), now).toSeconds());
        Instant runsOutAt = runsOutAt(left, burnedMicros, burnSeconds, now);
        return new BalanceStanding(
                provider,
                declared.version(),
                declared.amount(),
                declared.at(),
                new Money(spentMicros),
                new Money(left),
                new Money(BigDecimal.valueOf(burnedMicros)
                        .multiply(DAY_S)
                        .divide(BigDecimal.valueOf(burnSeconds), 0, RoundingMode.HALF_EVEN)
                        .longValueExact()),
                runsOutAt,
                runsOutAt != null && !runsOutAt.isAfter(now.plus(WARNED_BEFORE)),
                currency,
                now);
    }

    private static Instant runsOutAt(long leftMicros, long burnedMicros, long burnSeconds, Instant now) {
        if (leftMicros <= 0) {
            return now;
        }
        if (burnedMicros <= 0) {
            return null;
        }
        BigDecimal seconds = BigDecimal.valueOf(leftMicros)
                .multiply(BigDecimal.valueOf(burnSeconds))
                .divide(BigDecimal.valueOf(burnedMicros), 0, RoundingMode.DOWN);
        return seconds.compareTo(BigDecimal.valueOf(FORECAST_MAX.toSeconds())) > 0
                ? null
                : now.plusSeconds(seconds.longValueExact());
    }
}
