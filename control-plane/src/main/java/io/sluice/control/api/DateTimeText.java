package io.sluice.control.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** How people write a point in time to Sluice: ISO-8601 with an offset and a year of four digits. Pure. */
public final class DateTimeText {
    /** What to write, for after "must be". */
    public static final String RULE = "an ISO-8601 time with Z or an offset, such as 2026-01-31T08:00:00Z";

    /** With longer years other systems have trouble, and arithmetic overflows. */
    private static final int YEAR_MAX = 9_999;

    private DateTimeText() {}

    /** The instant that {@code text} means; empty where it is none. */
    public static Optional<Instant> parse(String text) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text);
            return time.getYear() >= 0 && time.getYear() <= YEAR_MAX ? Optional.of(time.toInstant()) : Optional.empty();
        } catch (DateTimeException notOne) {
            return Optional.empty();
        }
    }
}
