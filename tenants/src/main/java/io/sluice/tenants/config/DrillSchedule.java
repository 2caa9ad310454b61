package io.sluice.tenants.config;

import io.sluice.tenants.json.JsonSubtypes;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;

/** When a drill runs by itself. Pure: the same instant always gives the same window. */
@JsonSubtypes
public sealed interface DrillSchedule {
    /** Where nobody says otherwise: every month, in working hours, when somebody is there to look at it. */
    DrillSchedule DEFAULT = new Monthly(1, LocalTime.of(10, 0), Duration.ofMinutes(15));

    /**
     * A span of time; a drill runs in it.
     *
     * @param until exclusive
     */
    record Window(Instant from, Instant until) {
        public Window {
            Objects.requireNonNull(from);
            Objects.requireNonNull(until);
        }

        /** Whether {@code at} is in it. */
        public boolean holds(Instant at) {
            return !at.isBefore(from) && at.isBefore(until);
        }
    }

    /** One window, never again. */
    record Once(Instant from, Instant until) implements DrillSchedule {
        public Once {
            Objects.requireNonNull(from);
            Objects.requireNonNull(until);
        }

        @Override
        public Optional<Window> next(Instant now, ZoneId zone) {
            return now.isBefore(until) ? Optional.of(new Window(from, until)) : Optional.empty();
        }
    }

    /**
     * The same window in every month.
     *
     * @param day of the month, 1 to 28, so that every month has it
     * @param at local time; where a change of clocks leaves it out, the first time after the gap
     * @param duration at most a day
     */
    record Monthly(int day, LocalTime at, Duration duration) implements DrillSchedule {
        /** The last day that every month has. */
        public static final int DAY_MAX = 28;

        public Monthly {
            Objects.requireNonNull(at);
            Objects.requireNonNull(duration);
            if (day < 1 || day > DAY_MAX) {
                throw new IllegalArgumentException("a day from 1 to " + DAY_MAX);
            }
        }

        @Override
        public Optional<Window> next(Instant now, ZoneId zone) {
            YearMonth month = YearMonth.from(now.atZone(zone));
            // A window that began on the last evening of the month before may still run.
            Window window = of(month.minusMonths(1), zone);
            for (int i = 0; !now.isBefore(window.until()); i++) {
                window = of(month.plusMonths(i), zone);
            }
            return Optional.of(window);
        }

        private Window of(YearMonth month, ZoneId zone) {
            Instant from = month.atDay(day).atTime(at).atZone(zone).toInstant();
            return new Window(from, from.plus(duration));
        }
    }

    /**
     * The window that runs at {@code now}, else the next one; empty where none will come.
     *
     * @param zone of the tenant
     */
    Optional<Window> next(Instant now, ZoneId zone);
}
