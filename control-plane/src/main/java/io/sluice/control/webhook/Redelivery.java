package io.sluice.control.webhook;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When an event that was not confirmed is posted again. Pure. */
final class Redelivery {
    /** Longer outages than a day are noticed by people; figures of yesterday's caps steer nothing. */
    static final Duration LASTS = Duration.ofHours(24);

    /** A restart of the receiver takes seconds. */
    private static final Duration FIRST = Duration.ofSeconds(2);

    /** From then on an hour's delay is what a receiver that comes back waits at most. */
    private static final Duration MOST = Duration.ofHours(1);

    private Redelivery() {}

    /**
     * Twice as late each time; empty where it would be more than {@link #LASTS} after the event.
     *
     * @param attempts that failed, at least 1
     */
    static Optional<Instant> next(Instant event, int attempts, Instant now) {
        long doubled = FIRST.toSeconds() << Math.min(attempts - 1, 20);
        Instant next = now.plusSeconds(Math.min(doubled, MOST.toSeconds()));
        return next.isAfter(event.plus(LASTS)) ? Optional.empty() : Optional.of(next);
    }
}
