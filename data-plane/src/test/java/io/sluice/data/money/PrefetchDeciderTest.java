package io.sluice.data.money;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PrefetchDeciderTest {
    private static final Instant ENDS = Instant.parse("2026-03-29T00:00:00Z");
    private static final Duration JUST_NOW = Duration.ofSeconds(1);

    private static boolean draws(long afterEndMs, double unit) {
        return PrefetchDecider.decide(ENDS, ENDS.plusMillis(afterEndMs), JUST_NOW, unit);
    }

    @Test
    void theEarliestDrawsAsSoonAsTheAuthorityMayGrant() {
        assertThat(draws(-2_001, 0)).isFalse();
        assertThat(draws(-2_000, 0)).isTrue();
    }

    @Test
    void theLatestDrawsHalfAMinuteAfterwards() {
        assertThat(draws(29_999, 1)).isFalse();
        assertThat(draws(30_000, 1)).isTrue();
    }

    @Test
    void theMiddleDrawsInTheMiddle() {
        assertThat(draws(13_999, 0.5)).isFalse();
        assertThat(draws(14_000, 0.5)).isTrue();
    }

    @Test
    void aCapThatWasNotUsedLatelyIsNotDrawn() {
        assertThat(PrefetchDecider.decide(ENDS, ENDS, null, 0)).isFalse();
        assertThat(PrefetchDecider.decide(ENDS, ENDS, Duration.ofMinutes(5).plusMillis(1), 0))
                .isFalse();
        assertThat(PrefetchDecider.decide(ENDS, ENDS, Duration.ofMinutes(5), 0)).isTrue();
    }

    @Test
    void aNodeThatSleptDrawsNothing() {
        assertThat(draws(3_600_000, 0)).isFalse();
    }
}
