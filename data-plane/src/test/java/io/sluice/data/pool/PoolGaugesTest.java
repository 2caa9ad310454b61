package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.money.PriceBook;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.UpstreamQuota;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The panic rule (ejection never empties a pool) and who is new to a pool. */
class PoolGaugesTest {
    private static final PoolSettings SETTINGS = PoolSettings.DEFAULT;

    private static final CompiledPool POOL = new CompiledPool(
            id("pool"), "1", Tier.STANDARD, List.of(target("a", 100), target("b", 100), target("out", 0)));

    private final AtomicLong nowMs = new AtomicLong(1_000_000);
    private final PoolGauges gauges = new PoolGauges(SETTINGS, (target, gauge) -> {}, nowMs::get);

    private static ScopedId id(String name) {
        return new ScopedId(new TenantId("t"), name);
    }

    private static CompiledTarget target(String key, int weight) {
        return new CompiledTarget(
                key,
                id("p"),
                id("m"),
                "m",
                weight,
                8_000,
                1_000,
                true,
                true,
                true,
                64,
                new UpstreamQuota(key, null, null),
                PriceBook.EMPTY,
                null);
    }

    /** Opens a target's breaker by ten failures in a row. */
    private void open(String key, FailureClass failure) {
        Breaker breaker = Breaker.closed(SETTINGS.breaker());
        for (int i = 0; i < 10; i++) {
            breaker = breaker.next(failure, nowMs.get(), 0);
        }
        gauges.of(key).update(breaker, 1);
        gauges.opened(nowMs.get());
    }

    @Test
    void nobodyIsAskedEarlyWhileOneOfThePoolServes() {
        open("a", FailureClass.NETWORK);
        nowMs.addAndGet(5_000);

        assertThat(gauges.returning(POOL)).isNull();
    }

    @Test
    void theFirstToReturnIsAskedWhereAllWithWeightAreOpen() {
        open("b", FailureClass.NETWORK);
        nowMs.addAndGet(1);
        open("a", FailureClass.NETWORK);
        assertThat(gauges.returning(POOL)).as("left alone at first").isNull();

        nowMs.addAndGet(1_000);
        assertThat(gauges.returning(POOL)).isEqualTo("b");
    }

    @Test
    void whoMustBeLeftAloneIsNotTheOne() {
        open("b", FailureClass.RATE_LIMITED);
        nowMs.addAndGet(1);
        open("a", FailureClass.NETWORK);
        nowMs.addAndGet(1_000);

        assertThat(gauges.returning(POOL)).isEqualTo("a");
    }

    @Test
    void onlyOneCallPerIntervalIsLetThroughHoweverManyAsk() throws InterruptedException {
        open("a", FailureClass.NETWORK);
        open("b", FailureClass.NETWORK);
        AtomicInteger taken = new AtomicInteger();
        for (int second = 1; second <= 3; second++) {
            nowMs.addAndGet(1_000);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                threads.add(new Thread(() -> {
                    for (int n = 0; n < 100; n++) {
                        taken.addAndGet(gauges.tryAcquireEarly(gauges.of("a"), 64, Lane.REALTIME) ? 1 : 0);
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(taken.get()).isEqualTo(second);
            assertThat(gauges.returning(POOL)).as("until the next interval").isNull();
        }
        assertThat(gauges.inFlight()).isEqualTo(3);
    }

    @Test
    void aTargetThatIsThereFromTheStartHasItsWholeWeight() {
        assertThat(gauges.of("a").local()).isEqualTo(1);
        nowMs.addAndGet(900);
        assertThat(gauges.of("b").local()).isEqualTo(1);
    }

    @Test
    void aTargetThatComesWhileThePoolServesBeginsWithATenth() {
        gauges.of("a");
        nowMs.addAndGet(60_000);

        assertThat(gauges.of("b").local()).isEqualTo(0.1);
    }

    @Test
    void targetsWithWeightAreInUseWhileALadderHoldsTheirPool() {
        assertThat(gauges.inUse(nowMs.get())).isEmpty();

        gauges.used(POOL, nowMs.get());

        assertThat(gauges.inUse(nowMs.get() + 300_000))
                .extracting(CompiledTarget::key)
                .containsExactly("a", "b");
        assertThat(gauges.inUse(nowMs.get() + 300_001)).isEmpty();
    }
}
