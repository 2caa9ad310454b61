package io.sluice.tenants.config;

import java.util.Locale;
import java.util.Optional;

/** How urgent a request is: each lane has its own permits and its own queue, and batch never holds up real-time (B3). */
public enum Lane {
    /** Somebody waits for the answer. */
    REALTIME,
    /** Nobody waits: it may be late, and is the first to be left out. */
    BATCH;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** As it stands in the header X-Priority, in a scenario's settings and in metrics. */
    public String word() {
        return word;
    }

    /** The lane of a word, in any case of letters. */
    public static Optional<Lane> of(String word) {
        for (Lane lane : values()) {
            if (lane.word.equalsIgnoreCase(word)) {
                return Optional.of(lane);
            }
        }
        return Optional.empty();
    }

    /** The less urgent of two: a caller may give way, but never jump a queue that its scenario was put into. */
    public Lane leastUrgent(Lane other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
