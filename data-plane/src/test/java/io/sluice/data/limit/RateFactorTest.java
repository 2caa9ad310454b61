package io.sluice.data.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RateFactorTest {
    @Test
    void allIsUsedUntilARefusal() {
        assertThat(RateFactor.WHOLE.at(0)).isEqualTo(1);
    }

    @Test
    void aRefusalTakesAPartAwayThatComesBackWithinAMinute() {
        RateFactor refused = RateFactor.WHOLE.refused(1_000);

        assertThat(refused.at(1_000)).isEqualTo(0.7);
        assertThat(refused.at(31_000)).isCloseTo(0.85, within(1e-9));
        assertThat(refused.at(61_000)).isCloseTo(1, within(1e-9));
        assertThat(refused.at(600_000)).isEqualTo(1);
    }

    @Test
    void refusalsOfCallsThatRanTogetherAreOne() {
        RateFactor refused = RateFactor.WHOLE.refused(1_000);

        assertThat(refused.refused(1_999)).isSameAs(refused);
        assertThat(refused.refused(2_000).at(2_000)).isCloseTo(0.4935, within(1e-9));
    }

    @Test
    void somethingIsAlwaysTried() {
        RateFactor factor = RateFactor.WHOLE;
        for (long nowMs = 1_000; nowMs < 100_000; nowMs += 1_000) {
            factor = factor.refused(nowMs);
        }
        assertThat(factor.factor()).isEqualTo(RateFactor.MIN);
    }
}
