package io.sluice.plugins.bus;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage;

/**
 * A place on the bus together with the type of message it takes.
 *
 * @param name on the event bus
 * @param type what may be sent there
 * @param reach who hears what is sent there
 */
public record Address<M extends BusMessage>(String name, Class<M> type, Reach reach) {
    /** How far a message goes. */
    public enum Reach {
        /** Handlers of the sender's own process: the very object travels. */
        NODE,
        /** Handlers on every node of the cluster; to other nodes it travels as JSON. */
        CLUSTER
    }

    /** Heard by the health actor of the node, which hands them to the pools' owners. */
    public static final Address<BusMessage.PoolReported> POOL_REPORTS =
            new Address<>("pool.reports", BusMessage.PoolReported.class, Reach.NODE);

    /** Heard by every control plane. */
    public static final Address<BusMessage.ScenariosReported> SCENARIO_REPORTS =
            new Address<>("scenario.reports", BusMessage.ScenariosReported.class, Reach.CLUSTER);

    /** Heard by every node and every control plane. */
    public static final Address<BusMessage.ShiftsPublished> SHIFTS =
            new Address<>("shifts", BusMessage.ShiftsPublished.class, Reach.CLUSTER);

    /** The health actor of one node: what other nodes saw of pools that it owns. */
    public static Address<BusMessage.PoolsReported> poolReports(String owner) {
        return new Address<>("pool.reports/" + owner, BusMessage.PoolsReported.class, Reach.CLUSTER);
    }

    /** Heard by the routing actor of the node that merged it. */
    public static final Address<BusMessage.PoolHealthsMerged> POOLS_MERGED =
            new Address<>("pools.merged", BusMessage.PoolHealthsMerged.class, Reach.NODE);

    /** Heard by the nodes that answer operators. */
    public static final Address<BusMessage.PoolHealthsMerged> POOL_HEALTH =
            new Address<>("pool.health", BusMessage.PoolHealthsMerged.class, Reach.CLUSTER);

    /** Heard by every node. */
    public static final Address<BusMessage.WeightsPublished> WEIGHTS =
            new Address<>("weights", BusMessage.WeightsPublished.class, Reach.CLUSTER);

    /** Heard by every node and by subscribers. */
    public static final Address<BusMessage.SnapshotPublished> SNAPSHOTS =
            new Address<>("snapshots", BusMessage.SnapshotPublished.class, Reach.NODE);

    /** Answered by the owner of the configuration with the present snapshot. */
    public static final Address<BusMessage.AskSnapshot> SNAPSHOT_REQUESTS =
            new Address<>("snapshot.requests", BusMessage.AskSnapshot.class, Reach.NODE);

    /** Which epoch this node serves. */
    public static final Address<BusMessage.SnapshotApplied> APPLIED =
            new Address<>("snapshots.applied", BusMessage.SnapshotApplied.class, Reach.NODE);

    /** Once a second of each node, heard by those that answer operators. */
    public static final Address<BusMessage.NodeTold> NODES =
            new Address<>("nodes", BusMessage.NodeTold.class, Reach.CLUSTER);

    /** Once a second, heard by every node, to find out whether the bus works. */
    public static final Address<BusMessage.BusProbed> PROBES =
            new Address<>("bus.probes", BusMessage.BusProbed.class, Reach.CLUSTER);

    /** Once a second while a member is not heard; for that member. */
    public static final Address<BusMessage.MembersUnheard> UNHEARD =
            new Address<>("bus.unheard", BusMessage.MembersUnheard.class, Reach.CLUSTER);

    /** Answered with a decision page, of what {@code node} keeps. */
    public static Address<BusMessage.FindDecision> decision(String node) {
        return new Address<>("decision/" + node, BusMessage.FindDecision.class, Reach.CLUSTER);
    }

    /** Answered with a decision page, of what {@code node} keeps. */
    public static Address<BusMessage.FindDecisions> decisions(String node) {
        return new Address<>("decisions/" + node, BusMessage.FindDecisions.class, Reach.CLUSTER);
    }

    /** Uses of keys. */
    public static final Address<BusMessage.KeyUsed> KEY_USES =
            new Address<>("key.uses", BusMessage.KeyUsed.class, Reach.NODE);

    /** Heard by every node. */
    public static final Address<BusMessage.BandsPublished> BANDS =
            new Address<>("bands", BusMessage.BandsPublished.class, Reach.CLUSTER);

    /** Heard by every control plane. */
    public static final Address<BusMessage.DrillReported> DRILL_REPORTS =
            new Address<>("drill.reports", BusMessage.DrillReported.class, Reach.CLUSTER);

    /** Heard by every control plane. */
    public static final Address<BusMessage.RungProven> RUNGS_PROVEN =
            new Address<>("rungs.proven", BusMessage.RungProven.class, Reach.CLUSTER);

    /** The drill actor of one node. */
    public static Address<BusMessage.DrillReported> drilled(String node) {
        return new Address<>("drill.tallies/" + node, BusMessage.DrillReported.class, Reach.NODE);
    }

    /** Answered by the data plane of {@code node} with how each target of a ladder did. */
    public static Address<BusMessage.CheckLadder> ladderChecks(String node) {
        return new Address<>("ladder.checks/" + node, BusMessage.CheckLadder.class, Reach.CLUSTER);
    }

    /** Answered by the spend actor: where finance is in a node's journal. */
    public static final Address<BusMessage.AskSpendPosition> SPEND_POSITIONS =
            new Address<>("spend.positions", BusMessage.AskSpendPosition.class, Reach.NODE);

    /** Answered by the spend actor when they are stored. */
    public static final Address<BusMessage.SpendShipped> SPEND =
            new Address<>("spend", BusMessage.SpendShipped.class, Reach.NODE);
    /** Answered by the owner of the ledger. */
    public static final Address<BusMessage.AskAuthority> AUTHORITY =
            new Address<>("ledger.authority", BusMessage.AskAuthority.class, Reach.NODE);

    /** Heard by every node, and by whoever watches spend. */
    public static final Address<BusMessage.CapsPublished> CAPS =
            new Address<>("ledger.caps", BusMessage.CapsPublished.class, Reach.NODE);

    /** Answered by a node that has the whole history of spend. */
    public static Address<BusMessage.AskSpendCopy> spendCopies(String node) {
        return new Address<>("spend.copies/" + node, BusMessage.AskSpendCopy.class, Reach.CLUSTER);
    }

    /** Answered by that node with a part of its copy. */
    public static Address<BusMessage.ReadSpendCopy> spendCopyParts(String node) {
        return new Address<>("spend.parts/" + node, BusMessage.ReadSpendCopy.class, Reach.CLUSTER);
    }

    /** The actor of one pool on one node. */
    public static Address<BusMessage.CallObserved> observations(String node, ScopedId pool) {
        return new Address<>("pool.calls/" + node + "/" + pool.key(), BusMessage.CallObserved.class, Reach.NODE);
    }
}
