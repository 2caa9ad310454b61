package io.sluice.control;

import io.sluice.control.api.ClusterMember;
import io.sluice.control.api.EpochEvent;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.message.BusMessage.SnapshotApplied;
import io.sluice.tenants.message.BusMessage.SnapshotPublished;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.List;

/**
 * Writes {@link Watched} and {@link AppliedEpochs}, on one loop so that subscribers see events in order. In: what other actors publish. Out: calls of
 * subscribers.
 */
final class WatchActor extends VerticleBase {
    private final Bus bus;
    private final Watched watched;
    private final AppliedEpochs appliedHere;
    private final String node;
    private final List<String> roles;
    private final InstantSource clock;
    private long epoch = -1;

    WatchActor(
            Bus bus, Watched watched, AppliedEpochs appliedHere, String node, List<String> roles, InstantSource clock) {
        this.bus = bus;
        this.watched = watched;
        this.appliedHere = appliedHere;
        this.node = node;
        this.roles = roles;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        return Future.all(
                bus.on(Address.POOL_HEALTH, watched::health),
                bus.on(Address.SNAPSHOTS, this::onSnapshot),
                bus.on(Address.APPLIED, this::onApplied));
    }

    private void onSnapshot(SnapshotPublished published) {
        long before = epoch;
        epoch = published.snapshot().epoch();
        if (epoch > before && before >= 0) {
            watched.epoch(new EpochEvent(epoch, published.at(), published.cause()));
        }
    }

    private void onApplied(SnapshotApplied applied) {
        watched.member(new ClusterMember(applied.node(), roles, applied.epoch(), clock.instant()));
        if (applied.node().equals(node)) {
            appliedHere.reached(applied.epoch());
        }
    }
}
