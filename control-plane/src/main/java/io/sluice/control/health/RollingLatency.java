package io.sluice.control.health;

import io.sluice.tenants.health.LatencyHistogram;

/**
 * Latencies of the last ten to twenty seconds, in two halves of which the older is dropped as a whole. Immutable.
 *
 * @param startMs when the current half began
 */
record RollingLatency(LatencyHistogram current, LatencyHistogram previous, long startMs) {
    /** Enough calls for a p95 at a few calls a second, and soon enough to act upon. */
    static final long HALF_MS = 10_000;

    static RollingLatency empty(long nowMs) {
        return new RollingLatency(LatencyHistogram.EMPTY, LatencyHistogram.EMPTY, nowMs);
    }

    RollingLatency plus(LatencyHistogram more, long nowMs) {
        RollingLatency now = rolled(nowMs);
        return new RollingLatency(now.current.plus(more), now.previous, now.startMs);
    }

    private RollingLatency rolled(long nowMs) {
        long halves = (nowMs - startMs) / HALF_MS;
        if (halves <= 0) {
            return this;
        }
        return new RollingLatency(
                LatencyHistogram.EMPTY, halves == 1 ? current : LatencyHistogram.EMPTY, startMs + halves * HALF_MS);
    }

    /** Whether a half was completed since {@code before}. */
    boolean rolledOver(RollingLatency before) {
        return startMs != before.startMs;
    }

    /** Both halves as of {@code nowMs}. */
    LatencyHistogram at(long nowMs) {
        RollingLatency now = rolled(nowMs);
        return now.current.plus(now.previous);
    }
}
