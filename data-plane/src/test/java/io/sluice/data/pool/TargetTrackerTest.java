package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.sluice.tenants.routing.BreakerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TargetTrackerTest {
    private static final BreakerSettings SETTINGS = new BreakerSettings(60_000, 0.6, 10, 20, 0.5, 3, 1_000, 2);

    private final TargetGauge gauge = new TargetGauge();
    private final TargetTracker tracker = new TargetTracker("p/m", gauge, SETTINGS);

    private static CallObserved call(FailureClass failure, boolean first, long retryAfterMs) {
        return new CallObserved(new ScopedId(new TenantId("t"), "pool"), "p/m", failure, first, 5, 10, retryAfterMs);
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
        assertThat(gauge.tryAcquire(10)).isFalse();
        assertThat(gauge.closedUntilMs()).isEqualTo(42_000);

        tracker.tick(41_999);
        assertThat(gauge.tryAcquire(10)).isFalse();

        tracker.tick(42_000);
        assertThat(gauge.tryAcquire(10)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"NETWORK", "UPSTREAM_INTERNAL", "BAD_REQUEST", "SEMANTIC", "CANCELLED"})
    void whatIsRepeatedWithinItsRequestOrNotTheTargetsFaultIsNotHeld(FailureClass failure) {
        tracker.observe(call(failure, true, 42_000), 0);

        assertThat(gauge.tryAcquire(10)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"CANCELLED", "BAD_REQUEST", "CONTENT_FILTER", "SEMANTIC", "CONTEXT_LENGTH"})
    void probesThatSayNothingAboutTheTargetDoNotKeepItOutForEver(FailureClass failure) {
        observe(FailureClass.NETWORK, 3);
        tracker.tick(1_000);
        for (int i = 0; i < 20; i++) {
            assertThat(gauge.tryAcquire(10)).as("probe %d", i).isTrue();
            gauge.release();
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

        TargetWindow window = tracker.drain();

        assertThat(window.usable()).isEqualTo(4);
        assertThat(window.failures())
                .containsEntry(FailureClass.NETWORK, 2L)
                .containsEntry(FailureClass.CANCELLED, 1L)
                .hasSize(2);
        assertThat(window.unusable()).isEqualTo(2);
        assertThat(window.state()).isEqualTo(TargetState.WARMING);
        assertThat(tracker.drain().usable()).isZero();
        assertThat(tracker.drain().failures()).isEmpty();
    }
}
