package io.sluice.control.routing;

import io.sluice.control.owner.Stored;
import io.sluice.control.owner.Takeover;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.BusMessage.PoolHealthsMerged;
import io.sluice.tenants.message.BusMessage.WeightsPublished;
import io.sluice.tenants.routing.PoolWeights;
import io.sluice.tenants.routing.PublishedWeights;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Owns the weights of the pools that this node owns, on one loop since each state follows from the one before; and knows those of all
 * others, from which it goes on where it comes to own one. On a node that owns nothing it keeps them for a data plane that starts, and for nodes
 * that missed them.
 *
 * <p>In: {@link PoolHealthsMerged} of this node, {@link WeightsPublished} of others, and what is stored. Out: {@link WeightsPublished},
 * one for all pools that changed since the last, and all of this node's every {@value #REPEAT_MS} ms; all that is known, to
 * {@code known}.
 */
public final class RoutingActor extends VerticleBase {
    /** A fall in health waits at most this long. */
    static final long INTERVAL_MS = 250;

    /** So long a node that missed a message may have older weights. */
    static final long REPEAT_MS = 5_000;

    /** A pool that climbs changes four times a second; the next owner hears of that over the bus, too. */
    private static final long STORE_MS = 1_000;

    private final Bus bus;
    private final Owners owners;
    private final Stored<PoolWeights> stored;
    private final Consumer<PublishedWeights> known;
    private final InstantSource clock;
    private final WeightTable table;
    private final Map<ScopedId, PoolHealthMerged> merged = new HashMap<>();
    private Takeover<ScopedId> takeover;

    /**
     * @param states where the next owner finds what this one published
     * @param known is told whatever is known of all pools, at each change; on this actor's loop
     */
    public RoutingActor(
            Bus bus, Owners owners, SoftStates states, Consumer<PublishedWeights> known, InstantSource clock) {
        this.bus = bus;
        this.owners = owners;
        stored = new Stored<>(states, "weights", PoolWeights.class);
        this.known = known;
        this.clock = clock;
        table = new WeightTable(owners.node(), clock.millis());
    }

    @Override
    public Future<?> start() {
        takeover = new Takeover<>(context, this::mine, this::load);
        vertx.setPeriodic(INTERVAL_MS, timer -> takeover.take(merged.keySet(), this::step));
        vertx.setPeriodic(STORE_MS, timer -> stored.flush());
        vertx.setPeriodic(REPEAT_MS, timer -> repeat());
        return Future.all(bus.on(Address.POOLS_MERGED, this::onMerged), bus.on(Address.WEIGHTS, this::onPublished))
                .compose(done -> load().otherwiseEmpty());
    }

    private boolean mine(ScopedId pool) {
        return owners.mine(pool.key());
    }

    private Future<Void> load() {
        return Takeover.on(context, stored.all()).map(all -> {
            heard(all);
            return null;
        });
    }

    private void onMerged(PoolHealthsMerged health) {
        if (health.node().equals(owners.node())) {
            health.pools().forEach(pool -> merged.put(pool.pool(), pool));
        }
    }

    private void onPublished(WeightsPublished published) {
        if (!published.node().equals(owners.node())) {
            tell(heard(published.pools()));
        }
    }

    private List<PoolWeights> heard(List<PoolWeights> told) {
        List<PoolWeights> newer = table.heard(told, clock.millis());
        known.accept(table.known());
        return newer;
    }

    private void step() {
        merged.keySet().removeIf(pool -> !mine(pool));
        List<PoolHealthMerged> held = merged.values().stream()
                .filter(pool -> takeover.holds(pool.pool()))
                .toList();
        held.forEach(pool -> merged.remove(pool.pool()));
        List<PoolWeights> changed = table.step(held, takeover::holds, clock.millis());
        if (!changed.isEmpty()) {
            known.accept(table.known());
            tell(changed);
            changed.forEach(each -> stored.later(each.pool().key(), each.stamp().number(), each));
        }
    }

    private void repeat() {
        tell(table.repeated(this::mine, clock.millis()));
    }

    private void tell(List<PoolWeights> pools) {
        if (!pools.isEmpty()) {
            bus.publish(Address.WEIGHTS, new WeightsPublished(owners.node(), pools));
        }
    }
}
