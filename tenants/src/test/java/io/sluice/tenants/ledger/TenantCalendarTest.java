package io.sluice.tenants.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A change of the zone gives nobody a fresh cap early. */
class TenantCalendarTest {
    private static final ZoneId AMSTERDAM = ZoneId.of("Europe/Amsterdam");
    private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");
    private static final ZoneId LOS_ANGELES = ZoneId.of("America/Los_Angeles");
    private static final ZoneId AUCKLAND = ZoneId.of("Pacific/Auckland");
    private static final Instant NOON = Instant.parse("2026-01-10T12:00:00Z");

    @Test
    void toTheEastTheRunningDayEndsAtItsOwnMidnight() {
        TenantCalendar calendar = TenantCalendar.of(AMSTERDAM).move(TOKYO, NOON);
        Period today = calendar.periodAt(CapPeriod.DAY, NOON);
        assertThat(today.key()).isEqualTo("2026-01-10");
        assertThat(calendar.endOf(today)).isEqualTo(Instant.parse("2026-01-10T23:00:00Z"));
        assertThat(calendar.endOf(today.next())).isEqualTo(Instant.parse("2026-01-11T15:00:00Z"));
    }

    @Test
    void toTheWestTheRunningDayLastsUntilMidnightThere() {
        TenantCalendar calendar = TenantCalendar.of(TOKYO).move(LOS_ANGELES, NOON);
        Period today = calendar.periodAt(CapPeriod.DAY, NOON);
        assertThat(today.key()).isEqualTo("2026-01-10");
        assertThat(calendar.endOf(today)).isEqualTo(Instant.parse("2026-01-11T08:00:00Z"));
        assertThat(calendar.dateAt(Instant.parse("2026-01-11T07:59:59Z"))).isEqualTo(LocalDate.parse("2026-01-10"));
        assertThat(calendar.dateAt(Instant.parse("2026-01-11T08:00:00Z"))).isEqualTo(LocalDate.parse("2026-01-11"));
    }

    @Test
    void aDateThatTheNewZoneStillHasBeforeItDoesNotBeginAgain() {
        TenantCalendar calendar = TenantCalendar.of(AUCKLAND).move(LOS_ANGELES, NOON);
        Period today = calendar.periodAt(CapPeriod.DAY, NOON);
        assertThat(today.key()).isEqualTo("2026-01-11");
        assertThat(calendar.endOf(today)).isEqualTo(Instant.parse("2026-01-12T08:00:00Z"));
    }

    @Test
    void backToTheSameZoneBeforeItTookEffectChangesNothing() {
        TenantCalendar calendar = TenantCalendar.of(AMSTERDAM).move(TOKYO, NOON).move(AMSTERDAM, NOON.plusSeconds(60));
        assertThat(calendar).isEqualTo(TenantCalendar.of(AMSTERDAM));
    }

    @Test
    void twoChangesTakeEffectADayApart() {
        TenantCalendar once = TenantCalendar.of(AMSTERDAM).move(TOKYO, NOON);
        Instant effect = Instant.parse("2026-01-10T23:00:00Z");
        TenantCalendar twice = once.move(AUCKLAND, effect.plusSeconds(60));
        assertThat(twice.zone()).isEqualTo(TOKYO);
        assertThat(twice.changesAt()).isAfterOrEqualTo(effect.plus(Duration.ofHours(24)));
    }

    @Test
    void aMonthGoesOnWithItsLastDay() {
        Instant lastDay = Instant.parse("2026-01-31T12:00:00Z");
        TenantCalendar calendar = TenantCalendar.of(TOKYO).move(LOS_ANGELES, lastDay);
        Period january = calendar.periodAt(CapPeriod.MONTH, lastDay);
        assertThat(calendar.endOf(january)).isEqualTo(Instant.parse("2026-02-01T08:00:00Z"));
    }

    @Test
    void whateverZonesAreChosenDatesNeverRunBackwardsAndNobodyGainsMoreThanOneDay() {
        List<ZoneId> zones =
                List.of(AMSTERDAM, TOKYO, LOS_ANGELES, AUCKLAND, ZoneId.of("Pacific/Apia"), ZoneId.of("Africa/Cairo"));
        Seeds.check(200, random -> {
            TenantCalendar calendar = TenantCalendar.of(zones.get(random.nextInt(zones.size())));
            LocalDate first = calendar.dateAt(NOON);
            LocalDate before = first;
            Instant now = NOON;
            for (int step = 0; step < 400; step++) {
                now = now.plus(Duration.ofMinutes(random.nextInt(180)));
                if (random.nextInt(5) == 0) {
                    LocalDate unmoved = calendar.dateAt(now);
                    calendar = calendar.move(zones.get(random.nextInt(zones.size())), now);
                    assertThat(calendar.dateAt(now))
                            .as("the day at the moment of the change")
                            .isEqualTo(unmoved);
                }
                Period day = calendar.periodAt(CapPeriod.DAY, now);
                assertThat(day.first()).isAfterOrEqualTo(before);
                assertThat(calendar.endOf(day)).isAfter(now);
                assertThat(calendar.dateAt(calendar.endOf(day))).isAfter(day.first());
                before = day.first();
            }
            long days = before.toEpochDay() - first.toEpochDay();
            assertThat(days).isLessThanOrEqualTo(Duration.between(NOON, now).toDays() + 2);
        });
    }
}
