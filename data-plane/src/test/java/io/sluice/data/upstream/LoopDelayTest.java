package io.sluice.data.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopDelayTest {
    private final LoopDelay delay = new LoopDelay();

    @BeforeEach
    void begin() {
        delay.begin(1_000);
    }

    @Test
    void aLoopInTimeDelaysNothing() {
        for (long ms = 1_010; ms < 2_000; ms += 10) {
            delay.tick(ms);
        }

        assertThat(delay.atMost(2_000)).isZero();
    }

    @Test
    void aLoopThatStandsStillHasDelayedWhatItHearsBeforeItsNextTick() {
        delay.tick(1_010);

        assertThat(delay.atMost(1_320)).isEqualTo(300);
    }

    @Test
    void ticksThatAreMadeUpForDoNotForgetTheDelay() {
        delay.tick(1_310);
        for (int i = 0; i < 30; i++) {
            delay.tick(1_310);
        }

        assertThat(delay.atMost(1_310)).isEqualTo(300);
    }

    @Test
    void theDelayIsForgottenInAsMuchTimeAsItTook() {
        delay.tick(1_310);
        for (long ms = 1_320; ms <= 1_610; ms += 10) {
            assertThat(delay.atMost(ms)).isPositive();
            delay.tick(ms);
        }

        assertThat(delay.atMost(1_610)).isZero();
    }

    @Test
    void aLoopWhoseEveryTurnIsLongDelaysAllByATurn() {
        for (long ms = 1_050; ms < 3_000; ms += 50) {
            delay.tick(ms);
            assertThat(delay.atMost(ms + 25)).isEqualTo(40);
        }
    }

    @Test
    void aLoopThatRestedBeginsAnew() {
        delay.tick(1_310);
        delay.begin(9_000);

        assertThat(delay.atMost(9_010)).isZero();
    }
}
