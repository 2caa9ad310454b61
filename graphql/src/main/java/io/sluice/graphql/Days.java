package io.sluice.graphql;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;

/** Calendar days as people write them. Pure. */
final class Days {
    private Days() {}

    /** A day of a year of four digits; empty where the text is none. */
    static Optional<LocalDate> parse(String text) {
        try {
            return text.length() == 10 ? Optional.of(LocalDate.parse(text)) : Optional.empty();
        } catch (DateTimeException notOne) {
            return Optional.empty();
        }
    }
}
