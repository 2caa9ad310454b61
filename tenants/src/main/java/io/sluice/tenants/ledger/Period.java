package io.sluice.tenants.ledger;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.DateTimeParseException;
import java.util.Objects;

/**
 * One day or month of a tenant's calendar. It is a name, not a span: when it begins and ends depends on the time zone
 * ({@link LocalPeriods}).
 *
 * @param kind day or month
 * @param first the day, or the month's first day
 */
public record Period(CapPeriod kind, LocalDate first) implements Comparable<Period> {
    public Period {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(first);
        if (kind == CapPeriod.MONTH && first.getDayOfMonth() != 1) {
            throw new IllegalArgumentException("a month begins on its first day, not on " + first);
        }
    }

    /** The period of that kind that holds {@code date}. */
    public static Period of(CapPeriod kind, LocalDate date) {
        return new Period(kind, kind == CapPeriod.DAY ? date : date.withDayOfMonth(1));
    }

    /** The period whose {@link #key} is {@code key}; throws {@link IllegalArgumentException} where it is none. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Period ofKey(String key) {
        try {
            return key.length() == 7
                    ? new Period(CapPeriod.MONTH, YearMonth.parse(key).atDay(1))
                    : new Period(CapPeriod.DAY, LocalDate.parse(key));
        } catch (DateTimeParseException malformed) {
            throw new IllegalArgumentException("a period is written as 2026-03 or 2026-03-28", malformed);
        }
    }

    /** The one after it. */
    public Period next() {
        return new Period(kind, afterLast());
    }

    /** The date on which the next one begins. */
    public LocalDate afterLast() {
        return kind == CapPeriod.DAY ? first.plusDays(1) : first.plusMonths(1);
    }

    /** {@code 2026-03-28} for a day, {@code 2026-03} for a month. */
    @JsonValue
    public String key() {
        return kind == CapPeriod.DAY ? first.toString() : YearMonth.from(first).toString();
    }

    /** By begin; a month before its first day. */
    @Override
    public int compareTo(Period other) {
        int byDate = first.compareTo(other.first);
        return byDate != 0 ? byDate : other.kind.compareTo(kind);
    }

    @Override
    public String toString() {
        return key();
    }
}
