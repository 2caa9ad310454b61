package io.sluice.tenants.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.config.DrillConfig.Run;
import io.sluice.tenants.config.DrillConfig.Started;
import io.sluice.tenants.config.DrillSchedule.Monthly;
import io.sluice.tenants.config.DrillSchedule.Once;
import io.sluice.tenants.config.DrillSchedule.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class DrillScheduleTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final DrillSchedule MONTHLY = new Monthly(10, LocalTime.of(9, 0), Duration.ofHours(1));

    @Test
    void aMonthlyWindowIsInTheTenantsLocalTime() {
        assertThat(MONTHLY.next(at("2026-01-10T08:30:00Z"), BERLIN))
                .contains(window("2026-01-10T08:00:00Z", "2026-01-10T09:00:00Z"));
        assertThat(MONTHLY.next(at("2026-07-10T07:30:00Z"), BERLIN))
                .contains(window("2026-07-10T07:00:00Z", "2026-07-10T08:00:00Z"));
    }

    @Test
    void afterAWindowTheNextMonthsIsNext() {
        assertThat(MONTHLY.next(at("2026-01-10T09:00:00Z"), BERLIN))
                .contains(window("2026-02-10T08:00:00Z", "2026-02-10T09:00:00Z"));
    }

    @Test
    void aWindowThatBeganOnTheLastEveningOfAMonthStillRunsInTheNext() {
        DrillSchedule late = new Monthly(28, LocalTime.of(23, 0), Duration.ofHours(24));
        assertThat(late.next(at("2026-03-01T20:00:00Z"), ZoneId.of("UTC")))
                .contains(window("2026-02-28T23:00:00Z", "2026-03-01T23:00:00Z"));
    }

    @Test
    void aLocalTimeThatAChangeOfClocksLeavesOutIsTheFirstAfterTheGap() {
        // 29 March 2026 would be the day in Berlin; 8 March is New York's, and a day that every month has.
        DrillSchedule inTheGap = new Monthly(8, LocalTime.of(2, 30), Duration.ofMinutes(10));
        assertThat(inTheGap.next(at("2026-03-08T00:00:00Z"), ZoneId.of("America/New_York")))
                .contains(window("2026-03-08T07:30:00Z", "2026-03-08T07:40:00Z"));
    }

    @Test
    void aSingleWindowNeverComesAgain() {
        DrillSchedule once = new Once(at("2026-01-10T08:00:00Z"), at("2026-01-10T09:00:00Z"));
        assertThat(once.next(at("2026-01-01T00:00:00Z"), BERLIN)).isPresent();
        assertThat(once.next(at("2026-01-10T09:00:00Z"), BERLIN)).isEmpty();
    }

    @Test
    void aDayThatSomeMonthsDoNotHaveIsNone() {
        assertThatThrownBy(() -> new Monthly(29, LocalTime.NOON, Duration.ofHours(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDrillRunsInItsWindowOnly() {
        DrillConfig drill = drill(true, null, null);
        assertThat(drill.runAt(at("2026-01-10T07:59:59Z"), BERLIN)).isEmpty();
        assertThat(drill.runAt(at("2026-01-10T08:00:00Z"), BERLIN))
                .contains(new Run(window("2026-01-10T08:00:00Z", "2026-01-10T09:00:00Z"), 0.1));
    }

    @Test
    void aDrillThatIsNotEnabledRunsOnlyWhereSomebodyStartsIt() {
        Window byHand = window("2026-01-10T08:10:00Z", "2026-01-10T08:20:00Z");
        DrillConfig drill = drill(false, new Started(byHand, 1), null);
        assertThat(drill.runAt(at("2026-01-10T08:05:00Z"), BERLIN)).isEmpty();
        assertThat(drill.runAt(at("2026-01-10T08:15:00Z"), BERLIN)).contains(new Run(byHand, 1));
    }

    @Test
    void aStoppedDrillIsOverUntilItsNextWindow() {
        DrillConfig drill = drill(true, null, null).stopped(at("2026-01-10T08:15:00Z"));
        assertThat(drill.runAt(at("2026-01-10T08:15:01Z"), BERLIN)).isEmpty();
        assertThat(drill.runAt(at("2026-02-10T08:15:01Z"), BERLIN)).isPresent();
    }

    private static DrillConfig drill(boolean enabled, Started started, Instant stoppedAt) {
        return new DrillConfig("d", 1, "s", "light", 0.1, MONTHLY, "me", "why", enabled, started, stoppedAt);
    }

    private static Instant at(String text) {
        return Instant.parse(text);
    }

    private static Window window(String from, String until) {
        return new Window(at(from), at(until));
    }
}
