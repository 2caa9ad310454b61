package io.sluice.control.api;

import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/**
 * Statements of a tenant's closed days.
 *
 * @param days oldest first
 * @param verified whether the chain of hashes over all of the tenant's entries holds, and the sums are those of the stored usage
 * @param problem what does not fit; null where all does
 */
public record SpendStatements(List<Day> days, boolean verified, String problem) {
    public SpendStatements {
        days = List.copyOf(days);
    }

    /**
     * One day.
     *
     * @param closing null where the day is not closed yet and has only corrections
     * @param additions corrections of finance, and usage that nodes told after the day was closed
     */
    public record Day(LocalDate day, Closing closing, List<Entry> additions) {
        public Day {
            additions = List.copyOf(additions);
        }

        /** What the day costs, all in all. */
        public Money charged() {
            Money sum = closing == null ? Money.ZERO : closing.figures().cost();
            for (Entry each : additions) {
                sum = sum.plus(each.amount());
            }
            return sum;
        }
    }

    /**
     * What was there when the day was closed.
     *
     * @param no place in the tenant's chain
     * @param from inclusive
     * @param until exclusive
     * @param tzdb version of the time zone rules by which the day was cut
     * @param hash SHA-256 over the entry before and this one, lower-case hex
     */
    public record Closing(
            long no,
            Instant from,
            Instant until,
            String timeZone,
            String tzdb,
            String currency,
            SpendFigures figures,
            Instant closedAt,
            String hash) {}

    /**
     * What came to a day by itself.
     *
     * @param kind {@code ADJUSTMENT} or {@code LATE_USAGE}
     * @param actor who did it; {@code system} for late usage
     */
    public record Entry(
            long no, LocalDate day, String kind, Money amount, String reason, String actor, Instant at, String hash) {}
}
