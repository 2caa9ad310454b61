package io.sluice.tenants.budget;

import io.sluice.tenants.config.SpendCapConfig;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * From which amounts on a cap has which band, micro-units.
 *
 * @param limitMicros the cap
 * @param conserveMicros from here on the band is CONSERVE
 * @param restrictMicros from here on it is RESTRICT
 */
public record BandLimits(long limitMicros, long conserveMicros, long restrictMicros) {
    public BandLimits {
        if (limitMicros < 0 || conserveMicros < 0 || restrictMicros < conserveMicros || restrictMicros > limitMicros) {
            throw new IllegalArgumentException("limits rise from 0 to the cap");
        }
    }

    /** Those of a cap; shares are exact decimals, and an amount that is no whole micro-unit is rounded up. */
    public static BandLimits of(SpendCapConfig cap) {
        long limit = cap.limit().micros();
        return new BandLimits(limit, share(limit, cap.conserveAt()), share(limit, cap.restrictAt()));
    }

    private static long share(long limitMicros, double share) {
        return BigDecimal.valueOf(limitMicros)
                .multiply(BigDecimal.valueOf(share))
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }
}
