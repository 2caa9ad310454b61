package io.sluice.control.shift;

import io.sluice.tenants.health.LatencyHistogram;

/** Figures for tests. */
final class FiguresGiven {
    private FiguresGiven() {}

    /** So many usable answers of {@code millis} each. */
    static Figures usable(long count, double millis) {
        return figures(count, 0, 0, millis);
    }

    /** So many calls of each end, the usable ones of {@code millis} each. */
    static Figures figures(long usable, long errors, long useless, double millis) {
        LatencyHistogram.Recorder latency = new LatencyHistogram.Recorder();
        for (long i = 0; i < usable; i++) {
            latency.record(millis);
        }
        return new Figures(usable, errors, useless, latency.drain());
    }
}
