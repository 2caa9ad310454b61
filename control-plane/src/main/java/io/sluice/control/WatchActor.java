package io.sluice.control;

import io.sluice.control.api.ClusterMember;
import io.sluice.control.api.EpochEvent;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.message.BusMessage.NodeTold;
import io.sluice.tenants.message.BusMessage.SnapshotApplied;
import io.sluice.tenants.message.BusMessage.SnapshotPublished;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Writes {@link Watched} and {@link AppliedEpochs}, on one loop so that subscribers see events in order. In: what other actors publish, on this
 * node and on others. Out: calls of subscribers; {@link NodeTold} of this node, once a second.
 */
final class WatchActor extends VerticleBase {
    private static final int TELL_MS = 1_000;

    private final Bus bus;
    private final Watched watched;
    private final AppliedEpochs appliedHere;
    private final Owners owners;
    private final List<String> roles;
    private final InstantSource clock;
    private long epoch = -1;
    private NodeTold own;

    WatchActor(
            Bus bus,
            Watched watched,
            AppliedEpochs appliedHere,
            Owners owners,
            List<String> roles,
            InstantSource clock) {
        this.bus = bus;
        this.watched = watched;
        this.appliedHere = appliedHere;
        this.owners = owners;
        this.roles = roles;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        return Future.all(
                        bus.on(Address.POOL_HEALTH, watched::health),
                        bus.on(Address.SNAPSHOTS, this::onSnapshot),
                        bus.on(Address.NODES, this::onNode),
                        bus.on(Address.APPLIED, this::onApplied))
                .onSuccess(done -> vertx.setPeriodic(TELL_MS, timer -> tick()));
    }

    private void onSnapshot(SnapshotPublished published) {
        long before = epoch;
        epoch = published.snapshot().epoch();
        if (epoch > before && before >= 0) {
            watched.epoch(new EpochEvent(epoch, published.at(), published.cause()));
        }
    }

    private void onApplied(SnapshotApplied applied) {
        boolean news = own == null || own.epoch() != applied.epoch();
        Instant since = own == null ? clock.instant() : own.since();
        own = new NodeTold(owners.node(), roles, applied.epoch(), since);
        onNode(own);
        appliedHere.reached(applied.epoch());
        if (news) {
            bus.publish(Address.NODES, own);
        }
    }

    private void onNode(NodeTold told) {
        watched.member(new ClusterMember(told.node(), told.roles(), told.epoch(), told.since()));
    }

    /** A node that serves nothing yet is no member that anybody could use. */
    private void tick() {
        watched.retain(owners.nodes());
        if (own != null) {
            bus.publish(Address.NODES, own);
        }
    }
}
