package io.sluice.tenants.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Days with 0, 23, 24 and 25 hours, and midnights that do not exist. */
class LocalPeriodsTest {
    @ParameterizedTest
    @CsvSource({
        "Africa/Cairo,        2026-04-24, 2026-04-23T22:00:00Z, 23:00", // begins at 01:00
        "Africa/Cairo,        2026-10-29, 2026-10-28T21:00:00Z, 25:00", // ends an hour after its first midnight
        "America/Havana,      2026-03-08, 2026-03-08T05:00:00Z, 23:00", // begins at 01:00
        "America/Havana,      2026-11-01, 2026-11-01T04:00:00Z, 25:00", // has the hour after midnight twice
        "Asia/Beirut,         2026-03-29, 2026-03-28T22:00:00Z, 23:00",
        "Asia/Beirut,         2026-10-24, 2026-10-23T21:00:00Z, 25:00",
        "Pacific/Apia,        2011-12-29, 2011-12-29T10:00:00Z, 24:00",
        "Pacific/Apia,        2011-12-30, 2011-12-30T10:00:00Z, 00:00", // did not take place
        "Pacific/Apia,        2011-12-31, 2011-12-30T10:00:00Z, 24:00",
        "Australia/Lord_Howe, 2026-04-05, 2026-04-04T13:00:00Z, 24:30", // half an hour back
        "Australia/Lord_Howe, 2026-10-04, 2026-10-03T13:30:00Z, 23:30",
        "Europe/Amsterdam,    2026-03-29, 2026-03-28T23:00:00Z, 23:00",
        "Europe/Amsterdam,    2026-10-25, 2026-10-24T22:00:00Z, 25:00",
        "America/St_Johns,    2006-10-29, 2006-10-29T02:30:00Z, 25:00", // set back over midnight, a minute into the new
        // day
    })
    void aDayBeginsAndLastsAsTheZoneSays(String zone, LocalDate date, Instant begin, String length) {
        Period day = new Period(CapPeriod.DAY, date);
        ZoneId where = ZoneId.of(zone);
        assertThat(LocalPeriods.beginOf(day, where)).isEqualTo(begin);
        assertThat(Duration.between(begin, LocalPeriods.endOf(day, where)))
                .isEqualTo(Duration.ofHours(Integer.parseInt(length.substring(0, 2)))
                        .plusMinutes(Integer.parseInt(length.substring(3))));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-03-28T22:59:59Z, 2026-03-28",
        "2026-03-28T23:00:00Z, 2026-03-29",
        "2026-03-29T21:59:59Z, 2026-03-29",
        "2026-03-29T22:00:00Z, 2026-03-30",
        "2026-10-24T22:00:00Z, 2026-10-25",
        "2026-10-25T22:59:59Z, 2026-10-25",
        "2026-10-25T23:00:00Z, 2026-10-26",
    })
    void bu05InAmsterdamADayChangesAtMidnightThereAndNotInUtc(Instant now, LocalDate date) {
        assertThat(LocalPeriods.dateAt(now, ZoneId.of("Europe/Amsterdam"))).isEqualTo(date);
    }

    @Test
    void aDayThatHasBegunGoesOnWhenTheClockIsSetBackOverMidnight() {
        ZoneId zone = ZoneId.of("America/St_Johns");
        Instant firstMidnight = Instant.parse("2006-10-29T02:30:00Z");
        Instant backOnTheEveBefore = firstMidnight.plus(Duration.ofMinutes(5));
        assertThat(LocalDate.ofInstant(backOnTheEveBefore, zone)).isEqualTo(LocalDate.parse("2006-10-28"));
        assertThat(LocalPeriods.dateAt(backOnTheEveBefore, zone)).isEqualTo(LocalDate.parse("2006-10-29"));
    }

    @Test
    void aDayThatWasSkippedNeverRuns() {
        ZoneId apia = ZoneId.of("Pacific/Apia");
        Instant midnight = Instant.parse("2011-12-30T10:00:00Z");
        assertThat(LocalPeriods.dateAt(midnight.minusNanos(1), apia)).isEqualTo(LocalDate.parse("2011-12-29"));
        assertThat(LocalPeriods.dateAt(midnight, apia)).isEqualTo(LocalDate.parse("2011-12-31"));
    }

    @Test
    void aMonthBeginsWithItsFirstDay() {
        Period march =
                LocalPeriods.at(CapPeriod.MONTH, Instant.parse("2026-02-28T23:00:00Z"), ZoneId.of("Europe/Amsterdam"));
        assertThat(march.key()).isEqualTo("2026-03");
        assertThat(LocalPeriods.endOf(march, ZoneId.of("Europe/Amsterdam")))
                .isEqualTo(Instant.parse("2026-03-31T22:00:00Z"));
    }

    @Test
    void everyInstantIsInTheDayThatItsZoneSaysAndDatesNeverRunBackwards() {
        for (String id : List.of(
                "Africa/Cairo",
                "America/Havana",
                "Asia/Beirut",
                "Pacific/Apia",
                "Australia/Lord_Howe",
                "Europe/Amsterdam",
                "America/St_Johns",
                "America/Asuncion",
                "Asia/Amman",
                "Asia/Gaza")) {
            ZoneId zone = ZoneId.of(id);
            ZoneOffsetTransition change = zone.getRules().nextTransition(Instant.parse("1990-01-01T00:00:00Z"));
            while (change != null && change.getInstant().isBefore(Instant.parse("2030-01-01T00:00:00Z"))) {
                around(change.getInstant(), zone);
                change = zone.getRules().nextTransition(change.getInstant());
            }
        }
    }

    private static void around(Instant change, ZoneId zone) {
        LocalDate before = LocalDate.MIN;
        for (int minutes = -1_500; minutes <= 1_500; minutes += 15) {
            Instant now = change.plus(Duration.ofMinutes(minutes));
            Period day = LocalPeriods.at(CapPeriod.DAY, now, zone);
            assertThat(day.first()).as("%s at %s", zone, now).isAfterOrEqualTo(before);
            assertThat(LocalPeriods.beginOf(day, zone))
                    .as("%s at %s", zone, now)
                    .isBeforeOrEqualTo(now);
            assertThat(LocalPeriods.endOf(day, zone)).as("%s at %s", zone, now).isAfter(now);
            before = day.first();
        }
    }

    @Test
    void aPeriodComesBackFromItsKey() {
        assertThat(Period.ofKey("2026-03-28")).isEqualTo(new Period(CapPeriod.DAY, LocalDate.parse("2026-03-28")));
        assertThat(Period.ofKey("2026-03")).isEqualTo(new Period(CapPeriod.MONTH, LocalDate.parse("2026-03-01")));
    }

    @Test
    void whatIsNoPeriodIsRefused() {
        assertThatThrownBy(() -> Period.ofKey("2026-02-30")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Period(CapPeriod.MONTH, LocalDate.parse("2026-03-02")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
