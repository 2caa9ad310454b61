package io.sluice.tenants.budget;

import java.time.Instant;
import java.util.Objects;

/**
 * How one cap stands in one period. Amounts are micro-units.
 *
 * @param settledMicros spent, and lost with nodes that crashed
 * @param heldMicros reserved by requests in flight
 * @param burnMicrosPerHour how fast it was spent lately
 * @param exemptMicrosPerHour how fast exempt scenarios, which no band slows down, spent of it lately
 * @param opens when the period begins
 * @param ends when the cap begins anew
 * @param at now
 * @param before what was decided last; null where nothing was
 */
public record BandInput(
        BandLimits limits,
        long settledMicros,
        long heldMicros,
        long burnMicrosPerHour,
        long exemptMicrosPerHour,
        Instant opens,
        Instant ends,
        Instant at,
        BandState before) {
    public BandInput {
        Objects.requireNonNull(limits);
        Objects.requireNonNull(opens);
        Objects.requireNonNull(ends);
        Objects.requireNonNull(at);
        settledMicros = Math.max(0, settledMicros);
        heldMicros = Math.max(0, heldMicros);
        burnMicrosPerHour = Math.max(0, burnMicrosPerHour);
        exemptMicrosPerHour = Math.max(0, exemptMicrosPerHour);
    }

    /** What may not be promised again. */
    long usedMicros() {
        long sum = settledMicros + heldMicros;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** What {@code microsPerHour} comes to until the period ends. */
    long untilEnd(long microsPerHour) {
        long seconds = Math.max(0, ends.getEpochSecond() - at.getEpochSecond());
        // Apart, so that the products of any amount with a year of seconds stay within 64 bits, or nearly.
        long whole = saturated(microsPerHour / 3_600, seconds);
        long rest = microsPerHour % 3_600 * seconds / 3_600;
        return whole > Long.MAX_VALUE - rest ? Long.MAX_VALUE : whole + rest;
    }

    private static long saturated(long a, long b) {
        return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
    }
}
