package io.sluice.control.shift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.tenants.shift.Slowdown;
import org.junit.jupiter.api.Test;

class SlowdownDeciderTest {
    private static final ShiftSettings SETTINGS = ShiftSettings.DEFAULT;
    private static final Slowdown SLOWED = new Slowdown(0.3, 60_000);

    private static Slowdown decide(Slowdown before, boolean slow, Double memory, long nowMs) {
        return SlowdownDecider.decide(before, slow, memory, nowMs, SETTINGS);
    }

    @Test
    void aSlowTargetKeepsThirtyPercentForAMinute() {
        assertThat(decide(null, true, null, 0)).isEqualTo(SLOWED);
        assertThat(decide(SLOWED, true, null, 59_999)).isEqualTo(SLOWED);
        assertThat(decide(SLOWED, false, null, 59_999)).isEqualTo(SLOWED);
    }

    @Test
    void aTargetThatIsNotSlowKeepsAllOfIt() {
        assertThat(decide(null, false, null, 0)).isNull();
    }

    @Test
    void afterwardsItsWeightRisesSmoothlyToAllOfIt() {
        Slowdown before = SLOWED;
        double last = 0.3;
        for (long now = 60_000; now < 120_000; now += 1_000) {
            before = decide(before, false, null, now);
            assertThat(before.weight()).isBetween(last, last + 0.05 + 1e-9);
            last = before.weight();
        }
        assertThat(last).isCloseTo(0.95, within(1e-9));
        assertThat(decide(before, false, null, 120_000)).isNull();
    }

    @Test
    void aTargetThatIsSlowAgainWhileItRisesFallsAgain() {
        assertThat(decide(new Slowdown(0.65, 60_000), true, null, 90_000)).isEqualTo(new Slowdown(0.3, 150_000));
    }

    @Test
    void aServerWithFullMemoryGetsNoNewRequestsWhereItIsReported() {
        assertThat(decide(null, false, 0.86, 5_000)).isEqualTo(new Slowdown(0, 5_000));
        assertThat(decide(null, false, 0.85, 5_000)).isNull();
        assertThat(decide(new Slowdown(0, 5_000), false, 0.5, 6_000).weight()).isEqualTo(0.3);
    }
}
