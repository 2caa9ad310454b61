package io.sluice.data.limit;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * What limits need from outside.
 *
 * @param clockMs milliseconds of a clock that never goes back
 */
public record LimitPorts(Sharing sharing, LongSupplier clockMs) {
    /** Says how limits are divided among nodes. */
    @FunctionalInterface
    public interface Sharing {
        /** For the node with these counters. */
        RateShares of(LimitCounters counters);
    }

    /** Of the only node. */
    public static final LimitPorts ALONE = new LimitPorts(counters -> RateShares.ALONE, LimitPorts::monotonicMs);

    /** Of one of {@code nodes}. */
    public static LimitPorts shared(RateAuthority authority, IntSupplier nodes) {
        return new LimitPorts(
                counters -> new SharedRates(authority, counters, nodes, LimitPorts::monotonicMs),
                LimitPorts::monotonicMs);
    }

    private static long monotonicMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
