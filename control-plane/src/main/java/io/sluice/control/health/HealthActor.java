package io.sluice.control.health;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.BusMessage.PoolHealthsMerged;
import io.sluice.tenants.message.BusMessage.PoolReported;
import io.sluice.tenants.message.BusMessage.PoolsReported;
import io.sluice.tenants.message.MergedTarget;
import io.sluice.tenants.routing.PublishedWeights;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Owns the merged health of the pools that this node owns, on one loop since reports of all nodes change the same figures; and hands what
 * this node saw of other pools to their owners. A report that reaches a node which is not, or no longer, the owner is dropped: the next
 * one comes within a second and finds its way.
 *
 * <p>A node that owns nothing merges nothing: it only hands on.
 *
 * <p>In: {@link PoolReported} of this node, {@link PoolsReported} of others. Out: {@link PoolsReported}, once a second for each owner;
 * {@link PoolHealthsMerged} to this node's routing and to whoever watches, once a second for the pools with traffic or change, and every {@value #REPEAT_MS} ms for all.
 */
public final class HealthActor extends VerticleBase {
    /** F2 wants figures once a second. */
    static final long INTERVAL_MS = 1_000;

    /** A failing target is to be out of rotation within two seconds: its report may not wait for one of them. */
    static final long HAND_ON_MS = 250;

    /** A node that starts knows how pools are that nothing happens to, after so long. */
    static final long REPEAT_MS = 10_000;

    private final Bus bus;
    private final Owners owners;
    private final Supplier<PublishedWeights> known;
    private final InstantSource clock;
    private final Outgoing outgoing = new Outgoing();
    private final Map<ScopedId, PoolMerger> pools = new HashMap<>();
    private final Map<ScopedId, List<MergedTarget>> told = new HashMap<>();
    private final Set<ScopedId> active = new HashSet<>();

    /** Of which there may be news: a thousand pools without calls are not reckoned anew every second. */
    private final Set<ScopedId> restless = new HashSet<>();

    /** @param known weights of all pools, from which health goes on where this node comes to own one */
    public HealthActor(Bus bus, Owners owners, Supplier<PublishedWeights> known, InstantSource clock) {
        this.bus = bus;
        this.owners = owners;
        this.known = known;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(HAND_ON_MS, timer -> handOn());
        vertx.setPeriodic(INTERVAL_MS, timer -> tick());
        vertx.setPeriodic(REPEAT_MS, timer -> repeat());
        return Future.all(
                bus.on(Address.POOL_REPORTS, this::onReported),
                bus.on(
                        Address.poolReports(owners.node()),
                        others -> others.reports().forEach(this::merge)));
    }

    private void onReported(PoolReported report) {
        if (outgoing.news(report, clock.millis())) {
            if (mine(report.pool())) {
                merge(report);
            } else {
                outgoing.add(report, clock.millis());
            }
        }
    }

    private boolean mine(ScopedId pool) {
        return owners.mine(pool.key());
    }

    private void handOn() {
        outgoing.due(owners, clock.millis())
                .forEach((owner, reports) ->
                        bus.send(Address.poolReports(owner), new PoolsReported(owners.node(), reports)));
    }

    private void merge(PoolReported report) {
        ScopedId pool = report.pool();
        if (!mine(pool)) {
            return;
        }
        long now = clock.millis();
        PoolMerger before = pools.get(pool);
        PoolMerger merger =
                before == null ? PoolMerger.resumed(pool, known.get().of(pool), now) : before;
        pools.put(pool, merger.next(report, now));
        restless.add(pool);
        if (report.targets().stream().anyMatch(target -> target.usable() + target.unusable() + target.inFlight() > 0)) {
            active.add(pool);
        }
    }

    private void tick() {
        long now = clock.millis();
        pools.entrySet()
                .removeIf(each -> !mine(each.getKey()) || each.getValue().silent(now));
        told.keySet().retainAll(pools.keySet());
        restless.retainAll(pools.keySet());
        List<PoolHealthMerged> news = new ArrayList<>();
        for (Iterator<ScopedId> each = restless.iterator(); each.hasNext(); ) {
            ScopedId id = each.next();
            PoolHealthMerged merged = pools.get(id).merged(now);
            if (active.contains(id) || PoolMerger.differs(told.get(id), merged.targets())) {
                told.put(id, merged.targets());
                news.add(merged);
            } else if (PoolMerger.atRest(merged)) {
                each.remove();
            }
        }
        active.clear();
        publish(news, false);
    }

    private void repeat() {
        long now = clock.millis();
        publish(pools.values().stream().map(merger -> merger.merged(now)).toList(), true);
    }

    private void publish(List<PoolHealthMerged> merged, boolean repeated) {
        if (!merged.isEmpty()) {
            PoolHealthsMerged healths = new PoolHealthsMerged(owners.node(), merged, repeated);
            bus.publish(Address.POOLS_MERGED, healths);
            bus.publish(Address.POOL_HEALTH, healths);
        }
    }
}
