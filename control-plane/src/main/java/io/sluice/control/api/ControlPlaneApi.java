package io.sluice.control.api;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.shift.ScenarioKey;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The control plane as the administration API sees it.
 * <ol>
 *   <li>A command is checked, stored with its audit line, and published as the next epoch, in this order; when its future
 *       completes without errors it survives a crash.
 *   <li>A command with any mistake changes nothing and reports all its mistakes.
 *   <li>Commands are applied one after another, in the order in which they arrive.
 *   <li>What a principal may not see is not found; what it may see but not do is FORBIDDEN. {@link #execute} checks this by
 *       itself; queries are checked by the caller with {@link Authorizer}.
 * </ol>
 * Methods may be called from any thread; futures complete on the caller's context.
 */
public interface ControlPlaneApi {
    /** Proves who holds an access token; empty where it is unknown or expired. Constant time in the number of tokens. */
    Optional<Principal> authenticate(String token);

    /**
     * Applies a command. When the future completes, the change is stored and the data plane of this node, where it has one,
     * serves it, so a key works in the very next request; a node that does not apply an epoch within two seconds is not waited
     * for.
     */
    Future<CommandOutcome> execute(Principal principal, ConfigCommand command);

    /**
     * Lets a spend cap grant again that waits for nodes which are lost for good, in its present period. What those nodes were granted
     * and the ledger has forgotten may be spent twice. It is in the audit log before it counts.
     */
    Future<UnfreezeOutcome> unfreeze(Principal principal, UnfreezeCap command);

    /** The configuration that serves now. */
    Configuration configuration();

    /** Audit entries of one tenant; null means all, the platform's included. Newest first, {@code first} at most 100. */
    default Future<AuditPage> audit(TenantId tenant, int first, String after) {
        return audit(tenant, Set.of(), first, after);
    }

    /** Likewise, only entries of some actions, such as {@link AuditEntry#OF_MONEY}; none named means all. */
    Future<AuditPage> audit(TenantId tenant, Set<String> actions, int first, String after);

    /** The decision of one request, from whichever node has it. */
    Future<Optional<DecisionRecord>> decision(String traceId);

    /** Likewise of one tenant's request: callers choose trace ids, so two tenants may use the same one. */
    default Future<Optional<DecisionRecord>> decision(TenantId tenant, String traceId) {
        return decision(traceId)
                .map(found -> found.filter(record -> record.tenant().equals(tenant)));
    }

    /** Decisions of a tenant, newest first. */
    Future<DecisionPage> decisions(FindDecisions query);

    /** What would be chosen for a request now, or under a draft; nothing is called. */
    Future<PlannedRoute> plan(PlanQuery query);

    /**
     * Calls every target of a scenario's ladder once, one after another, for at most a minute in all; a node proves one ladder at
     * a time. It is written to the audit log before any call, and checks by itself whether {@code principal} may. The future
     * fails where no data plane answers.
     */
    Future<LadderVerdict> verifyLadder(Principal principal, VerifyQuery query);

    /** The last known health of every pool that has had traffic. */
    List<PoolHealthMerged> poolHealth();

    /** Calls {@code listener} for each new health figure until the result is closed. */
    Subscription onPoolHealth(Consumer<PoolHealthMerged> listener);

    /** Calls {@code listener} for each new epoch until the result is closed. */
    Subscription onEpoch(Consumer<EpochEvent> listener);

    /** What a drill found out, newest run first; empty where it has had no traffic. */
    List<DrillTally> drillRuns(TenantId tenant, String drill);

    /**
     * Which rungs are known to answer, by scenario in the order of the ladders. Rungs that can never answer, since the scenario's
     * kind forbids it, are left out.
     *
     * @param scenario null means all of the tenant's
     */
    List<RungReport> ladderReport(TenantId tenant, String scenario);

    /** How a scenario stands: its first rung, and where its traffic is. At most a second old; empty where it has had no traffic lately. */
    Optional<ShiftStanding> shift(ScenarioKey scenario);

    /** Calls {@code listener} whenever the state of a scenario's shift changes until the result is closed. */
    Subscription onShift(Consumer<ShiftStanding> listener);

    /** How a cap of a tenant stands in its running period. */
    CapStanding capStanding(TenantId tenant, SpendCapConfig cap);

    /** Calls {@code listener} whenever the spend or the band of a cap changes, at most once a second for each cap, until the result is closed. */
    Subscription onCapStanding(Consumer<CapStanding> listener);

    /**
     * How declared prepaid accounts of providers stand.
     *
     * @param owner null means the platform's
     */
    Future<List<BalanceStanding>> balances(TenantId owner);

    /** What was spent: reports, statements, corrections, exports. */
    SpendApi spend();

    /** Id of the node that moves a scenario's traffic now, as this node sees it; while nodes come and go they may differ for some seconds. */
    String ownerOf(ScenarioKey scenario);

    /** Likewise of the node that sets a pool's weights. */
    String ownerOf(ScopedId pool);

    /** The nodes and the epochs they serve. */
    List<ClusterMember> members();

    /** Ends a subscription; closing twice does nothing. */
    @FunctionalInterface
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
