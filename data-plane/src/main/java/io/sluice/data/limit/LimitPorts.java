package io.sluice.data.limit;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What limits need from outside.
 *
 * @param clockMs milliseconds of a clock that never goes back
 */
public record LimitPorts(RateShares shares, LongSupplier clockMs) {
    /** Of the only node. */
    public static final LimitPorts ALONE =
            new LimitPorts(RateShares.ALONE, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
}
