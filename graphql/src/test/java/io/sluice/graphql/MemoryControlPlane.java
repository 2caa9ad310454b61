package io.sluice.graphql;

import io.sluice.control.api.Action;
import io.sluice.control.api.AuditEntry;
import io.sluice.control.api.AuditPage;
import io.sluice.control.api.Authorizer;
import io.sluice.control.api.BalanceStanding;
import io.sluice.control.api.CapStanding;
import io.sluice.control.api.ClusterMember;
import io.sluice.control.api.CommandOutcome;
import io.sluice.control.api.ConfigChange;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.DateTimeText;
import io.sluice.control.api.EpochEvent;
import io.sluice.control.api.LadderVerdict;
import io.sluice.control.api.PlanQuery;
import io.sluice.control.api.PlannedRoute;
import io.sluice.control.api.Principal;
import io.sluice.control.api.RungReport;
import io.sluice.control.api.ShiftStanding;
import io.sluice.control.api.UnfreezeCap;
import io.sluice.control.api.UnfreezeOutcome;
import io.sluice.control.api.VerifyQuery;
import io.sluice.tenants.Ids;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AccessTokenConfig;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.config.WebhookConfig;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.RungCheck;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import io.sluice.tenants.shift.ScenarioKey;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A control plane in a few maps: enough of each command that the API in front of it can be seen to work. Thread-safe. */
final class MemoryControlPlane implements ControlPlaneApi {
    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    final List<ConfigCommand> commands = new CopyOnWriteArrayList<>();
    final List<PoolHealthMerged> health = new CopyOnWriteArrayList<>();
    final List<DecisionRecord> decisions = new CopyOnWriteArrayList<>();
    final List<DrillTally> runs = new CopyOnWriteArrayList<>();
    final List<RungReport> rungs = new CopyOnWriteArrayList<>();
    final Map<String, CapStanding> caps = new ConcurrentHashMap<>();
    final List<Consumer<CapStanding>> capListeners = new CopyOnWriteArrayList<>();
    final List<AuditEntry> audit = new CopyOnWriteArrayList<>();
    final List<Consumer<PoolHealthMerged>> healthListeners = new CopyOnWriteArrayList<>();
    final List<Consumer<EpochEvent>> epochListeners = new CopyOnWriteArrayList<>();
    final Map<String, Principal> tokens = new ConcurrentHashMap<>();

    final List<BalanceStanding> balances = new CopyOnWriteArrayList<>();

    final Map<ScenarioKey, ShiftStanding> shifts = new ConcurrentHashMap<>();
    final List<Consumer<ShiftStanding>> shiftListeners = new CopyOnWriteArrayList<>();

    final MemorySpend spend = new MemorySpend();

    /** Calls of anything but authenticate. */
    final AtomicInteger reads = new AtomicInteger();

    volatile PlanQuery planned;
    volatile VerifyQuery verified;
    volatile UnfreezeCap unfrozen;
    volatile RuntimeException fault;
    volatile Supplier<Future<Optional<DecisionRecord>>> slowDecision;

    private volatile Configuration configuration = Configuration.EMPTY;

    MemoryControlPlane() {
        tokens.put("root-token", new Principal(Role.PLATFORM_ADMIN, null, "root"));
        for (String tenant : List.of("acme", "globex")) {
            for (Role role : List.of(Role.TENANT_ADMIN, Role.FINANCE, Role.REVIEWER, Role.AUDITOR)) {
                String name = tenant + "-" + role;
                tokens.put(name, new Principal(role, new TenantId(tenant), name));
            }
            put(TenantTree.of(new TenantConfig(
                    new TenantId(tenant), 1, "Tenant " + tenant, ZoneId.of("Europe/Berlin"), "USD", false)));
        }
        configuration = configuration.with(null, Catalog.EMPTY.with(pool(null, "shared")));
        TenantId acme = new TenantId("acme");
        configuration = configuration.with(
                acme,
                Catalog.EMPTY
                        .with(pool(acme, "fast"))
                        .with(new ProviderConfig(
                                new ScopedId(acme, "up"),
                                1,
                                "openai",
                                "http://127.0.0.1:9",
                                null,
                                null,
                                null,
                                null,
                                null))
                        .withPrices(
                                "m",
                                new PriceBook(List.of(new Price(NOW, Money.of("0.15"), Money.of("0.6"), null, null)))));
        configuration =
                configuration.with(new TenantId("globex"), Catalog.EMPTY.with(pool(new TenantId("globex"), "secret")));
    }

    static PoolConfig pool(TenantId owner, String id) {
        return new PoolConfig(
                new ScopedId(owner, id), 1, Tier.STANDARD, List.of(new TargetConfig("up", "org/m", "m-2026", 100)));
    }

    synchronized void put(TenantTree tree) {
        configuration = configuration.with(tree).atEpoch(configuration.epoch() + 1);
    }

    @Override
    public Future<UnfreezeOutcome> unfreeze(Principal principal, UnfreezeCap command) {
        unfrozen = command;
        return Future.succeededFuture(new UnfreezeOutcome("2026-03-01", List.of()));
    }

    @Override
    public Future<LadderVerdict> verifyLadder(Principal principal, VerifyQuery query) {
        verified = query;
        boolean visible = Authorizer.may(principal, Action.WRITE_ROUTING, new TenantId(query.tenantId()))
                && configuration.tenants().containsKey(new TenantId(query.tenantId()));
        return Future.succeededFuture(
                visible
                        ? new LadderVerdict(
                                List.of(
                                        new RungCheck(
                                                "first",
                                                "pool",
                                                "up",
                                                "org/m",
                                                false,
                                                12.5,
                                                FailureClass.AUTH,
                                                "401 of the upstream",
                                                null),
                                        new RungCheck("last", "text", null, null, true, 0, null, null, null)),
                                List.of())
                        : new LadderVerdict(
                                List.of(),
                                List.of(new UserError(
                                        List.of("tenantId"), UserErrorCode.NOT_FOUND, "there is no such tenant"))));
    }

    @Override
    public Optional<Principal> authenticate(String token) {
        return Optional.ofNullable(tokens.get(token));
    }

    @Override
    public Configuration configuration() {
        reads.incrementAndGet();
        if (fault != null) {
            throw fault;
        }
        return configuration;
    }

    @Override
    public synchronized Future<CommandOutcome> execute(Principal principal, ConfigCommand command) {
        reads.incrementAndGet();
        commands.add(command);
        if (fault != null) {
            return Future.failedFuture(fault);
        }
        if (command instanceof ConfigCommand.CreateTenant create) {
            return Future.succeededFuture(createTenant(create));
        } else if (command instanceof ConfigCommand.UpdateTenant update) {
            return Future.succeededFuture(updateTenant(update));
        } else if (command instanceof ConfigCommand.CreateApp create) {
            return Future.succeededFuture(inTenant(principal, create.tenantId(), Action.WRITE_APPS, tree -> {
                put(tree.with(new AppConfig(create.id(), create.displayName())));
                return made(create.id(), null);
            }));
        } else if (command instanceof ConfigCommand.CreateApiKey create) {
            return Future.succeededFuture(
                    inTenant(principal, create.tenantId(), Action.WRITE_KEYS, tree -> createKey(tree, create)));
        } else if (command instanceof ConfigCommand.RevokeApiKey revoke) {
            return Future.succeededFuture(inTenant(
                    principal,
                    revoke.tenantId(),
                    Action.REVOKE_KEYS,
                    tree -> tree.keys().containsKey(revoke.id())
                            ? revoked(tree, revoke.id())
                            : refused("id", UserErrorCode.NOT_FOUND)));
        } else if (command instanceof ConfigCommand.CreateAccessToken create) {
            configuration = configuration.with(new AccessTokenConfig(
                    "t1", Role.valueOf(create.role()), new TenantId(create.tenantId()), create.name(), "hash", null));
            return Future.succeededFuture(made("t1", "secret-token"));
        } else if (command instanceof ConfigCommand.PutPool put) {
            return Future.succeededFuture(inOwner(principal, put.tenantId(), owner -> {
                Catalog catalog = configuration.catalogOf(owner).orElseThrow();
                configuration = configuration.with(owner, catalog.with(pool(owner, put.id())));
                return made(put.id(), null);
            }));
        } else if (command instanceof ConfigCommand.SetSpendCap set) {
            return Future.succeededFuture(inTenant(principal, set.tenantId(), Action.WRITE_CAPS, tree -> {
                CapScope scope = CapScope.valueOf(set.scope());
                CapPeriod period = CapPeriod.valueOf(set.period());
                String id = SpendCapConfig.idOf(scope, set.subject(), period);
                put(tree.with(new SpendCapConfig(
                        id,
                        1,
                        scope,
                        set.subject(),
                        period,
                        Money.of(set.limit()),
                        set.conserveAt(),
                        set.restrictAt(),
                        AtExhaustion.valueOf(set.atExhaustion()),
                        null)));
                return made(id, null);
            }));
        } else if (command instanceof ConfigCommand.PutWebhook put) {
            return Future.succeededFuture(inTenant(principal, put.tenantId(), Action.WRITE_WEBHOOKS, tree -> {
                put(tree.with(new WebhookConfig(
                        put.id(),
                        1,
                        put.url(),
                        new CredentialRef.Sealed("c2VhbGVk"),
                        put.thresholds(),
                        put.enabled(),
                        null)));
                return made(put.id(), "gwh_made");
            }));
        } else if (command instanceof ConfigCommand.EndFaultRule end) {
            return Future.succeededFuture(
                    inTenant(principal, end.tenantId(), Action.WRITE_ROUTING, tree -> made(end.id(), null)));
        } else if (command instanceof ConfigCommand.ApplyDocument apply) {
            return Future.succeededFuture(inOwner(
                    principal,
                    apply.tenantId(),
                    owner -> new CommandOutcome(
                            List.of(),
                            configuration,
                            null,
                            null,
                            List.of(new ConfigChange("pool", "fast", "updated")))));
        }
        return Future.succeededFuture(made(null, null));
    }

    private CommandOutcome createTenant(ConfigCommand.CreateTenant create) {
        List<UserError> errors = new java.util.ArrayList<>();
        if (!Ids.valid(create.id())) {
            errors.add(new UserError(List.of("id"), UserErrorCode.INVALID, "id must be " + Ids.RULE));
        }
        if (!ZoneId.getAvailableZoneIds().contains(create.timeZone())) {
            errors.add(new UserError(List.of("timeZone"), UserErrorCode.INVALID, "no such zone"));
        }
        if (create.currency() == null) {
            errors.add(new UserError(List.of("currency"), UserErrorCode.REQUIRED, "no currency"));
        }
        if (!errors.isEmpty()) {
            return new CommandOutcome(errors, configuration, null, null, List.of());
        }
        put(TenantTree.of(new TenantConfig(
                new TenantId(create.id()),
                1,
                create.displayName(),
                ZoneId.of(create.timeZone()),
                create.currency(),
                false)));
        return made(create.id(), null);
    }

    private CommandOutcome updateTenant(ConfigCommand.UpdateTenant update) {
        TenantTree tree = configuration.tenants().get(new TenantId(update.id()));
        TenantConfig old = tree.tenant();
        if (old.version() != update.version()) {
            return refused("version", UserErrorCode.CONFLICT_VERSION);
        }
        put(tree.with(new TenantConfig(
                old.id(),
                old.version() + 1,
                update.displayName() == null ? old.displayName() : update.displayName(),
                old.timeZone(),
                old.currency(),
                old.suspended())));
        return made(update.id(), null);
    }

    private CommandOutcome createKey(TenantTree tree, ConfigCommand.CreateApiKey create) {
        if (!tree.apps().containsKey(create.appId())) {
            return refused("appId", UserErrorCode.NOT_FOUND);
        }
        put(tree.with(new ApiKeyConfig(
                "k1",
                create.appId(),
                "hash",
                "gw_live_k1",
                create.scenarios(),
                create.defaultScenario(),
                create.models(),
                NOW,
                create.expiresAt() == null
                        ? null
                        : DateTimeText.parse(create.expiresAt()).orElseThrow(),
                null,
                null)));
        return made("k1", "gw_live_k1_secret");
    }

    private CommandOutcome revoked(TenantTree tree, String id) {
        put(tree.with(tree.keys().get(id).revoked(NOW)));
        return made(id, null);
    }

    private CommandOutcome inTenant(
            Principal principal,
            String tenantId,
            Action action,
            java.util.function.Function<TenantTree, CommandOutcome> then) {
        TenantTree tree = Ids.valid(tenantId) ? configuration.tenants().get(new TenantId(tenantId)) : null;
        return tree == null || !Authorizer.may(principal, action, tree.tenant().id())
                ? refused("tenantId", UserErrorCode.NOT_FOUND)
                : then.apply(tree);
    }

    private CommandOutcome inOwner(
            Principal principal, String tenantId, java.util.function.Function<TenantId, CommandOutcome> then) {
        if (tenantId == null) {
            return Authorizer.may(principal, Action.WRITE_ROUTING, null)
                    ? then.apply(null)
                    : refused("tenantId", UserErrorCode.FORBIDDEN);
        }
        return inTenant(
                principal,
                tenantId,
                Action.WRITE_ROUTING,
                tree -> then.apply(tree.tenant().id()));
    }

    private CommandOutcome made(String id, String secret) {
        return new CommandOutcome(List.of(), configuration, id, secret, List.of());
    }

    private CommandOutcome refused(String path, UserErrorCode code) {
        return new CommandOutcome(
                List.of(new UserError(List.of(path), code, "refused")), configuration, null, null, List.of());
    }

    @Override
    public Optional<ShiftStanding> shift(ScenarioKey scenario) {
        reads.incrementAndGet();
        return Optional.ofNullable(shifts.get(scenario));
    }

    @Override
    public Subscription onShift(Consumer<ShiftStanding> listener) {
        reads.incrementAndGet();
        shiftListeners.add(listener);
        return () -> shiftListeners.remove(listener);
    }

    @Override
    public CapStanding capStanding(TenantId tenant, SpendCapConfig cap) {
        CapStanding nothing = new CapStanding(
                new AccountKey(tenant, cap.id(), Period.of(cap.period(), LocalDate.of(2026, 3, 1))),
                Money.ZERO,
                Money.ZERO,
                BudgetBand.NORMAL,
                0,
                Instant.parse("2026-03-01T23:00:00Z"),
                null,
                null,
                NOW);
        return caps.getOrDefault(cap.id(), nothing);
    }

    @Override
    public Subscription onCapStanding(Consumer<CapStanding> listener) {
        capListeners.add(listener);
        return () -> capListeners.remove(listener);
    }

    @Override
    public Future<AuditPage> audit(TenantId tenant, Set<String> actions, int first, String after) {
        reads.incrementAndGet();
        if (after != null && !after.matches("[0-9]+")) {
            return Future.failedFuture(new IllegalArgumentException(after));
        }
        List<AuditEntry> found = audit.stream()
                .filter(entry -> tenant == null || tenant.equals(entry.tenant()))
                .filter(entry -> actions.isEmpty() || actions.contains(entry.action()))
                .filter(entry -> after == null || entry.id() < Long.parseLong(after))
                .sorted(java.util.Comparator.comparing(AuditEntry::id).reversed())
                .toList();
        List<AuditEntry> page = found.subList(0, Math.min(first, found.size()));
        return Future.succeededFuture(new AuditPage(
                page,
                page.size() < found.size()
                        ? Long.toString(page.get(page.size() - 1).id())
                        : null));
    }

    @Override
    public Future<Optional<DecisionRecord>> decision(String traceId) {
        reads.incrementAndGet();
        if (slowDecision != null) {
            return slowDecision.get();
        }
        return Future.succeededFuture(decisions.stream()
                .filter(decision -> decision.traceId().equals(traceId))
                .findFirst());
    }

    @Override
    public Future<Optional<DecisionRecord>> decision(TenantId tenant, String traceId) {
        reads.incrementAndGet();
        return Future.succeededFuture(decisions.stream()
                .filter(decision ->
                        decision.traceId().equals(traceId) && decision.tenant().equals(tenant))
                .findFirst());
    }

    @Override
    public Future<DecisionPage> decisions(FindDecisions query) {
        reads.incrementAndGet();
        return Future.succeededFuture(new DecisionPage(
                decisions.stream()
                        .filter(decision -> decision.tenant().equals(query.tenant()))
                        .filter(decision ->
                                query.scenario() == null || query.scenario().equals(decision.scenario()))
                        .limit(query.limit())
                        .toList(),
                List.of(),
                "cursor-of-the-store"));
    }

    @Override
    public Future<PlannedRoute> plan(PlanQuery query) {
        reads.incrementAndGet();
        planned = query;
        return Future.succeededFuture(new PlannedRoute(
                List.of(new PlannedRoute.Candidate("first", "up", "m", 1, List.of("only one"))), null));
    }

    @Override
    public List<PoolHealthMerged> poolHealth() {
        reads.incrementAndGet();
        return List.copyOf(health);
    }

    @Override
    public Subscription onPoolHealth(Consumer<PoolHealthMerged> listener) {
        Objects.requireNonNull(listener);
        healthListeners.add(listener);
        return () -> healthListeners.remove(listener);
    }

    @Override
    public Subscription onEpoch(Consumer<EpochEvent> listener) {
        epochListeners.add(listener);
        return () -> epochListeners.remove(listener);
    }

    @Override
    public List<DrillTally> drillRuns(TenantId tenant, String drill) {
        return runs.stream()
                .filter(run -> run.tenant().equals(tenant) && run.drill().equals(drill))
                .toList();
    }

    @Override
    public List<RungReport> ladderReport(TenantId tenant, String scenario) {
        return rungs.stream()
                .filter(rung -> scenario == null || scenario.equals(rung.scenario()))
                .toList();
    }

    @Override
    public Future<List<BalanceStanding>> balances(TenantId owner) {
        return Future.succeededFuture(balances.stream()
                .filter(each -> Objects.equals(each.provider().tenant(), owner))
                .toList());
    }

    @Override
    public MemorySpend spend() {
        return spend;
    }

    @Override
    public String ownerOf(ScenarioKey scenario) {
        return "owner of " + scenario.key();
    }

    @Override
    public String ownerOf(ScopedId pool) {
        return "owner of " + pool.key();
    }

    @Override
    public List<ClusterMember> members() {
        return List.of(new ClusterMember("node-1", List.of("control", "data"), configuration.epoch(), NOW));
    }
}
