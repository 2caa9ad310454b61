package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.failure.BreakerEffect;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.routing.BreakerState;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Requirement A3, pure: what opens a breaker, how long, and what closes it again. */
class BreakerTest {
    /** 12 s by time at 60 % of at least 10, 20 calls by count at 50 %, 10 of one class in a row, open 5 s, 3 probes. */
    private static final BreakerSettings SETTINGS = new BreakerSettings(12_000, 0.6, 10, 20, 0.5, 10, 5_000, 3);

    private static final long T0 = 1_000_000;

    /** Two failure classes in turn, so that no row of one class grows. */
    private static FailureClass mixed(int i) {
        return i % 2 == 0 ? FailureClass.NETWORK : FailureClass.UPSTREAM_INTERNAL;
    }

    private static Breaker feed(Breaker breaker, int failures, int successes, long nowMs) {
        Breaker fed = breaker;
        for (int i = 0; i < successes; i++) {
            fed = fed.next(null, nowMs, 0);
        }
        for (int i = 0; i < failures; i++) {
            fed = fed.next(mixed(i), nowMs, 0);
        }
        return fed;
    }

    private static Breaker open() {
        return Breaker.closed(SETTINGS).next(FailureClass.OUT_OF_MEMORY, T0, 0);
    }

    @Test
    void opensByTimeAtTheShareOfFailures() {
        assertThat(feed(Breaker.closed(SETTINGS), 5, 4, T0).state()).isEqualTo(BreakerState.CLOSED);
        assertThat(feed(Breaker.closed(SETTINGS), 6, 4, T0).state()).isEqualTo(BreakerState.OPEN);
    }

    private static Breaker openedBy(FailureClass failure, long holdMs) {
        Breaker breaker = Breaker.closed(SETTINGS);
        for (int i = 0; i < 10; i++) {
            breaker = breaker.next(failure, T0, holdMs);
        }
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        return breaker;
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"NETWORK", "UPSTREAM_INTERNAL", "OVERLOADED", "TIMEOUT_FIRST_TOKEN", "TIMEOUT_TOTAL"})
    void troubleOfTheTargetMayBeOverAtAnyMoment(FailureClass failure) {
        assertThat(openedBy(failure, 0).mayBeAskedEarly()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"RATE_LIMITED", "QUOTA_EXHAUSTED", "OUT_OF_MEMORY", "AUTH"})
    void whoRefusesForItsQuotaMemoryOrCredentialIsLeftAlone(FailureClass failure) {
        assertThat(openedBy(failure, 0).mayBeAskedEarly()).isFalse();
    }

    @Test
    void whoNamedATimeIsLeftAloneUntilThen() {
        assertThat(openedBy(FailureClass.OVERLOADED, 60_000).mayBeAskedEarly()).isFalse();
        assertThat(openedBy(FailureClass.OVERLOADED, 0).hold(T0, 60_000).mayBeAskedEarly())
                .isFalse();
        assertThat(Breaker.closed(SETTINGS).hold(T0, 60_000).mayBeAskedEarly()).isFalse();
    }

    @Test
    void anEarlyAnswerIsTheFirstProbeThatPassed() {
        Breaker answered = openedBy(FailureClass.NETWORK, 0).answeredEarly(T0 + 1_000);
        assertThat(answered.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(answered.probesPassed()).isEqualTo(1);

        Breaker closed = answered.next(null, T0 + 1_001, 0).next(null, T0 + 1_002, 0);
        assertThat(closed.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(closed.answeredEarly(T0 + 1_003)).isSameAs(closed);
    }

    @Test
    void anEarlyFailureLeavesTheOpeningAsItIs() {
        Breaker open = openedBy(FailureClass.NETWORK, 0);

        assertThat(open.next(FailureClass.NETWORK, T0 + 1_000, 0)).isSameAs(open);
    }

    @Test
    void forgetsFailuresThatAreOlderThanTheTimeWindow() {
        Breaker old = feed(Breaker.closed(SETTINGS), 5, 4, T0);

        Breaker later = feed(old, 4, 0, T0 + 14_000);

        assertThat(later.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void opensByCountHoweverLongItTook() {
        Breaker breaker = Breaker.closed(SETTINGS);
        for (int i = 0; i < 19; i++) {
            breaker = breaker.next(i % 2 == 0 ? null : mixed(i / 2), T0 + i * 60_000L, 0);
        }
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);

        assertThat(breaker.next(FailureClass.AUTH, T0 + 20 * 60_000L, 0).state())
                .isEqualTo(BreakerState.OPEN);
    }

    @Test
    void aUsableCallOpensNothingThoughTheNextFailureDoes() {
        Breaker breaker = Breaker.closed(SETTINGS);
        for (int i = 0; i < 20; i++) {
            breaker = breaker.next(i < 10 ? mixed(i) : null, T0 + i * 60_000L, 0);
        }
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.next(FailureClass.NETWORK, T0 + 1_200_000L, 0).state())
                .isEqualTo(BreakerState.OPEN);
    }

    @Test
    void countsTheLastCallsOnly() {
        Breaker breaker = Breaker.closed(SETTINGS);
        for (int i = 0; i < 200; i++) {
            breaker = breaker.next(i % 20 < 9 ? mixed(i) : null, T0 + i * 60_000L, 0);
            assertThat(breaker.state()).as("call %d", i).isEqualTo(BreakerState.CLOSED);
        }
    }

    @Test
    void opensAfterARowOfOneClass() {
        BreakerSettings rowOnly = new BreakerSettings(12_000, 1, 1_000, 64, 1, 10, 5_000, 3);
        Breaker breaker = Breaker.closed(rowOnly);
        for (int i = 0; i < 9; i++) {
            breaker = breaker.next(FailureClass.RATE_LIMITED, T0, 0);
        }
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.next(null, T0, 0).inRow()).isZero();
        assertThat(breaker.next(FailureClass.NETWORK, T0, 0).inRow()).isEqualTo(1);
        assertThat(breaker.next(FailureClass.RATE_LIMITED, T0, 0).state()).isEqualTo(BreakerState.OPEN);
    }

    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void doesWhatTheClassSays(FailureClass failure) {
        Breaker one = Breaker.closed(SETTINGS).next(failure, T0, 0);
        Breaker many = Breaker.closed(SETTINGS);
        for (int i = 0; i < 100; i++) {
            many = many.next(failure, T0, 0);
        }

        assertThat(one.state() == BreakerState.OPEN).isEqualTo(failure.breaker() == BreakerEffect.OPEN);
        assertThat(many.state() == BreakerState.CLOSED).isEqualTo(failure.breaker() == BreakerEffect.NONE);
    }

    @Test
    void isHalfOpenWhenItsTimeIsOverAndNotBefore() {
        assertThat(open().at(T0 + 4_999).state()).isEqualTo(BreakerState.OPEN);
        assertThat(open().at(T0 + 5_000).state()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void staysOpenAsLongAsTheProviderAsked() {
        Breaker asked = Breaker.closed(SETTINGS).next(FailureClass.QUOTA_EXHAUSTED, T0, 60_000);

        assertThat(asked.at(T0 + 59_999).state()).isEqualTo(BreakerState.OPEN);
        assertThat(asked.at(T0 + 60_000).state()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void closesWhenAllProbesHaveSucceeded() {
        Breaker halfOpen = open().at(T0 + 5_000);
        Breaker two = halfOpen.next(null, T0 + 5_001, 0).next(null, T0 + 5_002, 0);

        assertThat(two.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(two.next(null, T0 + 5_003, 0).state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void opensAgainWhenOneProbeFails() {
        Breaker again = open().at(T0 + 5_000).next(null, T0 + 5_001, 0).next(FailureClass.NETWORK, T0 + 5_002, 0);

        assertThat(again.state()).isEqualTo(BreakerState.OPEN);
        assertThat(again.untilMs()).isEqualTo(T0 + 10_002);
    }

    @Test
    void probesThatToldNothingAreGivenAnew() {
        Breaker halfOpen = open().at(T0 + 5_000);
        Breaker undecided = halfOpen.next(FailureClass.CANCELLED, T0 + 5_001, 0);

        assertThat(undecided.at(T0 + 9_999).untilMs()).isEqualTo(halfOpen.untilMs());
        assertThat(undecided.at(T0 + 10_000).untilMs()).isGreaterThan(halfOpen.untilMs());
        assertThat(undecided.at(T0 + 10_000).state()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void leavesATargetAloneThatAskedForItAndThenGoesOnAsBefore() {
        Breaker failing = feed(Breaker.closed(SETTINGS), 5, 4, T0);

        Breaker held = failing.hold(T0, 2_000);

        assertThat(held.state()).isEqualTo(BreakerState.OPEN);
        assertThat(held.at(T0 + 1_999).state()).isEqualTo(BreakerState.OPEN);
        assertThat(held.at(T0 + 2_000).state()).isEqualTo(BreakerState.CLOSED);
        assertThat(feed(held.at(T0 + 2_000), 3, 0, T0 + 2_000).state())
                .as("the windows were kept")
                .isEqualTo(BreakerState.OPEN);
    }

    @Test
    void anOpeningIsNeverShortenedByAPause() {
        assertThat(open().hold(T0 + 1, 1_000).at(T0 + 4_999).state()).isEqualTo(BreakerState.OPEN);
        assertThat(open().hold(T0 + 1, 9_000).at(T0 + 9_000).state()).isEqualTo(BreakerState.OPEN);
        assertThat(open().hold(T0 + 1, 9_000).at(T0 + 9_001).state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(Breaker.closed(SETTINGS).hold(T0, 0).state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void neverGetsStuckWhateverHappens() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            FailureClass[] classes = FailureClass.values();
            Breaker breaker = Breaker.closed(SETTINGS);
            long now = T0;
            for (int i = 0; i < 300; i++) {
                now += random.nextInt(3_000);
                FailureClass failure = random.nextBoolean() ? null : classes[random.nextInt(classes.length)];
                breaker = breaker.at(now).next(failure, now, random.nextInt(4) == 0 ? 1_000 : 0);
                breaker = failure == null ? breaker : breaker.hold(now, random.nextInt(3) * 500L);
            }
            for (int i = 0; i < 4; i++) {
                now += 5_000;
                breaker = feed(breaker.at(now), 0, 3, now);
            }
            assertThat(breaker.state()).as("seed %d", seed).isEqualTo(BreakerState.CLOSED);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "timeWindowMs, 999, 0.6, 10, 20, 0.5, 10, 1, 3",
        "timeRate, 60000, 0, 10, 20, 0.5, 10, 1, 3",
        "timeRate, 60000, 1.01, 10, 20, 0.5, 10, 1, 3",
        "timeRate, 60000, NaN, 10, 20, 0.5, 10, 1, 3",
        "timeCallsMin, 60000, 0.6, 0, 20, 0.5, 10, 1, 3",
        "countWindow, 60000, 0.6, 10, 1, 0.5, 10, 1, 3",
        "countWindow, 60000, 0.6, 10, 65, 0.5, 10, 1, 3",
        "countRate, 60000, 0.6, 10, 20, -0.5, 10, 1, 3",
        "consecutiveMax, 60000, 0.6, 10, 20, 0.5, 0, 1, 3",
        "openMs, 60000, 0.6, 10, 20, 0.5, 10, -1, 3",
        "probesMax, 60000, 0.6, 10, 20, 0.5, 10, 1, 0"
    })
    void br03RefusesSettingsUnderWhichItCouldNeverOpenOrClose(
            String field, long window, double rate, int min, int count, double share, int row, long open, int probes) {
        assertThatThrownBy(() -> new BreakerSettings(window, rate, min, count, share, row, open, probes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field);
    }

    @Test
    void countsTheLargestWindowRight() {
        BreakerSettings largest = new BreakerSettings(60_000, 1, 1_000, 64, 0.5, 1_000, 5_000, 1);
        Breaker breaker = Breaker.closed(largest);
        for (int i = 0; i < 63; i++) {
            breaker = breaker.next(i % 2 == 0 ? null : FailureClass.NETWORK, T0, 0);
        }
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.next(FailureClass.NETWORK, T0, 0).state()).isEqualTo(BreakerState.OPEN);
    }
}
