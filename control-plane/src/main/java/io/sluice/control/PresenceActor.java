package io.sluice.control;

import io.sluice.control.api.ClusterMember;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.message.BusMessage.NodeTold;
import io.sluice.tenants.message.BusMessage.SnapshotApplied;
import io.sluice.tenants.message.BusMessage.SnapshotPublished;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/**
 * Tells of this node: which epoch it serves and what it is there for. Owns what was told last, and writes {@link AppliedEpochs}. On one loop, so
 * that an epoch is never told after a later one.
 *
 * <p>In: {@link SnapshotApplied} of this node's data plane; where it has none, {@link SnapshotPublished}: then its own control plane is all that goes
 * by an epoch. Out: {@link NodeTold}, at each epoch and once a second.
 */
final class PresenceActor extends VerticleBase {
    private static final int TELL_MS = 1_000;

    private final Bus bus;
    private final Watched watched;
    private final AppliedEpochs appliedHere;
    private final String node;
    private final Set<NodeRole> roles;
    private final InstantSource clock;
    private NodeTold own;

    PresenceActor(
            Bus bus,
            Watched watched,
            AppliedEpochs appliedHere,
            String node,
            Set<NodeRole> roles,
            InstantSource clock) {
        this.bus = bus;
        this.watched = watched;
        this.appliedHere = appliedHere;
        this.node = node;
        this.roles = roles;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(TELL_MS, timer -> tick());
        return roles.contains(NodeRole.DATA)
                ? bus.on(Address.APPLIED, this::onApplied)
                : bus.on(
                        Address.SNAPSHOTS,
                        published -> serves(published.snapshot().epoch()));
    }

    private void onApplied(SnapshotApplied applied) {
        serves(applied.epoch());
        appliedHere.reached(applied.epoch());
    }

    private void serves(long epoch) {
        boolean news = own == null || own.epoch() != epoch;
        Instant since = own == null ? clock.instant() : own.since();
        own = new NodeTold(node, words(), epoch, since);
        watched.member(new ClusterMember(node, own.roles(), epoch, since));
        if (news) {
            bus.publish(Address.NODES, own);
        }
    }

    private List<String> words() {
        return roles.stream().sorted().map(NodeRole::word).toList();
    }

    /** A node that serves nothing yet is no member that anybody could use. */
    private void tick() {
        if (own != null) {
            bus.publish(Address.NODES, own);
        }
    }
}
