package io.sluice.data.pool;

import io.sluice.data.seeing.PoolMeters;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.sluice.tenants.message.BusMessage.PoolReported;
import io.sluice.tenants.message.BusMessage.ScenariosReported;
import io.sluice.tenants.routing.CompiledTarget;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Owns one pool's state on one node: breakers, fast health and report windows of all its targets. On one loop, because a
 * breaker's windows are only right if the calls are counted one after another.
 *
 * <p>In: {@link CallObserved} from requests on this node. Out: {@link PoolReported} to the health actor once per interval, less often at rest, and
 * {@link ScenariosReported} where there was traffic; {@link TargetGauge}s for requests.
 */
public final class PoolActor extends VerticleBase {
    /** Operators see a change within a second (design: the slow loop runs once a second). */
    static final long REPORT_MS = 1_000;

    private final Bus bus;
    private final String node;
    private final ScopedId pool;
    private final PoolGauges gauges;
    private final PoolSettings settings;
    private final PoolMeters meters;
    private final WarmCaller warm;
    private final LongSupplier clockMs;
    private final Map<String, TargetTracker> targets = new HashMap<>();
    private final ScenarioTallies scenarios;
    private final RestTurns rests = new RestTurns();

    /**
     * The actor of one pool.
     *
     * @param clockMs milliseconds of a clock that never goes back
     */
    public PoolActor(
            Bus bus,
            String node,
            ScopedId pool,
            PoolGauges gauges,
            PoolSettings settings,
            PoolMeters meters,
            WarmCaller warm,
            LongSupplier clockMs) {
        this.bus = bus;
        this.node = node;
        this.pool = pool;
        this.gauges = gauges;
        this.settings = settings;
        this.meters = meters;
        this.warm = warm;
        this.clockMs = clockMs;
        scenarios = new ScenarioTallies(pool);
    }

    @Override
    public Future<?> start() {
        gauges.room().open(vertx, context);
        vertx.setPeriodic(REPORT_MS, timer -> tick());
        return bus.on(Address.observations(node, pool), this::onCallObserved);
    }

    @Override
    public Future<?> stop() {
        gauges.room().close();
        return Future.succeededFuture();
    }

    private void onCallObserved(CallObserved call) {
        scenarios.observe(call);
        TargetTracker target = tracker(call.target());
        long before = target.dueMs();
        long now = clockMs.getAsLong();
        if (target.observe(call, now)) {
            gauges.opened(now);
            meters.breakerOpened(pool.key(), call.target(), call.failure());
        }
        if (target.dueMs() > before) {
            // callers were told this very moment to come back: the report's tick would be up to a second late
            vertx.setTimer(target.dueMs() - now + 1, due -> target.tick(clockMs.getAsLong()));
        }
    }

    private TargetTracker tracker(String key) {
        return targets.computeIfAbsent(key, made -> new TargetTracker(made, gauges.of(made), settings));
    }

    private void keepWarm(CompiledTarget target, long now) {
        TargetTracker tracker = tracker(target.key());
        if (tracker.pingDue(now)) {
            warm.ping(target).onComplete(ended -> context.runOnContext(here -> onPinged(target, tracker, ended)));
        }
    }

    private void onPinged(CompiledTarget target, TargetTracker tracker, AsyncResult<Boolean> ended) {
        if (ended.failed() || ended.result()) {
            tracker.pinged(ended.succeeded(), clockMs.getAsLong());
            meters.pinged(target.key(), ended.succeeded());
        }
    }

    private boolean atRest(long now) {
        return gauges.queued() == 0 && targets.values().stream().allMatch(target -> target.atRest(now));
    }

    private void tick() {
        long now = clockMs.getAsLong();
        gauges.inUse(now).forEach(target -> keepWarm(target, now));
        targets.values().forEach(target -> target.tick(now));
        if (!scenarios.isEmpty()) {
            bus.publish(Address.SCENARIO_REPORTS, new ScenariosReported(node, scenarios.drain()));
        }
        if (!targets.isEmpty() && rests.due(atRest(now))) {
            bus.send(
                    Address.POOL_REPORTS,
                    new PoolReported(
                            pool,
                            node,
                            now,
                            targets.values().stream()
                                    .map(target -> target.drain(now))
                                    .toList(),
                            gauges.queued()));
        }
    }
}
