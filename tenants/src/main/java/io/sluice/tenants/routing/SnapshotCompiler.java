package io.sluice.tenants.routing;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.PromptVariant;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.ScenarioDefaults;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.fault.CompiledFaultRule;
import io.sluice.tenants.fault.CompiledFaults;
import io.sluice.tenants.routing.CompiledStart.CompiledDrill;
import io.sluice.tenants.routing.StartInput.ActiveSwitch;
import io.sluice.tenants.shift.PublishedShifts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compiles a configuration into a {@link Snapshot}. A tenant whose declaration did not change keeps its compiled form, so an
 * edit costs one tenant's compilation plus a copy of the top-level maps. Not thread-safe; one owner calls it in epoch order.
 */
public final class SnapshotCompiler {
    /**
     * Calls in flight per target and node where the provider sets no limit: more than one event loop can usefully drive, and
     * low enough that a hanging upstream holds at most a few hundred sockets.
     */
    public static final int CONCURRENCY_DEFAULT = 512;

    private final boolean faults;

    /** The platform's pools at the platform's prices, by the currency of the tenants that use them. */
    private final Map<String, Map<String, CompiledPool>> shared = new HashMap<>();

    private Configuration last = Configuration.EMPTY;
    private Snapshot lastSnapshot = Snapshot.NONE;

    /** One that compiles everything. */
    public SnapshotCompiler() {
        this(true);
    }

    /** @param faults whether fault rules may strike; where not, they are left out */
    public SnapshotCompiler(boolean faults) {
        this.faults = faults;
    }

    /** Compiles {@code configuration}, which was found valid when it was stored; the weights are those of no publication. */
    public Snapshot compile(Configuration configuration) {
        boolean platformSame = configuration.platform().equals(last.platform());
        if (!platformSame) {
            shared.clear();
        }
        // As large as the last ones: they are nearly always as full.
        Map<TenantId, CompiledTenant> tenants = roomFor(lastSnapshot.tenants());
        Map<String, CompiledKey> keys = roomFor(lastSnapshot.keys());
        Map<ScopedId, ProviderConfig> providers = roomFor(lastSnapshot.providers());
        addProviders(configuration.platform(), providers);
        configuration.tenants().forEach((id, tree) -> {
            CompiledTenant before = lastSnapshot.tenants().get(id);
            boolean same =
                    platformSame && before != null && tree.equals(last.tenants().get(id));
            tenants.put(id, same ? before : compileTenant(configuration, id, tree));
            boolean keysSame =
                    before != null && tree.keys().equals(last.tenants().get(id).keys());
            tree.keys()
                    .forEach((keyId, key) ->
                            keys.put(keyId, keysSame ? lastSnapshot.keys().get(keyId) : compileKey(id, key)));
            addProviders(tree.catalog(), providers);
        });
        last = configuration;
        lastSnapshot = new Snapshot(
                configuration.epoch(),
                Collections.unmodifiableMap(keys),
                Collections.unmodifiableMap(tenants),
                Collections.unmodifiableMap(providers),
                PublishedWeights.NONE,
                PublishedShifts.NONE);
        return lastSnapshot;
    }

    private static <K, V> Map<K, V> roomFor(Map<K, V> entries) {
        return new HashMap<>(entries.size() * 2);
    }

    private static void addProviders(Catalog catalog, Map<ScopedId, ProviderConfig> providers) {
        catalog.providers().values().forEach(provider -> providers.put(provider.id(), provider));
    }

    private static CompiledKey compileKey(TenantId tenant, ApiKeyConfig key) {
        return new CompiledKey(
                key.id(),
                tenant,
                key.appId(),
                HexFormat.of().parseHex(key.secretHash()),
                key.scenarios() == null ? null : Set.copyOf(key.scenarios()),
                key.defaultScenario(),
                key.models() == null ? null : Set.copyOf(key.models()),
                key.expiresAt(),
                key.revokedAt() != null,
                key.limits());
    }

    private CompiledTenant compileTenant(Configuration configuration, TenantId id, TenantTree tree) {
        CompiledPools pools = compilePools(configuration, id, tree);
        Map<String, CompiledScenario> scenarios = new HashMap<>();
        tree.scenarios().forEach((name, scenario) -> scenarios.put(name, compileScenario(tree, scenario, pools)));
        return new CompiledTenant(
                id,
                tree.tenant().suspended(),
                tree.tenant().currency(),
                scenarios,
                tree.scenarios().keySet().stream().sorted().toList(),
                pools,
                compileLimits(tree),
                compileFaults(tree.faultRules().values()),
                compileCaps(tree));
    }

    private static CompiledCaps compileCaps(TenantTree tree) {
        Map<CapScope, Map<String, List<CompiledCap>>> found = new EnumMap<>(CapScope.class);
        for (SpendCapConfig cap : tree.spendCaps().values()) {
            if (!cap.removed()) {
                found.computeIfAbsent(cap.scope(), scope -> new HashMap<>())
                        .computeIfAbsent(cap.subject() == null ? "" : cap.subject(), subject -> new ArrayList<>())
                        .add(new CompiledCap(
                                cap.id(),
                                cap.display(),
                                cap.period(),
                                cap.limit().micros(),
                                cap.atExhaustion()));
            }
        }
        found.values()
                .forEach(bySubject ->
                        bySubject.values().forEach(caps -> caps.sort(Comparator.comparing(CompiledCap::id))));
        return new CompiledCaps(
                tree.tenant().calendar(),
                tree.tenant().currency(),
                found.getOrDefault(CapScope.TENANT, Map.of()).getOrDefault("", List.of()),
                found.getOrDefault(CapScope.APP, Map.of()),
                found.getOrDefault(CapScope.SCENARIO, Map.of()),
                found.getOrDefault(CapScope.END_USER, Map.of()));
    }

    private static CompiledLimits compileLimits(TenantTree tree) {
        TenantConfig tenant = tree.tenant();
        Map<String, AppConfig> apps = new HashMap<>();
        tree.apps().forEach((id, app) -> {
            if (app.limits() != null || app.endUserLimits() != null) {
                apps.put(id, app);
            }
        });
        return tenant.limits() == null && tenant.endUserLimits() == null && apps.isEmpty()
                ? null
                : new CompiledLimits(tenant.limits(), tenant.endUserLimits(), apps);
    }

    private CompiledFaults compileFaults(Collection<FaultRuleConfig> rules) {
        return !faults || rules.isEmpty()
                ? null
                : new CompiledFaults(
                        rules.stream().map(SnapshotCompiler::compileFault).toList());
    }

    private static CompiledFaultRule compileFault(FaultRuleConfig rule) {
        return new CompiledFaultRule(
                rule.id(),
                rule.scenario(),
                rule.pool(),
                rule.provider(),
                rule.model(),
                rule.fault(),
                rule.share(),
                rule.startsAt() == null ? 0 : rule.startsAt().toEpochMilli(),
                rule.endsAt().toEpochMilli());
    }

    private CompiledPools compilePools(Configuration configuration, TenantId user, TenantTree tree) {
        Catalog catalog = tree.catalog();
        Map<String, PoolConfig> ofPlatform = configuration.platform().pools();
        Map<String, CompiledPool> platform =
                shared.computeIfAbsent(tree.tenant().currency(), currency -> {
                    Map<String, CompiledPool> compiled = new HashMap<>();
                    ofPlatform.forEach(
                            (name, pool) -> compiled.put(name, compilePool(configuration, user, Catalog.EMPTY, pool)));
                    return Map.copyOf(compiled);
                });
        Map<String, CompiledPool> own = new HashMap<>();
        if (!catalog.prices().isEmpty()) {
            ofPlatform.forEach((name, pool) -> {
                if (pool.targets().stream().anyMatch(target -> catalog.prices().containsKey(target.model()))) {
                    own.put(name, compilePool(configuration, user, catalog, pool));
                }
            });
        }
        catalog.pools().forEach((name, pool) -> own.put(name, compilePool(configuration, user, catalog, pool)));
        return new CompiledPools(own, platform);
    }

    /** @param catalog whose prices count before the platform's */
    private static CompiledPool compilePool(
            Configuration configuration, TenantId user, Catalog catalog, PoolConfig pool) {
        List<CompiledTarget> targets = new ArrayList<>();
        StringBuilder version = new StringBuilder(versioned(pool.id(), pool.version()));
        for (TargetConfig target : pool.targets()) {
            TenantId owner = pool.id().tenant();
            ProviderConfig provider =
                    configuration.provider(owner, target.provider()).orElseThrow();
            ModelConfig model = configuration.model(owner, target.model()).orElseThrow();
            version.append('=').append(versioned(provider.id(), provider.version()));
            version.append('/').append(versioned(model.id(), model.version()));
            targets.add(new CompiledTarget(
                    targetKey(target),
                    provider.id(),
                    model.id(),
                    target.nameUpstream(),
                    target.weight(),
                    model.contextWindow(),
                    model.maxOutputTokens(),
                    model.tools(),
                    model.vision(),
                    model.jsonSchema(),
                    provider.maxConcurrency() == null ? CONCURRENCY_DEFAULT : provider.maxConcurrency(),
                    quota(provider, target),
                    configuration.prices(user, catalog, target.model(), target.nameUpstream()),
                    provider.region()));
        }
        return new CompiledPool(pool.id(), version.toString(), pool.tier(), targets);
    }

    private static UpstreamQuota quota(ProviderConfig provider, TargetConfig target) {
        String key = provider.quotaGroup() == null
                ? "account " + provider.id().key() + " " + target.nameUpstream()
                : "group " + new ScopedId(provider.id().tenant(), provider.quotaGroup()).key();
        return new UpstreamQuota(key, provider.requestsPerMinute(), provider.tokensPerMinute());
    }

    /** Versions of an object only grow, so the same text is the same object. */
    private static String versioned(ScopedId id, int version) {
        return id.key() + '@' + version;
    }

    /** The name of a target within its pool; see {@link CompiledTarget#key}. */
    public static String targetKey(TargetConfig target) {
        String base = target.provider() + "/" + target.model();
        return target.nameUpstream().equals(target.model()) ? base : base + "@" + target.nameUpstream();
    }

    private static CompiledScenario compileScenario(TenantTree tree, ScenarioConfig scenario, CompiledPools pools) {
        List<CompiledRung> ladder = new ArrayList<>();
        StringBuilder version = new StringBuilder().append(scenario.version());
        for (RungConfig rung : scenario.ladder()) {
            CompiledRung compiled = compileRung(scenario, rung, pools);
            ladder.add(compiled);
            if (compiled instanceof CompiledRung.Pool pool) {
                version.append(' ').append(pool.pool().version());
            }
        }
        return new CompiledScenario(
                scenario.name(),
                version.toString(),
                scenario.sensitivity(),
                scenario.kind(),
                scenario.core(),
                ScenarioSettings.parse(scenario),
                ScenarioSettings.degradedNotice(scenario.settings()),
                ladder,
                compileStart(tree, scenario),
                scenario.limits());
    }

    /** What names a rung that the ladder does not have is left out. Ended switches can never come back in this epoch. */
    private static CompiledStart compileStart(TenantTree tree, ScenarioConfig scenario) {
        if (tree.switches().isEmpty() && tree.drills().isEmpty()) {
            return CompiledStart.NORMAL;
        }
        List<String> steps = scenario.ladder().stream().map(RungConfig::name).toList();
        List<ActiveSwitch> switches = tree.switches().values().stream()
                .filter(each -> each.endedAt() == null && each.covers(scenario.name()))
                .filter(each -> steps.indexOf(each.fromStep()) > 0)
                .sorted(Comparator.comparing(SwitchConfig::id))
                .map(each -> new ActiveSwitch(
                        each.id(),
                        steps.indexOf(each.fromStep()),
                        each.expiresAt().toEpochMilli()))
                .toList();
        List<CompiledDrill> drills = tree.drills().values().stream()
                .filter(each -> each.scenario().equals(scenario.name()) && steps.contains(each.fromStep()))
                .filter(each -> each.enabled() || each.started() != null)
                .sorted(Comparator.comparing(DrillConfig::id))
                .map(each -> new CompiledDrill(
                        steps.indexOf(each.fromStep()), each, tree.tenant().timeZone()))
                .toList();
        return switches.isEmpty() && drills.isEmpty() ? CompiledStart.NORMAL : new CompiledStart(switches, drills);
    }

    private static CompiledRung compileRung(ScenarioConfig scenario, RungConfig rung, CompiledPools pools) {
        if (rung instanceof RungConfig.Pool pool) {
            return new CompiledRung.Pool(
                    pool.name(),
                    pools.get(pool.pool()),
                    edit(scenario, pool),
                    pool.timeout() == null ? 0 : pool.timeout().toMillis(),
                    (pool.minRemaining() == null ? ScenarioDefaults.MIN_REMAINING : pool.minRemaining()).toMillis());
        }
        if (rung instanceof RungConfig.Cache cache) {
            return new CompiledRung.Cache(cache.name(), cache.maxAge().toMillis());
        }
        if (rung instanceof RungConfig.Rules rules) {
            return new CompiledRung.Rules(rules.name(), KeywordRules.of(rules.rules()));
        }
        RungConfig.Text text = (RungConfig.Text) rung;
        return new CompiledRung.Text(text.name(), text.text());
    }

    private static RungEdit edit(ScenarioConfig scenario, RungConfig.Pool rung) {
        PromptVariant variant = rung.promptVariant() == null
                ? null
                : ScenarioSettings.promptVariants(scenario.settings()).get(rung.promptVariant());
        RungEdit edit = new RungEdit(
                rung.maxTokensFactor() == null ? 1 : rung.maxTokensFactor(),
                rung.fewShotMax() == null ? -1 : rung.fewShotMax(),
                ScenarioSettings.leadingPairs(scenario.settings()),
                variant == null ? null : rung.promptVariant(),
                variant == null ? null : variant.system(),
                variant != null && variant.instead());
        return edit.none() ? RungEdit.NONE : edit;
    }
}
