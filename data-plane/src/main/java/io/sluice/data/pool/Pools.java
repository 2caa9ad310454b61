package io.sluice.data.pool;

import io.sluice.data.seeing.PoolMeters;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pools that this node has had traffic for. A pool's actor starts with its first request, so that a thousand configured
 * pools cost nothing until they are used. Thread-safe.
 */
public final class Pools {
    private static final Logger LOG = LoggerFactory.getLogger(Pools.class);

    private final Vertx vertx;
    private final Bus bus;
    private final String node;
    private final PoolSettings settings;
    private final PoolMeters meters;
    private final WarmCaller warm;
    private final LongSupplier clockMs;
    private final Map<ScopedId, Pool> pools = new ConcurrentHashMap<>();

    /** @param ready when the actor listens; before that a message to it would be lost */
    private record Pool(PoolGauges gauges, Address<CallObserved> actor, Future<String> ready) {}

    /**
     * No pool has had traffic yet.
     *
     * @param clockMs milliseconds of a clock that never goes back
     */
    public Pools(
            Vertx vertx,
            Bus bus,
            String node,
            PoolSettings settings,
            PoolMeters meters,
            WarmCaller warm,
            LongSupplier clockMs) {
        this.vertx = vertx;
        this.bus = bus;
        this.node = node;
        this.settings = settings;
        this.meters = meters;
        this.warm = warm;
        this.clockMs = clockMs;
    }

    /** The gauges of a pool. */
    public PoolGauges gauges(ScopedId pool) {
        return pool(pool).gauges();
    }

    /** Tells the pool's actor how a call ended. */
    public void observe(CallObserved call) {
        Pool pool = pool(call.pool());
        if (pool.ready().isComplete()) {
            bus.send(pool.actor(), call);
        } else {
            pool.ready().onSuccess(listening -> bus.send(pool.actor(), call));
        }
    }

    /**
     * Stops the actors of pools that are not configured any more, so that nobody reports them. One that still has calls
     * in flight or requests that wait is kept until the next call of this method.
     *
     * @param configured whether a pool still is
     */
    public void retain(Predicate<ScopedId> configured) {
        for (ScopedId id : List.copyOf(pools.keySet())) {
            if (!configured.test(id) && idle(pools.get(id))) {
                Pool gone = pools.remove(id);
                if (gone != null) {
                    gone.ready().compose(vertx::undeploy).onFailure(never -> LOG.debug("{} was not running", id.key()));
                }
            }
        }
    }

    private static boolean idle(Pool pool) {
        return pool != null && pool.gauges().inFlight() == 0 && pool.gauges().queued() == 0;
    }

    /** Milliseconds of the clock that breakers run on. */
    public long nowMs() {
        return clockMs.getAsLong();
    }

    /** All calls in flight on this node. */
    public int inFlight() {
        return pools.values().stream()
                .mapToInt(pool -> pool.gauges().inFlight())
                .sum();
    }

    /** All requests of a lane that wait on this node. */
    public int queued(Lane lane) {
        return pools.values().stream()
                .mapToInt(pool -> pool.gauges().room().length(lane))
                .sum();
    }

    /** How long a real-time request may wait, over all its rungs. */
    public long realtimeWaitMaxMs() {
        return settings.queue().realtimeWaitMaxMs();
    }

    private Pool pool(ScopedId id) {
        Pool pool = pools.get(id);
        return pool != null ? pool : pools.computeIfAbsent(id, this::start);
    }

    private Pool start(ScopedId id) {
        PoolGauges gauges = new PoolGauges(
                settings, (target, gauge) -> meters.target(id.key(), target, gauge, TargetGauge::limit), clockMs);
        Future<String> ready =
                vertx.deployVerticle(new PoolActor(bus, node, id, gauges, settings, meters, warm, clockMs));
        ready.onFailure(bug -> {
            LOG.error(
                    "The actor of pool {} did not start: its targets count as well until the next start",
                    id.key(),
                    bug);
            gauges.room().stayClosed(bug);
        });
        return new Pool(gauges, Address.observations(node, id), ready);
    }
}
