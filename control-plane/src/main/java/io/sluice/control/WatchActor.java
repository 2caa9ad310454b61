package io.sluice.control;

import io.sluice.control.api.ClusterMember;
import io.sluice.control.api.EpochEvent;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.message.BusMessage.NodeTold;
import io.sluice.tenants.message.BusMessage.PoolHealthsMerged;
import io.sluice.tenants.message.BusMessage.SnapshotPublished;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/**
 * Writes {@link Watched} for operators, on one loop so that subscribers see events in order. In: {@link PoolHealthsMerged} and {@link NodeTold} of all
 * nodes, {@link SnapshotPublished} of this one. Out: calls of subscribers.
 */
final class WatchActor extends VerticleBase {
    private static final int FORGET_MS = 1_000;

    private final Bus bus;
    private final Watched watched;
    private final Owners owners;
    private long epoch;

    /** @param loaded the epoch that this node begins with, which is no event */
    WatchActor(Bus bus, Watched watched, Owners owners, long loaded) {
        this.bus = bus;
        this.watched = watched;
        this.owners = owners;
        epoch = loaded;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(FORGET_MS, timer -> watched.retain(owners.nodes()));
        return Future.all(
                bus.on(Address.POOL_HEALTH, watched::health),
                bus.on(Address.SNAPSHOTS, this::onSnapshot),
                bus.on(Address.NODES, this::onNode));
    }

    private void onSnapshot(SnapshotPublished published) {
        long before = epoch;
        epoch = published.snapshot().epoch();
        if (epoch > before) {
            watched.epoch(new EpochEvent(epoch, published.at(), published.cause()));
        }
    }

    private void onNode(NodeTold told) {
        watched.member(new ClusterMember(told.node(), told.roles(), told.epoch(), told.since()));
    }
}
