package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In virtual time: a target with 20 places, of which a call keeps one for 0.2 s, so that it can do 100 a second at most. */
class AdaptiveLimitTest {
    private static final int CAPACITY = 20;

    private final AdaptiveLimit limit = new AdaptiveLimit();

    private SimulatedTarget target(double sigma, long seed) {
        return new SimulatedTarget(limit, CAPACITY, SimulatedTarget.lognormal(200, sigma), seed);
    }

    /** Calls a second that {@link #CAPACITY} can end; the mean of a lognormal time is above its median. */
    private static double peak(double sigma) {
        return CAPACITY / (0.2 * Math.exp(sigma * sigma / 2));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 2", "0.5, 3", "0.5, 4", "0.5, 5", "0.8, 6", "0.8, 7"})
    void sixTimesTheLoadSettlesNearTheCapacityAndLosesNoGoodput(double sigma, long seed) {
        SimulatedTarget target = target(sigma, seed);
        target.run(0.6 * peak(sigma), 60);
        target.run(6 * peak(sigma), 20);
        SimulatedTarget.Seen overload = target.run(6 * peak(sigma), 60);

        assertThat(overload.perSecond(60)).isGreaterThan(0.8 * peak(sigma));
        assertThat(limit.limit()).isBetween(0.6 * CAPACITY, 2.5 * CAPACITY);
        assertThat(overload.meanMs()).isLessThan(3 * 1_000 * CAPACITY / peak(sigma));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theLoadOfBeforeIsServedAgainWithinTenSeconds(long seed) {
        SimulatedTarget target = target(0.5, seed);
        target.run(0.6 * peak(0.5), 60);
        target.run(6 * peak(0.5), 60);
        target.run(0.6 * peak(0.5), 10);
        SimulatedTarget.Seen after = target.run(0.6 * peak(0.5), 30);

        assertThat(after.answered()).isGreaterThan((long) (0.99 * after.offered()) - 2 * CAPACITY);
        assertThat(after.refused()).isLessThanOrEqualTo((long) (0.01 * after.offered()));
    }

    @ParameterizedTest
    @CsvSource({"0.5, 1", "0.5, 2", "0.8, 3", "0.8, 4", "1, 1", "1, 2", "1, 5"})
    void aHeavyTailIsNoOverload(double sigma, long seed) {
        SimulatedTarget wide = target(sigma, seed).capacity(1_000);
        SimulatedTarget.Seen hour = wide.run(50, 3_600);

        assertThat(hour.refused()).isLessThan(hour.offered() / 200);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aTargetThatIsSlowByItselfIsNotThrottledForIt(long seed) {
        SimulatedTarget wide = target(0.5, seed).capacity(1_000);
        wide.run(50, 120);
        wide.serviceMs(SimulatedTarget.lognormal(600, 0.5)).run(50, 60);
        SimulatedTarget.Seen later = wide.run(50, 120);

        assertThat(later.refused()).isLessThan(later.offered() / 100);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void callsThatAreDroppedLowerItToWhatTheTargetTakes(long seed) {
        SimulatedTarget strict = target(0.5, seed).queueMax(0);
        SimulatedTarget.Seen overload = strict.run(6 * peak(0.5), 60);

        assertThat(overload.perSecond(60)).isGreaterThan(0.8 * peak(0.5));
        assertThat(overload.dropped()).isLessThan(overload.answered() / 20);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aCapacityThatComesBackIsFound(long seed) {
        SimulatedTarget target = target(0.5, seed);
        target.run(0.8 * peak(0.5), 30);
        target.capacity(CAPACITY / 4).run(0.8 * peak(0.5), 60);
        assertThat(limit.limit()).isLessThan(CAPACITY);
        target.capacity(CAPACITY).run(0.8 * peak(0.5), 20);
        SimulatedTarget.Seen back = target.run(0.8 * peak(0.5), 20);

        assertThat(back.refused()).isLessThanOrEqualTo(back.offered() / 20);
    }

    @Test
    void withoutEvidenceThereIsNoLimit() {
        for (int i = 0; i < 1_000; i++) {
            limit.answered(0, 100, i, 50, i + 100L);
        }

        assertThat(limit.limit()).isInfinite();
    }

    @Test
    void oneBurstOfDropsCountsOnce() {
        for (int i = 0; i < 10; i++) {
            limit.dropped(100, 40, 200);
        }

        assertThat(limit.limit()).isEqualTo(30);
    }

    @Test
    void aFewCallsAreLetThroughInAnyCase() {
        for (int i = 1; i < 100; i++) {
            limit.dropped(i * 100L, 8, i * 100L + 50);
        }

        assertThat(limit.limit()).isEqualTo(AdaptiveLimit.MIN);
    }

    @Test
    void aTargetThatWasFloodedGetsNoMoreAtOnceWhenItIsBackThanTheFirstDropAllowed() {
        for (int i = 1; i < 20; i++) {
            limit.dropped(i * 100L, 200 / i, i * 100L + 50);
        }
        assertThat(limit.limit()).isLessThan(20);

        limit.recovered();

        assertThat(limit.limit()).isEqualTo(150);
    }

    @Test
    void aTargetThatIsBackAndQuickSoonGetsWhatItCanTake() {
        limit.dropped(100, 8, 150);
        limit.recovered();
        for (int i = 1; i <= 12 * AdaptiveLimit.WINDOW; i++) {
            limit.answered(0, 100, 1_000 + 20 * i, (int) limit.limit(), 1_100 + 20 * i);
        }

        assertThat(limit.limit()).isGreaterThan(200);
    }

    @Test
    void aTargetThatFailedWithoutDroppingCallsHasNoLimitWhenItIsBack() {
        limit.recovered();

        assertThat(limit.limit()).isInfinite();
    }

    @Test
    void aLimitThatWasOnlyTriedWhenTheTargetFailedIsTakenBack() {
        long ms = 0;
        while (limit.limit() == AdaptiveLimit.UNLIMITED) {
            ms += 10;
            limit.answered(0, ms < 10_000 ? 100 : 300, ms, ms < 10_000 ? 10 : 40, ms + 1);
        }

        limit.recovered();

        assertThat(limit.limit()).isInfinite();
    }

    @Test
    void longPromptsAreNotComparedWithShortOnes() {
        for (int i = 0; i < 400; i++) {
            limit.answered(SizeClass.of(true, 100, 0), 100, i, 50, i + 100L);
        }
        for (int i = 400; i < 800; i++) {
            limit.answered(SizeClass.of(true, 100_000, 0), 5_000, i, 50, i + 5_000L);
        }

        assertThat(limit.limit()).isInfinite();
    }

    @Test
    void aFewMillisecondsMoreAreTheNodesOwnWorkAndNoQueueOfAModel() {
        for (int i = 0; i < 400; i++) {
            limit.answered(0, 0.4, i, 16, i + 1L);
        }
        for (int i = 400; i < 4_000; i++) {
            limit.answered(0, 9, i, 64, i + 9L);
        }

        assertThat(limit.limit()).isInfinite();
    }

    /** A collector's pause, a lost packet, a connection pool that is made anew: hundreds of calls are late, and then none. */
    @ParameterizedTest
    @ValueSource(ints = {50, 200, 400})
    void aMomentInWhichAllStoodStillIsNoOverload(int pauseMs) {
        int away = 10_000;
        for (int ms = 0; ms < 2 * away; ms++) {
            boolean standing = ms >= away && ms < away + pauseMs;
            int waitsMs = standing ? away + pauseMs - ms : 0;
            limit.answered(0, 20 + waitsMs, ms, 20 + (standing ? ms - away : 0), ms + 20 + waitsMs);
        }

        assertThat(limit.limit()).isInfinite();
    }

    @Test
    void aTrialThatNobodyEndsIsTakenBack() {
        for (int ms = 0; ms < 2_000; ms += 10) {
            limit.answered(0, 100, ms, 50, ms + 100L);
        }
        for (int ms = 2_000; limit.limit() == AdaptiveLimit.UNLIMITED; ms += 10) {
            limit.answered(0, 500, ms, 50, ms + 500L);
        }
        assertThat(limit.limit()).isEqualTo(25);
        limit.answered(1, 100, 40_000, 10, 40_100);

        assertThat(limit.limit()).isInfinite();
    }
}
