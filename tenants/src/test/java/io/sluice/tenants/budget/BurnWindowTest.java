package io.sluice.tenants.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class BurnWindowTest {
    private static final Instant START = Instant.parse("2026-11-30T08:00:00Z");

    @Test
    void theRateIsThatOfTheLastHour() {
        BurnWindow window = BurnWindow.EMPTY;
        for (int minute = 0; minute <= 180; minute++) {
            window = window.next(at(minute), minute < 120 ? minute * 1_000L : 120_000 + (minute - 120) * 50L);
        }
        assertThat(window.microsPerHour(at(180), 123_000)).isEqualTo(3_000);
        assertThat(window.samples()).hasSizeLessThanOrEqualTo(62);
    }

    @Test
    void theFirstMinutesAreNotTakenForTheDay() {
        BurnWindow window = BurnWindow.EMPTY.next(at(0), 0);
        assertThat(BurnWindow.EMPTY.microsPerHour(at(0), 5)).isZero();
        assertThat(window.microsPerHour(at(1), 1_000_000)).isEqualTo(6_000_000);
        assertThat(window.microsPerHour(at(20), 1_000_000)).isEqualTo(3_000_000);
    }

    @Test
    void oneSampleAMinuteIsKept() {
        BurnWindow window = BurnWindow.EMPTY.next(at(0), 0).next(at(0).plusSeconds(59), 7);
        assertThat(window.samples()).hasSize(1);
        assertThat(window.next(at(1), 8).samples()).hasSize(2);
    }

    @Test
    void aCorrectionDownwardsIsNoNegativeBurn() {
        BurnWindow window = BurnWindow.EMPTY.next(at(0), 1_000).next(at(10), 500);
        assertThat(window.samples()).containsExactly(new BurnWindow.Sample(at(10), 500));
        assertThat(window.microsPerHour(at(20), 400)).isZero();
    }

    private static Instant at(int minute) {
        return START.plusSeconds(minute * 60L);
    }
}
