package io.sluice.control.routing;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.BusMessage.WeightsPublished;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Owns the published weights, on one loop since their revision must only grow. In: {@link PoolHealthMerged}. Out:
 * {@link WeightsPublished}, one for all pools that changed since the last.
 */
public final class RoutingActor extends VerticleBase {
    /** A fall in health waits at most this long. */
    static final long INTERVAL_MS = 250;

    private final Bus bus;
    private final InstantSource clock;
    private final Map<ScopedId, PoolHealthMerged> merged = new HashMap<>();
    private WeightPlan plan;

    public RoutingActor(Bus bus, InstantSource clock) {
        this.bus = bus;
        this.clock = clock;
        plan = WeightPlan.fresh(clock.millis());
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(INTERVAL_MS, timer -> tick());
        return bus.on(Address.POOL_HEALTH, this::onMerged);
    }

    private void onMerged(PoolHealthMerged health) {
        merged.put(health.pool(), health);
    }

    private void tick() {
        long before = plan.published().revision();
        plan = plan.next(merged.values(), clock.millis());
        merged.clear();
        if (plan.published().revision() != before) {
            bus.publish(Address.WEIGHTS, new WeightsPublished(plan.published()));
        }
    }
}
