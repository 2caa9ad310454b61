package io.sluice.control.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.TargetWindow;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class HealthScoreTest {
    /** One window a second for {@code seconds}. */
    private static HealthScore run(HealthScore from, long startMs, int seconds, LongFunction<TargetWindow> window) {
        HealthScore score = from;
        for (int second = 1; second <= seconds; second++) {
            score = score.next(window.apply(second), startMs + second * 1_000L);
        }
        return score;
    }

    private static HealthScore good(HealthScore from, long startMs, int seconds) {
        return run(from, startMs, seconds, second -> Windows.usable("t", 25, 100));
    }

    private static HealthScore bad(HealthScore from, long startMs, int seconds) {
        return run(from, startMs, seconds, second -> Windows.failing("t", FailureClass.NETWORK, 25));
    }

    @Test
    void anUnknownTargetIsHealthy() {
        assertThat(HealthScore.fresh(0).health(0)).isEqualTo(1);
    }

    @Test
    void aTargetWithoutFailuresStaysAtOne() {
        assertThat(good(HealthScore.fresh(0), 0, 600).health(600_000)).isEqualTo(1);
    }

    @Test
    void anOutageAfterAnHourOfTrafficShowsWithinFiveSeconds() {
        HealthScore steady = good(HealthScore.fresh(0), 0, 3_600);
        assertThat(bad(steady, 3_600_000, 5).health(3_605_000)).isLessThan(0.1);
    }

    @Test
    void anOutageOfAFreshTargetShowsInOneSecond() {
        assertThat(bad(HealthScore.fresh(0), 0, 1).health(1_000)).isEqualTo(HealthScore.HEALTH_FLOOR);
    }

    @Test
    void oneFailureAmongFewCallsIsNoOutage() {
        HealthScore one = HealthScore.fresh(0).next(Windows.failing("t", FailureClass.NETWORK, 1), 0);
        assertThat(one.health(0)).isGreaterThan(0.3);
    }

    @Test
    void neverFallsBelowTheTrickleThatShowsRecovery() {
        assertThat(bad(HealthScore.fresh(0), 0, 300).health(300_000)).isEqualTo(HealthScore.HEALTH_FLOOR);
    }

    @Test
    void recoversStepByStepOnceCallsSucceed() {
        HealthScore broken = bad(HealthScore.fresh(0), 0, 60);
        double afterTen = good(broken, 60_000, 10).health(70_000);
        double afterThirty = good(broken, 60_000, 30).health(90_000);
        double afterFiveMinutes = good(broken, 60_000, 300).health(360_000);
        assertThat(afterTen).isGreaterThan(2 * HealthScore.HEALTH_FLOOR);
        assertThat(afterThirty).isGreaterThan(afterTen).isBetween(0.3, 0.9);
        assertThat(afterFiveMinutes).isGreaterThan(0.97);
    }

    @Test
    void recoversByItselfWhereNobodyCalls() {
        HealthScore broken = bad(HealthScore.fresh(0), 0, 10);
        assertThat(broken.health(10_000 + 600_000)).isGreaterThan(0.9);
    }

    @Test
    void whatTheCallerDidWrongCountsForNothing() {
        HealthScore score =
                run(HealthScore.fresh(0), 0, 60, second -> Windows.failing("t", FailureClass.BAD_REQUEST, 25));
        assertThat(score.health(60_000)).isEqualTo(1);
    }

    @Test
    void troubleThatLastsCountsMoreThanTroubleThatPasses() {
        HealthScore noMemory = HealthScore.fresh(0).next(Windows.failing("t", FailureClass.OUT_OF_MEMORY, 1), 0);
        HealthScore network = HealthScore.fresh(0).next(Windows.failing("t", FailureClass.NETWORK, 1), 0);
        assertThat(noMemory.health(0)).isLessThan(network.health(0));
    }

    @Test
    void aTargetThatIsAlwaysSlowIsNotSlow() {
        HealthScore slow = run(HealthScore.fresh(0), 0, 120, second -> Windows.usable("t", 25, 3_000));
        assertThat(slow.slow(120_000)).isFalse();
    }

    @Test
    void threeTimesItsUsualLatencyIsSlow() {
        HealthScore usual = good(HealthScore.fresh(0), 0, 120);
        HealthScore slow = run(usual, 120_000, 20, second -> Windows.usable("t", 25, 300));
        assertThat(slow.slow(140_000)).isTrue();
        assertThat(slow.health(140_000)).isCloseTo(2.0 / 3, within(0.2));
    }

    @Test
    void slownessAloneLeavesAQuarter() {
        HealthScore usual = good(HealthScore.fresh(0), 0, 120);
        HealthScore slow = run(usual, 120_000, 20, second -> Windows.usable("t", 25, 60_000));
        assertThat(slow.health(140_000)).isEqualTo(HealthScore.SLOW_HEALTH_MIN);
    }

    @Test
    void aFewMillisecondsMoreAreNotSlow() {
        HealthScore usual = run(HealthScore.fresh(0), 0, 120, second -> Windows.usable("t", 25, 5));
        HealthScore more = run(usual, 120_000, 20, second -> Windows.usable("t", 25, 40));
        assertThat(more.slow(140_000)).isFalse();
    }

    @Test
    void twoSlowCallsAreNoSlowness() {
        HealthScore usual = good(HealthScore.fresh(0), 0, 120);
        HealthScore few = usual.next(Windows.usable("t", 2, 9_000), 160_000);
        assertThat(few.slow(160_000)).isFalse();
    }

    @Test
    void theSameWindowsGiveTheSameScore() {
        assertThat(bad(good(HealthScore.fresh(0), 0, 30), 30_000, 3))
                .isEqualTo(bad(good(HealthScore.fresh(0), 0, 30), 30_000, 3));
    }
}
