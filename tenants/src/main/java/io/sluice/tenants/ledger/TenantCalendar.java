package io.sluice.tenants.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Objects;

/**
 * A tenant's days across changes of its time zone. A new zone takes effect at the later of the two next midnights, and the running
 * day lasts until then, so that a change never gives a fresh cap early. Dates never run backwards. Two changes take effect at
 * least 24 hours apart.
 *
 * @param zone in effect
 * @param since when it took effect
 * @param floor no day before this one comes again: the day that ran when the zone took effect
 * @param next the zone to come; null where none is, as are the other two
 * @param holdFrom the day that runs just before this instant lasts until {@code changesAt}
 * @param changesAt when {@code next} takes effect
 */
public record TenantCalendar(
        ZoneId zone, Instant since, LocalDate floor, ZoneId next, Instant holdFrom, Instant changesAt) {
    /** The least time between two changes. */
    private static final Duration APART_MIN = Duration.ofHours(24);

    public TenantCalendar {
        Objects.requireNonNull(zone);
        Objects.requireNonNull(since);
        Objects.requireNonNull(floor);
        if (next != null && changesAt.isBefore(holdFrom)) {
            throw new IllegalArgumentException("a zone takes effect after the midnight from which the day is held");
        }
    }

    /** That of a tenant whose zone never changed. */
    public static TenantCalendar of(ZoneId zone) {
        return new TenantCalendar(zone, Instant.EPOCH, LocalDate.EPOCH, null, null, null);
    }

    /** The calendar after {@code to} was chosen at {@code now}; choosing again replaces a change that has not taken effect. */
    public TenantCalendar move(ZoneId to, Instant now) {
        TenantCalendar today = at(now);
        boolean held = today.next != null && !now.isBefore(today.holdFrom);
        if (to.equals(today.zone) && !held) {
            return new TenantCalendar(today.zone, today.since, today.floor, null, null, null);
        }
        if (to.equals(today.next)) {
            return today;
        }
        Instant earliest = later(now, today.since.plus(APART_MIN));
        Instant ours = LocalPeriods.midnightAfter(earliest, today.zone);
        Instant theirs = LocalPeriods.midnightAfter(earliest, to);
        return new TenantCalendar(
                today.zone, today.since, today.floor, to, held ? today.holdFrom : ours, later(ours, theirs));
    }

    /** This calendar with a change that has taken effect by {@code now} as the present. */
    public TenantCalendar at(Instant now) {
        return next == null || now.isBefore(changesAt)
                ? this
                : new TenantCalendar(next, changesAt, dateAt(changesAt), null, null, null);
    }

    /** The date of the day that runs at {@code now}. */
    public LocalDate dateAt(Instant now) {
        if (next == null || now.isBefore(holdFrom)) {
            return later(floor, LocalPeriods.dateAt(now, zone));
        }
        return now.isBefore(changesAt) ? heldDate() : later(heldDate(), LocalPeriods.dateAt(now, next));
    }

    /** The period of that kind that runs at {@code now}. */
    public Period periodAt(CapPeriod kind, Instant now) {
        return Period.of(kind, dateAt(now));
    }

    /** When {@code period} begins, inclusive. */
    public Instant beginOf(Period period) {
        return beginOf(period.first());
    }

    /** When {@code period} ends, exclusive: where the next one begins. */
    public Instant endOf(Period period) {
        return beginOf(period.afterLast());
    }

    private Instant beginOf(LocalDate date) {
        return next == null || !date.isAfter(heldDate())
                ? LocalPeriods.beginOf(date, zone)
                : later(changesAt, LocalPeriods.beginOf(date, next));
    }

    /** The day that runs until the change. */
    private LocalDate heldDate() {
        return later(floor, LocalPeriods.dateAt(holdFrom.minusNanos(1), zone));
    }

    private static <T extends Comparable<? super T>> T later(T one, T other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
