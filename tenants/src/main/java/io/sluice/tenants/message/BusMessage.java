package io.sluice.tenants.message;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.json.JsonSubtypes;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.ChargePack;
import io.sluice.tenants.ledger.SpendSum;
import io.sluice.tenants.ledger.SpendTally;
import io.sluice.tenants.routing.PoolWeights;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ScenarioWindow;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Every message between actors. Messages are immutable and may be delivered at most once; whoever must be sure asks and
 * repeats. Within one process the very objects travel.
 */
@JsonSubtypes
public sealed interface BusMessage {
    /**
     * An attempt ended. Data plane, to the pool's actor on the same node.
     *
     * @param failure null where the answer was usable
     * @param firstAttempt false for a repeat: only first attempts move the breaker (requirement A4)
     * @param firstTokenMs -1 where no content came
     * @param ownDelayMs how much of it may have been this node's and not the target's, at most
     * @param whileOpen whether it was let through although the target's breaker was open
     * @param retryAfterMs how long the provider wants to be left alone; 0 where it did not say
     * @param sizeClass calls of one class take about as long until their first content: kind and power of two of the tokens
     *     that a model has to read, or write, until then
     * @param load calls of the target in flight on this node when it began, itself included
     * @param scenario of the request
     * @param step the rung that made the call
     */
    record CallObserved(
            ScopedId pool,
            String target,
            FailureClass failure,
            boolean firstAttempt,
            double firstTokenMs,
            double ownDelayMs,
            double totalMs,
            long retryAfterMs,
            boolean whileOpen,
            int sizeClass,
            int load,
            ScenarioKey scenario,
            String step)
            implements BusMessage {}

    /** What a node saw of scenarios in one pool, once a second where there was traffic. Pool's actor, to every control plane. */
    record ScenariosReported(String node, List<ScenarioWindow> windows) implements BusMessage {
        public ScenariosReported {
            windows = List.copyOf(windows);
        }
    }

    /**
     * How traffic is shifted, to every node and every control plane: at each change, and all that may matter every few seconds. Of two
     * states of a scenario the higher version holds.
     */
    record ShiftsPublished(List<ScenarioShift> shifts) implements BusMessage {
        public ShiftsPublished {
            shifts = List.copyOf(shifts);
        }
    }

    /**
     * What a node saw of a pool in the last interval. Pool's actor, to the health actor of the same node.
     *
     * @param queued requests that wait for a permit on that node
     */
    record PoolReported(ScopedId pool, String node, long atMs, List<TargetWindow> targets, int queued)
            implements BusMessage {}

    /** What {@code node} saw of pools of one owner. Its health actor, to that of the owner, once a second where there is anything to say. */
    record PoolsReported(String node, List<PoolReported> reports) implements BusMessage {
        public PoolsReported {
            reports = List.copyOf(reports);
        }
    }

    /** The merged health of a pool, as of {@code at}. */
    record PoolHealthMerged(
            ScopedId pool,
            Instant at,
            List<MergedTarget> targets,
            double usableAnswerRate,
            double latencyP95Ms,
            double firstTokenP95Ms,
            int inFlight,
            int queued)
            implements BusMessage {}

    /**
     * The merged health of pools that {@code node} owns: each interval of those with traffic or change, and of all from time to time. Health
     * actor, to every node's routing actor and subscribers.
     *
     * @param repeated whether this is for those who missed it: nothing is new
     */
    record PoolHealthsMerged(String node, List<PoolHealthMerged> pools, boolean repeated) implements BusMessage {
        public PoolHealthsMerged {
            pools = List.copyOf(pools);
        }
    }

    /**
     * Weights that {@code node} knows, to every node: of pools it owns at each change, and all of them every few seconds. Of two states of a
     * pool the newer holds, so that this may come late or twice. Routing actor.
     */
    record WeightsPublished(String node, List<PoolWeights> pools) implements BusMessage {
        public WeightsPublished {
            pools = List.copyOf(pools);
        }
    }

    /** A new configuration in compiled form, to every node's snapshot actor. Owner of the configuration. */
    record SnapshotPublished(Snapshot snapshot, String cause, Instant at) implements BusMessage {}

    /** Asks for the present configuration; answered by {@link SnapshotPublished}. A node's first question. */
    record AskSnapshot(String node) implements BusMessage {}

    /** A node serves this epoch and revision from now on. */
    record SnapshotApplied(String node, long epoch, long weightsRevision) implements BusMessage {}

    /**
     * A node is there. Every node, to all, once a second and at each change.
     *
     * @param epoch it serves
     * @param since when it began to serve
     */
    record NodeTold(String node, List<String> roles, long epoch, Instant since) implements BusMessage {
        public NodeTold {
            roles = List.copyOf(roles);
        }
    }

    /** Says nothing but that it arrived. Every node of a cluster, to all, once a second. */
    record BusProbed(String node) implements BusMessage {}

    /** {@code node} does not hear these, although they are members as well: what they believe to be told to all does not reach it. */
    record MembersUnheard(String node, Set<String> members) implements BusMessage {
        public MembersUnheard {
            members = Set.copyOf(members);
        }
    }

    /**
     * Asks a node for the newest decision of a trace; answered by {@link DecisionPage} with at most one record. Callers choose
     * trace ids, so two tenants may use the same one.
     *
     * @param tenant whose; null means anyone's
     */
    record FindDecision(TenantId tenant, String traceId) implements BusMessage {}

    /**
     * Asks a node for decisions of a tenant, newest first; answered by {@link DecisionPage}.
     *
     * @param scenario null means any; likewise step and outcome
     * @param from inclusive; null means the beginning
     * @param to exclusive; null means now
     * @param after cursor of the last page; null begins with the newest
     */
    record FindDecisions(
            TenantId tenant,
            String scenario,
            String step,
            String outcome,
            Instant from,
            Instant to,
            String after,
            int limit)
            implements BusMessage {}

    /**
     * Found decisions.
     *
     * @param cursors of each record: a page behind it begins there; empty where only whole pages can be gone on from
     * @param next cursor of the next page; null where there is none
     */
    record DecisionPage(List<DecisionRecord> records, List<String> cursors, String next) implements BusMessage {}

    /**
     * Asks a node to call every target of a scenario's ladder once; answered by {@link LadderChecked}.
     *
     * @param prompt what the models are asked
     * @param timeMaxMs for all calls together
     */
    record CheckLadder(TenantId tenant, String scenario, String prompt, long timeMaxMs) implements BusMessage {}

    /**
     * How the calls ended, in the order of the ladder.
     *
     * @param problem why none was made, and what to do; null where they were
     */
    record LadderChecked(List<RungCheck> rungs, String problem) implements BusMessage {}

    /**
     * How short money is in caps of tenants that {@code node} owns, to every node: all of them once a second. A cap of which nothing was
     * told is NORMAL; of two states of a cap the newer holds. Band actor.
     */
    record BandsPublished(String node, List<CapBand> bands) implements BusMessage {
        public BandsPublished {
            bands = List.copyOf(bands);
        }
    }

    /** A key was used. Data plane, to the configuration's owner, at most once a minute per key and node. */
    record KeyUsed(TenantId tenant, String keyId, Instant at) implements BusMessage {}

    /**
     * Drilled requests ended. Data plane, to the drill actor of its node for each request, and from there to the control plane once
     * a second.
     */
    record DrillReported(String node, List<DrillTally> tallies) implements BusMessage {}

    /**
     * A rung answered. Data plane, to the control plane, at most once a minute per rung and node.
     *
     * @param how name of a {@link io.sluice.tenants.drill.Proof}
     */
    record RungProven(TenantId tenant, String scenario, String step, Instant at, String how) implements BusMessage {}

    /** Asks how much of a node's journal finance has; answered by {@link SpendStored}. A node's first question. */
    record AskSpendPosition(String node, long journal) implements BusMessage {}

    /**
     * What the lines of a node's journal after {@code afterSeq} say of spend, summed up. Data plane, to the spend actor; answered by
     * {@link SpendStored}. A node tells the same lines until it is answered, perhaps cut into other messages.
     *
     * @param journal id of the node's journal: numbers of lines belong to it
     * @param afterSeq where the node believes finance to be; where that is wrong nothing is stored
     * @param upToSeq finance is there afterwards
     * @param charges the same requests one by one
     */
    record SpendShipped(String node, long journal, long afterSeq, long upToSeq, List<SpendSum> sums, ChargePack charges)
            implements BusMessage {
        public SpendShipped {
            sums = List.copyOf(sums);
        }

        /** The lines that {@code tally} holds. */
        public static SpendShipped of(String node, long journal, long afterSeq, long upToSeq, SpendTally tally) {
            return new SpendShipped(node, journal, afterSeq, upToSeq, tally.sums(), tally.charges());
        }
    }

    /** Finance has the journal up to {@code seq}, on disk. */
    record SpendStored(long seq) implements BusMessage {}

    /** Asks a node whether it has the whole history of spend; answered by {@link SpendCopyOffered}, or not at all. */
    record AskSpendCopy(String node) implements BusMessage {}

    /**
     * It has it.
     *
     * @param position in the log of spend, up to where
     */
    record SpendCopyOffered(long position) implements BusMessage {}

    /**
     * Asks for a part of it; answered by {@link SpendCopyPart}.
     *
     * @param copy which one, as the first part said; null for the first part of whichever there is
     * @param offset in bytes
     */
    record ReadSpendCopy(String copy, long offset) implements BusMessage {}

    /**
     * A part of a copy.
     *
     * @param bytes of the whole copy
     * @param data in base64
     */
    record SpendCopyPart(String copy, long offset, long bytes, String data) implements BusMessage {}

    /** Asks the authority over spend caps; answered by {@link AuthorityAnswered} when it is durable. Repeated until it is answered. */
    record AskAuthority(AuthorityCommand command) implements BusMessage {}

    /** The authority's answer. */
    record AuthorityAnswered(AuthorityAnswer answer) implements BusMessage {}

    /**
     * How spend caps stand. Owner of the ledger, to every node and to whoever watches bands, once a second: all that changed since
     * the last, and all there are every few seconds.
     *
     * @param at by the owner's clock
     */
    record CapsPublished(List<CapFigures> caps, Instant at) implements BusMessage {
        public CapsPublished {
            caps = List.copyOf(caps);
        }
    }
}
