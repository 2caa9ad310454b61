package io.sluice.data.pool;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.sluice.tenants.message.BusMessage.PoolReported;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Owns one pool's state on one node: breakers, fast health and report windows of all its targets. On one loop, because a
 * breaker's windows are only right if the calls are counted one after another.
 *
 * <p>In: {@link CallObserved} from requests on this node. Out: {@link PoolReported} to the health actor once per interval;
 * {@link TargetGauge}s for requests.
 */
public final class PoolActor extends VerticleBase {
    /** Operators see a change within a second (design: the slow loop runs once a second). */
    static final long REPORT_MS = 1_000;

    private final Bus bus;
    private final String node;
    private final ScopedId pool;
    private final PoolGauges gauges;
    private final BreakerSettings settings;
    private final LongSupplier clockMs;
    private final Map<String, TargetTracker> targets = new HashMap<>();

    /**
     * The actor of one pool.
     *
     * @param clockMs milliseconds of a clock that never goes back
     */
    public PoolActor(
            Bus bus, String node, ScopedId pool, PoolGauges gauges, BreakerSettings settings, LongSupplier clockMs) {
        this.bus = bus;
        this.node = node;
        this.pool = pool;
        this.gauges = gauges;
        this.settings = settings;
        this.clockMs = clockMs;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(REPORT_MS, timer -> tick());
        return bus.on(Address.observations(node, pool), this::onCallObserved);
    }

    private void onCallObserved(CallObserved call) {
        TargetTracker target = tracker(call.target());
        long before = target.dueMs();
        long now = clockMs.getAsLong();
        target.observe(call, now);
        if (target.dueMs() > before) {
            // callers were told this very moment to come back: the report's tick would be up to a second late
            vertx.setTimer(target.dueMs() - now + 1, due -> target.tick(clockMs.getAsLong()));
        }
    }

    private TargetTracker tracker(String key) {
        return targets.computeIfAbsent(key, made -> new TargetTracker(made, gauges.of(made), settings));
    }

    private void tick() {
        long now = clockMs.getAsLong();
        targets.values().forEach(target -> target.tick(now));
        if (!targets.isEmpty()) {
            bus.send(
                    Address.POOL_REPORTS,
                    new PoolReported(
                            pool,
                            node,
                            now,
                            List.copyOf(targets.values().stream()
                                    .map(TargetTracker::drain)
                                    .toList())));
        }
    }
}
