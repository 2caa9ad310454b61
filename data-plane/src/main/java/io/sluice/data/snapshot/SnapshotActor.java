package io.sluice.data.snapshot;

import io.sluice.data.pool.Pools;
import io.sluice.data.tokens.Vocabularies;
import io.sluice.data.upstream.Providers;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.message.BusMessage.AskSnapshot;
import io.sluice.tenants.message.BusMessage.ShiftsPublished;
import io.sluice.tenants.message.BusMessage.SnapshotApplied;
import io.sluice.tenants.message.BusMessage.SnapshotPublished;
import io.sluice.tenants.message.BusMessage.WeightsPublished;
import io.sluice.tenants.routing.PoolWeights;
import io.sluice.tenants.routing.PublishedWeights;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.shift.PublishedShifts;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.Collection;

/**
 * Decides which snapshot this node serves: the newest epoch whose providers are ready, under the newest weights of each pool. On
 * one loop, so that an older epoch that is still being prepared never overtakes a newer one. Likewise the newest shift of each
 * scenario.
 *
 * <p>In: {@link SnapshotPublished}, {@link WeightsPublished}, {@link ShiftsPublished}. Out: {@link AskSnapshot} at start, {@link SnapshotApplied}.
 */
public final class SnapshotActor extends VerticleBase {
    /** The owner of the configuration answers from memory; more than this means it is not there. */
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(5);

    /** By then no request of an older epoch runs that could have started a pool's actor again. */
    private static final long AFTER_REQUESTS_MS = 180_000;

    private final Bus bus;
    private final String node;
    private final CurrentSnapshot current;
    private final Providers providers;
    private final Pools pools;
    private final Vocabularies vocabularies;
    private PublishedWeights weights = PublishedWeights.NONE;
    private PublishedShifts shifts = PublishedShifts.NONE;
    private long newestSeen = -1;

    public SnapshotActor(
            Bus bus,
            String node,
            CurrentSnapshot current,
            Providers providers,
            Pools pools,
            Vocabularies vocabularies) {
        this.bus = bus;
        this.node = node;
        this.current = current;
        this.providers = providers;
        this.pools = pools;
        this.vocabularies = vocabularies;
    }

    @Override
    public Future<?> start() {
        return bus.on(Address.SNAPSHOTS, this::onSnapshotPublished)
                .compose(done -> bus.on(Address.WEIGHTS, this::onWeightsPublished))
                .compose(done -> bus.on(Address.SHIFTS, this::onShiftsPublished))
                .compose(done -> bus.request(
                        Address.SNAPSHOT_REQUESTS, new AskSnapshot(node), SnapshotPublished.class, ASK_TIMEOUT))
                .compose(this::prepare);
    }

    private void onSnapshotPublished(SnapshotPublished published) {
        prepare(published);
    }

    private void onWeightsPublished(WeightsPublished published) {
        take(published.pools());
    }

    /** Whatever comes late or twice changes nothing. Weights alone make no node ready: they wait for the first configuration. */
    private void take(Collection<PoolWeights> told) {
        PublishedWeights before = weights;
        weights = before.plus(told);
        if (!weights.equals(before) && current.ready()) {
            apply(current.get());
        }
    }

    private void onShiftsPublished(ShiftsPublished published) {
        PublishedShifts newer = shifts.plus(published.shifts());
        if (!newer.equals(shifts)) {
            shifts = newer;
            current.shift(shifts);
        }
    }

    private Future<Void> prepare(SnapshotPublished published) {
        Snapshot next = published.snapshot();
        take(next.weights().pools().values());
        if (next.epoch() <= newestSeen) {
            return Future.succeededFuture();
        }
        newestSeen = next.epoch();
        return providers.prepare(next.providers()).onSuccess(ready -> {
            if (next.epoch() == newestSeen) {
                apply(next);
                vocabularies.prepare(next); // nobody waits: what is not loaded yet is when it is asked for
                pools.retain(next::hasPool);
                vertx.setTimer(AFTER_REQUESTS_MS, late -> pools.retain(current.get()::hasPool));
            }
        });
    }

    private void apply(Snapshot next) {
        current.set(next.with(weights).with(shifts));
        bus.publish(Address.APPLIED, new SnapshotApplied(node, next.epoch(), weights.revision()));
    }
}
