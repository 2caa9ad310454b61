package io.sluice.tenants.ledger;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * Days and months of one time zone as spans of time. A day begins at the first instant of its date; where a clock is set back over
 * midnight the new day goes on, so that dates never run backwards. Days have 0 hours (a date that a zone skipped), 23, 24 or 25.
 */
public final class LocalPeriods {
    private LocalPeriods() {}

    /** The date at {@code now}: the latest one that has begun. */
    public static LocalDate dateAt(Instant now, ZoneId zone) {
        LocalDate date = LocalDate.ofInstant(now, zone);
        while (!beginOf(date.plusDays(1), zone).isAfter(now)) {
            date = date.plusDays(1);
        }
        return date;
    }

    /** The period of that kind that runs at {@code now}. */
    public static Period at(CapPeriod kind, Instant now, ZoneId zone) {
        return Period.of(kind, dateAt(now, zone));
    }

    /** The first instant of {@code date}; of a date that the zone skipped, the first instant of the one after it. */
    public static Instant beginOf(LocalDate date, ZoneId zone) {
        return date.atStartOfDay(zone).toInstant();
    }

    /** Inclusive. */
    public static Instant beginOf(Period period, ZoneId zone) {
        return beginOf(period.first(), zone);
    }

    /** Exclusive: the begin of the next one. */
    public static Instant endOf(Period period, ZoneId zone) {
        return beginOf(period.afterLast(), zone);
    }

    /** The next instant after {@code now} at which a date begins. */
    public static Instant midnightAfter(Instant now, ZoneId zone) {
        return beginOf(dateAt(now, zone).plusDays(1), zone);
    }
}
