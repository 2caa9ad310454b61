package io.sluice.control.spend;

import io.sluice.control.spend.SpendStore.DaySpan;
import io.sluice.control.spend.SpendStore.Span;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

/** Days of a time zone as spans: from local midnight to local midnight, 0 to 25 hours. Pure. */
final class SpendDays {
    private SpendDays() {}

    /** From the beginning of {@code from} to the end of {@code to}. */
    static Span span(LocalDate from, LocalDate to, ZoneId zone) {
        return new Span(begin(from, zone), begin(to.plusDays(1), zone));
    }

    static List<DaySpan> days(LocalDate from, LocalDate to, ZoneId zone) {
        return from.datesUntil(to.plusDays(1))
                .map(day -> new DaySpan(day, span(day, day, zone)))
                .toList();
    }

    private static long begin(LocalDate day, ZoneId zone) {
        return day.atStartOfDay(zone).toEpochSecond();
    }
}
