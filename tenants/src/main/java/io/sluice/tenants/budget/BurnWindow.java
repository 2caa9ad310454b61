package io.sluice.tenants.budget;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How fast money went in the last hour, from totals that only grow. Immutable.
 *
 * @param samples at most one a minute, oldest first; all but the first within the last hour
 */
public record BurnWindow(List<Sample> samples) {
    public static final BurnWindow EMPTY = new BurnWindow(List.of());

    private static final Duration SPAN = Duration.ofHours(1);

    private static final Duration STEP = Duration.ofMinutes(1);

    /** A rate over less would take the first dear request for the day's. */
    private static final long SECONDS_MIN = 600;

    private static final long SECONDS_OF_HOUR = 3_600;

    /** A total at an instant. */
    public record Sample(Instant at, long totalMicros) {}

    public BurnWindow {
        samples = List.copyOf(samples);
    }

    /** With what is known at {@code at}; a total below the last one, after a correction, begins anew. */
    public BurnWindow next(Instant at, long totalMicros) {
        if (samples.isEmpty() || totalMicros < last().totalMicros()) {
            return new BurnWindow(List.of(new Sample(at, totalMicros)));
        }
        if (at.isBefore(last().at().plus(STEP))) {
            return this;
        }
        List<Sample> kept = new ArrayList<>(samples);
        Instant horizon = at.minus(SPAN);
        while (kept.size() > 1 && !kept.get(1).at().isAfter(horizon)) {
            kept.remove(0);
        }
        kept.add(new Sample(at, totalMicros));
        return new BurnWindow(kept);
    }

    private Sample last() {
        return samples.get(samples.size() - 1);
    }

    /** Micro-units an hour, given the total at {@code at}; 0 before anything is known. */
    public long microsPerHour(Instant at, long totalMicros) {
        if (samples.isEmpty()) {
            return 0;
        }
        Sample first = samples.get(0);
        long seconds = Math.max(SECONDS_MIN, at.getEpochSecond() - first.at().getEpochSecond());
        long micros = Math.max(0, totalMicros - first.totalMicros());
        return micros / seconds * SECONDS_OF_HOUR + micros % seconds * SECONDS_OF_HOUR / seconds;
    }
}
