package io.sluice.control.shift;

import static io.sluice.control.shift.FiguresGiven.usable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BaselineTest {
    private static final long MINUTE = 60_000;

    /** A histogram's bucket is a fifth wide. */
    private static double about(double millis) {
        return usable(1, millis).p95Ms();
    }

    private static Baseline minutes(Baseline from, int count, long startMs, double millis) {
        Baseline baseline = from;
        for (int i = 0; i < count; i++) {
            baseline = baseline.next(usable(20, millis), MINUTE, startMs + i * MINUTE);
        }
        return baseline.at(MINUTE, startMs + count * MINUTE);
    }

    @Test
    void nothingIsUsualBeforeThreeMinutes() {
        assertThat(minutes(Baseline.fresh(0), 2, 0, 200).p95Ms()).isZero();
        assertThat(minutes(Baseline.fresh(0), 3, 0, 200).p95Ms()).isEqualTo(about(200));
    }

    @Test
    void aMinuteWithFewCallsDoesNotCount() {
        Baseline baseline = minutes(Baseline.fresh(0), 2, 0, 200)
                .next(usable(19, 200), MINUTE, 2 * MINUTE)
                .at(MINUTE, 3 * MINUTE);
        assertThat(baseline.p95Ms()).isZero();
    }

    @Test
    void theRunningMinuteDoesNotCount() {
        Baseline baseline = minutes(Baseline.fresh(0), 3, 0, 200).next(usable(1_000, 5_000), MINUTE, 3 * MINUTE);
        assertThat(baseline.p95Ms()).isEqualTo(about(200));
    }

    @Test
    void sevenSlowMinutesOfFifteenDoNotMoveIt() {
        Baseline baseline = minutes(minutes(Baseline.fresh(0), 8, 0, 200), 7, 8 * MINUTE, 5_000);
        assertThat(baseline.done()).hasSize(15);
        assertThat(baseline.p95Ms()).isEqualTo(about(200));
    }

    @Test
    void eightSlowMinutesOfFifteenAreUsual() {
        Baseline baseline = minutes(minutes(Baseline.fresh(0), 8, 0, 200), 8, 8 * MINUTE, 5_000);
        assertThat(baseline.p95Ms()).isEqualTo(about(5_000));
    }

    @Test
    void ofAnEvenNumberOfMinutesTheMeanOfTheMiddleOnesCounts() {
        Baseline baseline = minutes(minutes(Baseline.fresh(0), 2, 0, 200), 2, 2 * MINUTE, 400);
        assertThat(baseline.p95Ms()).isCloseTo((about(200) + about(400)) / 2, within(1e-9));
    }

    @Test
    void whatIsOlderThanAQuarterOfAnHourIsForgotten() {
        Baseline baseline = minutes(Baseline.fresh(0), 3, 0, 200);
        assertThat(baseline.at(MINUTE, 16 * MINUTE).p95Ms()).isEqualTo(about(200));
        assertThat(baseline.at(MINUTE, 30 * MINUTE).p95Ms()).isZero();
        assertThat(baseline.at(MINUTE, 30 * MINUTE).all().calls()).isZero();
    }
}
