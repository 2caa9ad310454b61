package io.sluice.data.money;

import java.time.Duration;
import java.time.Instant;

/** How fast a slice is used, over the last seconds, and when it was used last. One thread. */
final class UseRate {
    /** A burst is forgotten in about so long; a slice is drawn for as long. */
    static final int SECONDS = 5;

    /** Shorter spans say little. */
    private static final double SPAN_MIN_SECONDS = 0.5;

    private long usedBefore;
    private boolean used;
    private Instant usedAt;
    private Instant ratedAt;
    private double microsPerSecond;

    UseRate(Instant now) {
        usedAt = now;
        ratedAt = now;
    }

    /** Takes note that {@code usedNow} micro-units are spent or held by {@code now}. */
    void see(long usedNow, Instant now) {
        double seconds = Duration.between(ratedAt, now).toNanos() / 1e9;
        if (usedNow != usedBefore) {
            used = true;
            usedAt = now;
        }
        if (seconds >= SPAN_MIN_SECONDS) {
            double latest = Math.max(0, usedNow - usedBefore) / seconds;
            double weight = Math.min(1, seconds / SECONDS);
            microsPerSecond = microsPerSecond * (1 - weight) + latest * weight;
            ratedAt = now;
            usedBefore = usedNow;
        } else if (seconds < 0) {
            ratedAt = now;
        }
    }

    /** How long it was not used; null where it never was. */
    Duration sinceUse(Instant now) {
        return used ? Duration.between(usedAt, now) : null;
    }

    boolean idle(Duration since, Instant now) {
        return !now.isBefore(usedAt.plus(since));
    }

    /** What the next seconds need at this rate. */
    long aheadMicros() {
        return (long) (microsPerSecond * SECONDS);
    }
}
