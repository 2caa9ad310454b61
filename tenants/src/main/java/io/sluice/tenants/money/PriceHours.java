package io.sluice.tenants.money;

import java.time.DayOfWeek;
import java.time.Instant;
import java.util.List;

/**
 * A factor on a price at some hours of some days, UTC: what providers call peak and off-peak.
 *
 * @param days on which it holds
 * @param fromMinute first minute of the day, 0 to 1,439
 * @param untilMinute first minute of the day at which it holds no more, up to 1,440
 * @param percent of the price: 200 doubles it
 */
public record PriceHours(List<DayOfWeek> days, int fromMinute, int untilMinute, int percent) {
    public static final int MINUTES_OF_DAY = 24 * 60;

    /** Ten times the price: real factors are 0.5 to 2. */
    public static final int PERCENT_MAX = 1_000;

    private static final int SECONDS_OF_DAY = MINUTES_OF_DAY * 60;

    public PriceHours {
        days = days.stream().sorted().distinct().toList();
        if (days.isEmpty() || fromMinute < 0 || untilMinute <= fromMinute || untilMinute > MINUTES_OF_DAY) {
            throw new IllegalArgumentException("no hours");
        }
        if (percent < 1 || percent > PERCENT_MAX) {
            throw new IllegalArgumentException("a factor is from 1 to " + PERCENT_MAX + " percent");
        }
    }

    /** Whether it holds at {@code at}. */
    boolean holds(Instant at) {
        long second = at.getEpochSecond();
        int minute = (int) Math.floorMod(second, (long) SECONDS_OF_DAY) / 60;
        return minute >= fromMinute && minute < untilMinute && days.contains(dayOf(second));
    }

    private static DayOfWeek dayOf(long second) {
        return DayOfWeek.THURSDAY.plus(Math.floorDiv(second, SECONDS_OF_DAY)); // 1970 began on one
    }
}
