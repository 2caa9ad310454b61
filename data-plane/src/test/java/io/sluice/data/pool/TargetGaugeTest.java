package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.config.Lane;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.routing.BreakerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TargetGaugeTest {
    private static final BreakerSettings SETTINGS = new BreakerSettings(60_000, 0.6, 10, 20, 0.5, 10, 1_000, 3);

    private final TargetGauge gauge = new TargetGauge(FixedLanes.FREE);

    private Breaker halfOpen() {
        Breaker breaker = Breaker.closed(SETTINGS).next(FailureClass.OUT_OF_MEMORY, 0, 0);
        gauge.update(breaker, 1);
        Breaker now = breaker.at(1_000);
        gauge.update(now, 1);
        return now;
    }

    private int acquireAll(int tries) {
        int got = 0;
        for (int i = 0; i < tries; i++) {
            got += gauge.tryAcquire(1_000, Lane.REALTIME) ? 1 : 0;
        }
        return got;
    }

    private static void onThreads(int threads, Runnable work) throws InterruptedException {
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(work);
            running.add(thread);
            thread.start();
        }
        for (Thread thread : running) {
            thread.join();
        }
    }

    @Test
    void neverGivesMorePermitsThanThereAreAndNeverLosesOne() throws InterruptedException {
        AtomicInteger held = new AtomicInteger();
        AtomicInteger worst = new AtomicInteger();
        AtomicInteger lowest = new AtomicInteger();
        onThreads(8, () -> {
            Random random = new Random(Thread.currentThread().getId());
            for (int i = 0; i < 20_000; i++) {
                if (gauge.tryAcquire(5, Lane.REALTIME)) {
                    worst.accumulateAndGet(held.incrementAndGet(), Math::max);
                    if (random.nextInt(64) == 0) {
                        Thread.onSpinWait();
                    }
                    held.decrementAndGet();
                    gauge.release(Lane.REALTIME);
                }
                int seen = gauge.inFlight();
                worst.accumulateAndGet(seen, Math::max);
                lowest.accumulateAndGet(seen, Math::min);
            }
        });

        assertThat(worst.get()).isBetween(1, 5);
        assertThat(lowest.get()).isZero();
        assertThat(gauge.inFlight()).isZero();
    }

    @Test
    void takesNothingWhereItRefuses() {
        gauge.update(Breaker.closed(SETTINGS).next(FailureClass.OUT_OF_MEMORY, 0, 0), 1);

        assertThat(gauge.tryAcquire(5, Lane.REALTIME)).isFalse();
        assertThat(gauge.inFlight()).isZero();
        assertThat(gauge.closedUntilMs()).isEqualTo(1_000);
    }

    @Test
    void br01LetsOnlyTheProbesThroughHoweverManyAsk() throws InterruptedException {
        halfOpen();
        AtomicInteger got = new AtomicInteger();

        onThreads(8, () -> got.addAndGet(acquireAll(100)));

        assertThat(got.get()).isEqualTo(3);
        assertThat(gauge.inFlight()).isEqualTo(3);
        assertThat(gauge.local()).isEqualTo(LocalHealth.FACTOR_PROBING);
    }

    @Test
    void aProbeThatToldNothingCanBeMadeAgainButNeverMoreThanAll() {
        halfOpen();
        acquireAll(10);

        gauge.probeBack();
        assertThat(acquireAll(10)).isEqualTo(1);

        for (int i = 0; i < 10; i++) {
            gauge.probeBack();
        }
        assertThat(acquireAll(10)).isEqualTo(3);
    }

    @Test
    void aNewRoundGivesAllProbesAnewAndTheSameRoundNone() {
        Breaker round = halfOpen();
        acquireAll(10);

        gauge.update(round.next(null, 1_100, 0), 1);
        assertThat(acquireAll(10)).isZero();

        gauge.update(round.at(2_000), 1);
        assertThat(acquireAll(10)).isEqualTo(3);
    }

    @Test
    void aPermitThatWasRefusedForWantOfAProbeIsGivenBack() {
        halfOpen();
        acquireAll(10);

        assertThat(gauge.inFlight()).isEqualTo(3);
        assertThat(gauge.breaker()).isEqualTo(BreakerState.HALF_OPEN);
    }

    private int acquireAll(TargetGauge of, int max, Lane lane) {
        int got = 0;
        while (of.tryAcquire(max, lane)) {
            got++;
        }
        return got;
    }

    @Test
    void batchNeverGetsTheLastPermits() {
        assertThat(acquireAll(gauge, 20, Lane.BATCH)).isEqualTo(18);
        assertThat(acquireAll(gauge, 20, Lane.REALTIME)).isEqualTo(2);
    }

    @Test
    void batchGetsNoMoreThanItsShare() {
        assertThat(acquireAll(new TargetGauge(FixedLanes.batch(0.5)), 20, Lane.BATCH))
                .isEqualTo(10);
    }

    @Test
    void batchGetsTheOnlyPermitThereIs() {
        assertThat(acquireAll(new TargetGauge(FixedLanes.batch(0.1)), 1, Lane.BATCH))
                .isEqualTo(1);
    }

    @Test
    void realtimeLeavesSomeToBatchThatWaits() {
        TargetGauge wanted = new TargetGauge(new FixedLanes(0.5, 0.1, () -> {}));

        assertThat(acquireAll(wanted, 20, Lane.REALTIME)).isEqualTo(18);
        assertThat(acquireAll(wanted, 20, Lane.BATCH)).isZero();
    }

    @Test
    void realtimeMayHaveAll() {
        assertThat(acquireAll(new TargetGauge(FixedLanes.batch(0.5)), 20, Lane.REALTIME))
                .isEqualTo(20);
    }

    @Test
    void aLimitThatWasLearntHoldsBelowTheConfiguredOne() {
        gauge.limited(7.9);

        assertThat(acquireAll(gauge, 20, Lane.REALTIME)).isEqualTo(7);
        assertThat(gauge.limit(20, Lane.REALTIME)).isEqualTo(7);
        assertThat(gauge.limit()).isEqualTo(7);
    }

    @Test
    void theConfiguredLimitHoldsBelowALearntOne() {
        gauge.limited(AdaptiveLimit.UNLIMITED);

        assertThat(acquireAll(gauge, 20, Lane.REALTIME)).isEqualTo(20);
        assertThat(gauge.limit(20, Lane.REALTIME)).isEqualTo(20);
    }

    @Test
    void whatIsGivenBackIsSaidOnce() {
        AtomicInteger said = new AtomicInteger();
        TargetGauge heard = new TargetGauge(new FixedLanes(1, 0, said::incrementAndGet));
        heard.tryAcquire(5, Lane.BATCH);
        heard.release(Lane.BATCH);

        assertThat(said.get()).isEqualTo(1);
        assertThat(heard.inFlight()).isZero();
        assertThat(heard.batchInFlight()).isZero();
    }
}
