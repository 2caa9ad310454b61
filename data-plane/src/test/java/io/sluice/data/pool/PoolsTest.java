package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.data.seeing.PoolMeters;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.sluice.tenants.message.BusMessage.PoolReported;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.shift.ScenarioKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolsTest {
    private static final BreakerSettings SETTINGS = new BreakerSettings(60_000, 0.6, 10, 20, 0.5, 3, 200, 2);

    private static final PoolSettings POOL =
            new PoolSettings(SETTINGS, RetrySettings.DEFAULT, QueueSettings.DEFAULT, 1_000, 1_000, 0);

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final Pools pools = new Pools(
            vertx,
            bus,
            "node",
            POOL,
            new PoolMeters(new SimpleMeterRegistry()),
            target -> Future.succeededFuture(false),
            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));

    private static ScopedId pool(int n) {
        return new ScopedId(new TenantId("t"), "pool" + n);
    }

    private static CallObserved call(int pool, FailureClass failure) {
        return new CallObserved(
                pool(pool),
                "p/m",
                failure,
                true,
                1,
                0,
                2,
                0,
                false,
                0,
                1,
                new ScenarioKey(new TenantId("T1"), "chat"),
                "first");
    }

    private static void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(10);
        }
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** The actor of a pool starts with its first call, and that call counts. */
    @Test
    void reportsTheVeryFirstCallsOfAPoolToo() throws Exception {
        AtomicLong reported = new AtomicLong();
        bus.on(
                        Address.POOL_REPORTS,
                        (PoolReported report) ->
                                report.targets().forEach(target -> reported.addAndGet(target.usable())))
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        for (int i = 0; i < 50; i++) {
            pools.observe(call(i, null));
            pools.observe(call(i, null));
        }

        eventually("all are reported", () -> reported.get() == 100);
    }

    @Test
    void anOpenBreakerIsHalfOpenWhenItSaidSo() throws Exception {
        TargetGauge gauge = pools.gauges(pool(1)).of("p/m");
        pools.observe(call(1, FailureClass.OUT_OF_MEMORY));
        eventually("open", () -> gauge.breaker() == BreakerState.OPEN);
        long until = gauge.closedUntilMs();

        eventually("half-open", () -> gauge.breaker() == BreakerState.HALF_OPEN);

        assertThat(pools.nowMs()).isGreaterThanOrEqualTo(until);
    }

    @Test
    void aPoolThatIsNotConfiguredAnyMoreIsReportedNoMore() throws Exception {
        Map<ScopedId, Integer> reports = new ConcurrentHashMap<>();
        bus.on(Address.POOL_REPORTS, (PoolReported report) -> reports.merge(report.pool(), 1, Integer::sum))
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        pools.observe(call(1, null));
        pools.observe(call(2, null));
        eventually("both report", () -> reports.size() == 2);
        int running = vertx.deploymentIDs().size();

        pools.retain(pool(2)::equals);

        eventually("one actor is left", () -> vertx.deploymentIDs().size() == running - 1);
        int before = reports.get(pool(1));
        int other = reports.get(pool(2));
        eventually("the other goes on", () -> reports.get(pool(2)) >= other + 2);
        assertThat(reports.get(pool(1))).isLessThanOrEqualTo(before + 1); // one may have been on its way
    }

    @Test
    void countsWhatIsInFlightOverAllPools() {
        assertThat(pools.gauges(pool(1)).of("a").tryAcquire(3, Lane.REALTIME)).isTrue();
        assertThat(pools.gauges(pool(1)).of("b").tryAcquire(3, Lane.REALTIME)).isTrue();
        assertThat(pools.gauges(pool(2)).of("a").tryAcquire(3, Lane.REALTIME)).isTrue();

        assertThat(pools.gauges(pool(1)).inFlight()).isEqualTo(2);
        assertThat(pools.inFlight()).isEqualTo(3);
    }
}
