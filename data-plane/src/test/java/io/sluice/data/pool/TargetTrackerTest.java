package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.shift.ScenarioKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TargetTrackerTest {
    private static final BreakerSettings SETTINGS = new BreakerSettings(60_000, 0.6, 10, 20, 0.5, 3, 1_000, 2);

    private static final PoolSettings POOL =
            new PoolSettings(SETTINGS, RetrySettings.DEFAULT, QueueSettings.DEFAULT, 1_000, 30_000, 30_000);

    private static final ScenarioKey CHAT = new ScenarioKey(new TenantId("t"), "chat");

    private final TargetGauge gauge = new TargetGauge(FixedLanes.FREE);
    private final TargetTracker tracker = new TargetTracker("p/m", gauge, POOL);

    private static CallObserved call(FailureClass failure, boolean first, long retryAfterMs) {
        return call(failure, first, 5, 0, retryAfterMs, 1);
    }

    private static CallObserved call(
            FailureClass failure, boolean first, double firstTokenMs, double ownDelayMs, long retryAfterMs, int load) {
        return new CallObserved(
                new ScopedId(new TenantId("t"), "pool"),
                "p/m",
                failure,
                first,
                firstTokenMs,
                ownDelayMs,
                10,
                retryAfterMs,
                false,
                0,
                load,
                CHAT,
                "first");
    }

    private void observe(FailureClass failure, int times) {
        for (int i = 0; i < times; i++) {
            tracker.observe(call(failure, true, 0), 0);
        }
    }

    @Test
    void opensAndClosesTheGaugeAndRecoversSmoothly() {
        observe(FailureClass.NETWORK, 3);
        assertThat(gauge.breaker()).isEqualTo(BreakerState.OPEN);
        assertThat(tracker.dueMs()).isEqualTo(1_000);

        tracker.tick(1_000);
        assertThat(gauge.breaker()).isEqualTo(BreakerState.HALF_OPEN);

        observe(null, 2);
        assertThat(gauge.breaker()).isEqualTo(BreakerState.CLOSED);
        assertThat(gauge.local()).isEqualTo(LocalHealth.RECOVERING.factor());
    }

    @Test
    void aRecoveredTargetTakesItsShareOverTheSlowStart() {
        observe(FailureClass.NETWORK, 3);
        tracker.tick(1_000);
        tracker.observe(call(null, true, 0), 1_000);
        tracker.observe(call(null, true, 0), 1_000);
        for (int i = 0; i < 50; i++) {
            tracker.observe(call(null, true, 0), 1_000);
        }
        tracker.tick(16_000);
        double half = gauge.local();
        TargetState before = tracker.drain(16_000).state();
        tracker.tick(31_000);

        assertThat(half).isBetween(0.49, 0.54);
        assertThat(before).isEqualTo(TargetState.WARMING);
        assertThat(gauge.local()).isEqualTo(1);
        assertThat(tracker.drain(31_000).state()).isEqualTo(TargetState.SERVING);
    }

    @Test
    void aTargetThatIsNewToItsPoolTakesItsShareOverTheSlowStart() {
        TargetGauge made = TargetGauge.warmingSince(FixedLanes.FREE, 5_000);
        TargetTracker newcomer = new TargetTracker("p/n", made, POOL);
        assertThat(made.local()).isEqualTo(SlowStart.FACTOR_MIN);

        newcomer.tick(14_000);
        assertThat(made.local()).isEqualTo(0.3);
        assertThat(newcomer.drain(14_000).state()).isEqualTo(TargetState.WARMING);

        newcomer.tick(35_000);
        assertThat(made.local()).isEqualTo(1);
    }

    @Test
    void isPingedOnlyWhereItHasBeenIdle() {
        assertThat(tracker.pingDue(0)).as("never called").isTrue();
        assertThat(tracker.pingDue(29_999)).isFalse();
        assertThat(tracker.pingDue(30_000)).isTrue();
        tracker.observe(call(null, true, 0), 50_000);
        assertThat(tracker.pingDue(79_999)).isFalse();
        assertThat(tracker.pingDue(80_000)).isTrue();
    }

    @Test
    void isNeverPingedWhereItsBreakerIsOpenOrPingsAreOff() {
        observe(FailureClass.NETWORK, 3);
        TargetTracker off = new TargetTracker(
                "p/m",
                new TargetGauge(FixedLanes.FREE),
                new PoolSettings(SETTINGS, RetrySettings.DEFAULT, QueueSettings.DEFAULT, 1_000, 30_000, 0));

        assertThat(tracker.pingDue(500_000)).isFalse();
        assertThat(off.pingDue(500_000)).isFalse();
    }

    @Test
    void failedPingsLowerTheWeightUntilOneSucceedsOrARequestIsAnswered() {
        for (int i = 0; i < 50; i++) {
            tracker.pinged(false, 0);
        }
        assertThat(gauge.local()).isEqualTo(LocalHealth.FACTOR_MIN);
        assertThat(gauge.breaker()).isEqualTo(BreakerState.CLOSED);
        tracker.pinged(true, 0);
        assertThat(gauge.local()).isEqualTo(1);
        tracker.pinged(false, 0);
        assertThat(gauge.local()).isEqualTo(0.5);
        observe(null, 1);
        assertThat(gauge.local()).isEqualTo(1);
        assertThat(tracker.drain(0).usable()).as("pings are no calls").isEqualTo(1);
    }

    @Test
    void saysOnceThatTheBreakerOpened() {
        assertThat(tracker.observe(call(FailureClass.NETWORK, true, 0), 0)).isFalse();
        assertThat(tracker.observe(call(FailureClass.NETWORK, true, 0), 0)).isFalse();
        assertThat(tracker.observe(call(FailureClass.NETWORK, true, 0), 0)).isTrue();
        assertThat(tracker.observe(call(FailureClass.NETWORK, true, 0), 0)).isFalse();
    }

    @Test
    void aPauseThatTheProviderNamedIsNoOpening() {
        assertThat(tracker.observe(call(FailureClass.RATE_LIMITED, true, 500), 0))
                .isFalse();
    }

    @Test
    void repeatsLowerHealthButNeverOpenTheBreaker() {
        for (int i = 0; i < 100; i++) {
            tracker.observe(call(FailureClass.NETWORK, false, 0), 0);
        }

        assertThat(gauge.breaker()).isEqualTo(BreakerState.CLOSED);
        assertThat(gauge.local()).isEqualTo(LocalHealth.FACTOR_MIN);
    }

    @Test
    void aRepeatIsAProbeLikeAnyOther() {
        observe(FailureClass.NETWORK, 3);
        tracker.tick(1_000);

        tracker.observe(call(FailureClass.NETWORK, false, 0), 1_001);

        assertThat(gauge.breaker()).isEqualTo(BreakerState.OPEN);
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"RATE_LIMITED", "OVERLOADED"})
    void rf03ATargetThatNamesATimeIsNotCalledBefore(FailureClass failure) {
        tracker.observe(call(failure, true, 42_000), 0);
        assertThat(gauge.tryAcquire(10, Lane.REALTIME)).isFalse();
        assertThat(gauge.closedUntilMs()).isEqualTo(42_000);

        tracker.tick(41_999);
        assertThat(gauge.tryAcquire(10, Lane.REALTIME)).isFalse();

        tracker.tick(42_000);
        assertThat(gauge.tryAcquire(10, Lane.REALTIME)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"NETWORK", "UPSTREAM_INTERNAL", "BAD_REQUEST", "SEMANTIC", "CANCELLED"})
    void whatIsRepeatedWithinItsRequestOrNotTheTargetsFaultIsNotHeld(FailureClass failure) {
        tracker.observe(call(failure, true, 42_000), 0);

        assertThat(gauge.tryAcquire(10, Lane.REALTIME)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"CANCELLED", "BAD_REQUEST", "CONTENT_FILTER", "SEMANTIC", "CONTEXT_LENGTH"})
    void probesThatSayNothingAboutTheTargetDoNotKeepItOutForEver(FailureClass failure) {
        observe(FailureClass.NETWORK, 3);
        tracker.tick(1_000);
        for (int i = 0; i < 20; i++) {
            assertThat(gauge.tryAcquire(10, Lane.REALTIME)).as("probe %d", i).isTrue();
            gauge.release(Lane.REALTIME);
            tracker.observe(call(failure, true, 0), 1_001);
        }

        observe(null, 2);
        assertThat(gauge.breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void reportsEveryCallOnce() {
        observe(null, 4);
        observe(FailureClass.NETWORK, 2);
        observe(FailureClass.CANCELLED, 1);

        TargetWindow window = tracker.drain(0);

        assertThat(window.usable()).isEqualTo(4);
        assertThat(window.failures())
                .containsEntry(FailureClass.NETWORK, 2L)
                .containsEntry(FailureClass.CANCELLED, 1L)
                .hasSize(2);
        assertThat(window.unusable()).isEqualTo(2);
        assertThat(window.state()).isEqualTo(TargetState.WARMING);
        assertThat(tracker.drain(0).usable()).isZero();
        assertThat(tracker.drain(0).failures()).isEmpty();
    }

    private static CallObserved among(int load, FailureClass failure) {
        return call(failure, true, 5, 0, 0, load);
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"RATE_LIMITED", "OVERLOADED", "TIMEOUT_FIRST_TOKEN"})
    void aCallThatTheTargetDropsLowersItsLimit(FailureClass dropped) {
        tracker.observe(among(40, dropped), 1_000);

        assertThat(gauge.limit(100, Lane.REALTIME)).isEqualTo(30);
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"RATE_LIMITED", "OVERLOADED", "TIMEOUT_FIRST_TOKEN"})
    void otherFailuresSayNothingAboutHowManyItTakes(FailureClass failure) {
        tracker.observe(among(40, failure), 1_000);

        assertThat(gauge.limit(100, Lane.REALTIME)).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource({"0, 50", "150, 100"})
    void aTimeThatMayBeTheNodesOwnSaysNothingAboutHowManyItTakes(double ownDelayMs, int limit) {
        for (long ms = 0; ms < 2_000; ms += 10) {
            tracker.observe(call(null, true, 20, 0, 0, 100), ms);
        }
        for (long ms = 2_000; ms < 3_000; ms += 10) {
            tracker.observe(call(null, true, 180, ownDelayMs, 0, 100), ms);
        }

        assertThat(gauge.limit(100, Lane.REALTIME)).isEqualTo(limit);
    }

    @Test
    void aClosedBreakerLeavesTheLimitOfTheFirstDropOnly() {
        for (int i = 0; i < 3; i++) {
            tracker.observe(among(40, FailureClass.OVERLOADED), 1_000);
        }
        tracker.tick(2_000);
        tracker.observe(among(1, null), 2_100);
        tracker.observe(among(1, null), 2_200);

        assertThat(gauge.breaker()).isEqualTo(BreakerState.CLOSED);
        assertThat(gauge.limit(100, Lane.REALTIME)).isEqualTo(30);
    }
}
