package io.sluice.control;

import io.sluice.control.api.AdjustSpend;
import io.sluice.control.api.AuditPage;
import io.sluice.control.api.BalanceStanding;
import io.sluice.control.api.CapStanding;
import io.sluice.control.api.ClusterMember;
import io.sluice.control.api.CommandOutcome;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.EpochEvent;
import io.sluice.control.api.LadderVerdict;
import io.sluice.control.api.PlanQuery;
import io.sluice.control.api.PlannedRoute;
import io.sluice.control.api.Principal;
import io.sluice.control.api.RungReport;
import io.sluice.control.api.ShiftStanding;
import io.sluice.control.api.SpendApi;
import io.sluice.control.api.UnavailableException;
import io.sluice.control.api.UnfreezeCap;
import io.sluice.control.api.UnfreezeOutcome;
import io.sluice.control.api.VerifyQuery;
import io.sluice.control.budget.BalanceDesk;
import io.sluice.control.budget.FreezeDesk;
import io.sluice.control.config.CredentialPlaces;
import io.sluice.control.drill.LadderReport;
import io.sluice.control.secret.Credentials;
import io.sluice.control.secret.SecretBox;
import io.sluice.control.secret.ServerSecret;
import io.sluice.control.spend.SpendDesk;
import io.sluice.control.store.StoreAwayException;
import io.sluice.control.store.StoreConflictException;
import io.sluice.control.webhook.SharedAlertStore;
import io.sluice.plugins.api.CredentialSource;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Peers;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.key.KeyHasher;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ShiftPhase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The control plane of one process: its stores, its secret and its actors. {@link #start} brings it up with the last good
 * configuration; {@link #close} finishes what was begun. On a node without {@link NodeRole#CONTROL} it is what a data plane needs beside
 * it, and nobody asks it for more than that. Thread-safe.
 */
public final class ControlPlane implements ControlPlaneApi {
    /** A node that needs longer to look a decision up is as good as gone. */
    static final Duration DECISION_TIMEOUT = Duration.ofSeconds(2);

    /** As {@link ControlPlaneApi#audit} promises. */
    private static final int AUDIT_FIRST_MAX = 100;

    /** A node applies an epoch within milliseconds; one that takes longer has trouble that its readiness tells about. */
    private static final long SERVED_MS_MAX = 2_000;

    private static final Principal SYSTEM = new Principal(Role.PLATFORM_ADMIN, null, "system");

    private final Vertx vertx;
    private final Bus bus;
    private final ControlPlaneSettings settings;
    private final SecretBox box;
    private final ControlStores stores;
    private final Boards boards = new Boards();
    private final SpendDesk spendDesk;
    private final BalanceDesk balances;
    private final SharedAlertStore alertStore;
    private final DecisionDesk decisions;
    private final PlanDesk plans;
    private final DecisionContexts contexts;
    private final TokenChecker tokens;
    private final CredentialSource credentials;
    private final List<String> deployments = new ArrayList<>();
    private ConfigActor configActor;
    private volatile Configuration serving = Configuration.EMPTY;
    private volatile String madeAdminToken;

    private ControlPlane(Vertx vertx, ControlPlaneSettings settings, SecretBox box, ControlStores stores) {
        this.vertx = vertx;
        bus = new Bus(vertx);
        this.settings = settings;
        this.box = box;
        this.stores = stores;
        alertStore = new SharedAlertStore(stores.alerts(), settings.states());
        decisions = new DecisionDesk(Peers.of(
                NodeRole.DATA,
                bus,
                settings.owners(),
                DECISION_TIMEOUT,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime())));
        contexts = new DecisionContexts(settings, box);
        plans = new PlanDesk(vertx, this::configuration, contexts, boards);
        tokens = new TokenChecker(box.keyHasher(), settings.adminToken());
        spendDesk = new SpendDesk(
                stores.spend(),
                this::configuration,
                this::noteAdjustment,
                new CapCorrections(bus, this::configuration),
                account -> stores.ledger()
                        .find(Set.of(account))
                        .map(found -> found.stream().map(KeptAccount::state).findFirst()),
                settings.clock());
        balances = new BalanceDesk(stores.spend()::ofProvider, this::configuration, settings.clock());
        credentials = new Credentials(box, new CredentialPlaces(settings.dataDir()), System::getenv, settings.clock());
    }

    /**
     * Opens the stores in the data directory and starts the actors. The future fails, with a message for operators, where a store can
     * not be opened, belongs to another server secret, or holds a configuration that can not serve.
     */
    public static Future<ControlPlane> start(Vertx vertx, ControlPlaneSettings settings) {
        return start(vertx, settings, ControlStores::local);
    }

    /** Likewise with stores that may be elsewhere. */
    public static Future<ControlPlane> start(
            Vertx vertx, ControlPlaneSettings settings, ControlStores.Opening opening) {
        return vertx.executeBlocking(() -> {
                    SecretBox box = new SecretBox(ServerSecret.of(settings.secretKey(), settings.dataDir()));
                    return new ControlPlane(vertx, settings, box, opening.open(settings));
                })
                .compose(plane -> plane.begin()
                        .recover(failure -> plane.close().transform(closed -> Future.failedFuture(failure))));
    }

    private Future<ControlPlane> begin() {
        return stores.config()
                .claim(box.check())
                .compose(claimed -> stores.config().load())
                .compose(this::deployAll);
    }

    private Future<ControlPlane> deployAll(Configuration loaded) {
        configActor = new ConfigActor(
                bus,
                stores.config(),
                contexts,
                new AuditTrail(box),
                boards.watched(),
                loaded,
                configuration -> serving = configuration);
        ActorPlan actors = new ActorPlan(
                bus, settings, stores, box, boards, configActor, this::configuration, alertStore, balances);
        Future<Void> deployed = Future.succeededFuture();
        for (ActorPlan.Part part : actors.parts(loaded.epoch())) {
            deployed = deployed.compose(before -> deploy(part));
        }
        return deployed.compose(done ->
                        settings.roles().contains(NodeRole.CONTROL) ? makeAdminToken() : Future.succeededFuture())
                .map(done -> this);
    }

    private Future<Void> deploy(ActorPlan.Part part) {
        return vertx.deployVerticle(part.actor(), part.options()).map(id -> {
            deployments.add(0, id);
            return null;
        });
    }

    /** Where the operator chose no token and no administrator has one, nobody could ever come in: makes one. */
    private Future<Void> makeAdminToken() {
        boolean somebodyHasOne = serving.accessTokens().values().stream()
                .anyMatch(token -> token.role() == Role.PLATFORM_ADMIN
                        && (token.expiresAt() == null || token.expiresAt().isAfter(contexts.now())));
        if (settings.adminToken() != null || somebodyHasOne) {
            return Future.succeededFuture();
        }
        ConfigCommand create = new ConfigCommand.CreateAccessToken(Role.PLATFORM_ADMIN.name(), null, "bootstrap", null);
        return configActor.submit(SYSTEM, create).map(outcome -> {
            madeAdminToken = outcome.secret();
            return null;
        });
    }

    /** The token that this start made, to be shown once; empty where none was needed. */
    public Optional<String> madeAdminToken() {
        return Optional.ofNullable(madeAdminToken);
    }

    /** Hashes API keys as they are stored: for the data plane of this process. */
    public KeyHasher keyHasher() {
        return box.keyHasher();
    }

    /** Finds providers' credentials: for the data plane of this process. */
    public CredentialSource credentials() {
        return credentials;
    }

    /** Where the audit log was tampered with; empty where it was not. */
    public Future<List<String>> verifyAudit() {
        return onCaller(stores.config().verifyAudit());
    }

    /** Stops the actors, finishes what was begun and closes the stores. */
    public Future<Void> close() {
        Future<?> stopped = Future.succeededFuture();
        for (String id : List.copyOf(deployments)) {
            stopped = stopped.transform(any -> vertx.undeploy(id));
        }
        deployments.clear();
        return onCaller(stopped.transform(any -> stores.close()));
    }

    @Override
    public Optional<Principal> authenticate(String token) {
        return tokens.check(token, serving, contexts.now());
    }

    @Override
    public Future<CommandOutcome> execute(Principal principal, ConfigCommand command) {
        return onCaller(configActor
                .submit(principal, command)
                .recover(failure -> Future.failedFuture(told(failure)))
                .compose(this::served));
    }

    /** What reaches whoever asked: that nothing is decided now is no bug. */
    private static Throwable told(Throwable failure) {
        return failure instanceof StoreAwayException || failure instanceof StoreConflictException
                ? new UnavailableException(failure.getMessage(), failure)
                : failure;
    }

    /** The same outcome once this node serves it, or after {@value #SERVED_MS_MAX} ms: it is stored in any case. */
    private Future<CommandOutcome> served(CommandOutcome outcome) {
        Promise<Void> reached = boards.applied().await(outcome.configuration().epoch());
        if (reached.future().isComplete()) {
            return Future.succeededFuture(outcome);
        }
        long timer = vertx.setTimer(SERVED_MS_MAX, late -> boards.applied().forget(reached));
        return reached.future().map(done -> {
            vertx.cancelTimer(timer);
            return outcome;
        });
    }

    @Override
    public Future<UnfreezeOutcome> unfreeze(Principal principal, UnfreezeCap command) {
        AuditTrail trail = new AuditTrail(box);
        FreezeDesk desk = new FreezeDesk(
                bus,
                this::configuration,
                (who, what, account, now) -> configActor.note(trail.unfrozen(who, what, account, now)),
                settings.clock());
        return onCaller(desk.unfreeze(principal, command));
    }

    @Override
    public CapStanding capStanding(TenantId tenant, SpendCapConfig cap) {
        return boards.caps().of(serving.tenants().get(tenant).tenant(), cap, contexts.now());
    }

    @Override
    public Subscription onCapStanding(Consumer<CapStanding> listener) {
        return boards.caps().listen(listener)::run;
    }

    @Override
    public Configuration configuration() {
        return serving;
    }

    @Override
    public Future<AuditPage> audit(TenantId tenant, Set<String> actions, int first, String after) {
        boolean number = after == null || after.matches("[0-9]{1,18}");
        if (!number) {
            return Future.failedFuture(new IllegalArgumentException("no cursor of the audit log: " + after));
        }
        return onCaller(stores.config().audit(tenant, actions, Math.max(1, Math.min(first, AUDIT_FIRST_MAX)), after));
    }

    @Override
    public Future<Optional<DecisionRecord>> decision(String traceId) {
        return decision(null, traceId);
    }

    @Override
    public Future<Optional<DecisionRecord>> decision(TenantId tenant, String traceId) {
        return onCaller(decisions.find(tenant, traceId));
    }

    @Override
    public Future<DecisionPage> decisions(FindDecisions query) {
        return onCaller(decisions.page(query));
    }

    @Override
    public Future<PlannedRoute> plan(PlanQuery query) {
        return onCaller(plans.plan(query));
    }

    @Override
    public Future<LadderVerdict> verifyLadder(Principal principal, VerifyQuery query) {
        AuditTrail trail = new AuditTrail(box);
        LadderDesk desk = new LadderDesk(
                bus, settings.owners(), (who, what) -> trail.verified(who, what, contexts.now()), configActor::note);
        return onCaller(desk.verify(principal, query, serving));
    }

    private Future<Void> noteAdjustment(Principal principal, AdjustSpend command, Instant now) {
        return configActor
                .note(new AuditTrail(box).adjusted(principal, command, now))
                .recover(failure -> Future.failedFuture(told(failure)));
    }

    @Override
    public List<PoolHealthMerged> poolHealth() {
        return boards.watched().health().values().stream()
                .sorted(Comparator.comparing(health -> health.pool().key()))
                .toList();
    }

    @Override
    public Subscription onPoolHealth(Consumer<PoolHealthMerged> listener) {
        return boards.watched().onHealth(listener);
    }

    @Override
    public Subscription onEpoch(Consumer<EpochEvent> listener) {
        return boards.watched().onEpoch(listener);
    }

    @Override
    public List<DrillTally> drillRuns(TenantId tenant, String drill) {
        TenantTree tree = serving.tenants().get(tenant);
        DrillConfig config = tree == null ? null : tree.drills().get(drill);
        Instant stoppedAt = config == null ? null : config.stoppedAt();
        return boards.drills().runs(tenant, drill).stream()
                .map(run -> run.stopped(stoppedAt))
                .toList();
    }

    @Override
    public List<RungReport> ladderReport(TenantId tenant, String scenario) {
        TenantTree tree = serving.tenants().get(tenant);
        return tree == null
                ? List.of()
                : LadderReport.of(tree, scenario, boards.drills()::proof, contexts.now(), settings.unprovenAfter());
    }

    /** Entries of the shared log of spend that this node has not taken over: for metrics. 0 where the node is alone. */
    public long spendBehind() {
        return stores.spend().behind();
    }

    /** Rungs of all tenants that nobody should rely on: for metrics. */
    public long unprovenRungs() {
        return serving.tenants().keySet().stream()
                .flatMap(tenant -> ladderReport(tenant, null).stream())
                .filter(RungReport::unproven)
                .count();
    }

    @Override
    public Optional<ShiftStanding> shift(ScenarioKey scenario) {
        return boards.shifts().of(scenario);
    }

    @Override
    public Subscription onShift(Consumer<ShiftStanding> listener) {
        return boards.shifts().listen(listener)::run;
    }

    /** Scenarios of all tenants in a phase of a shift: for metrics. */
    public long shifts(ShiftPhase phase) {
        return boards.shifts().count(phase);
    }

    @Override
    public Future<List<BalanceStanding>> balances(TenantId owner) {
        return onCaller(balances.of(owner));
    }

    @Override
    public SpendApi spend() {
        return spendDesk;
    }

    @Override
    public String ownerOf(ScenarioKey scenario) {
        return ownerOf(scenario.key());
    }

    @Override
    public String ownerOf(ScopedId pool) {
        return ownerOf(pool.key());
    }

    /** Operators are answered by nodes that could own it themselves, so that there always is one. */
    private String ownerOf(String key) {
        return settings.owners().ownerOf(key).orElseThrow();
    }

    @Override
    public List<ClusterMember> members() {
        return boards.watched().members(settings.owners().nodes());
    }

    /** The same future, completing on the context of whoever called. */
    private <T> Future<T> onCaller(Future<T> future) {
        Context caller = vertx.getOrCreateContext();
        Promise<T> promise = Promise.promise();
        future.onComplete(result -> caller.runOnContext(now -> {
            if (result.succeeded()) {
                promise.complete(result.result());
            } else {
                promise.fail(result.cause());
            }
        }));
        return promise.future();
    }
}
