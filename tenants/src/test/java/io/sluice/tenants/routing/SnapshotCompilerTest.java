package io.sluice.tenants.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.DrillSchedule;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.ScenarioDefaults;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.fault.CompiledFaultRule;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import io.sluice.tenants.shift.PublishedShifts;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SnapshotCompilerTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    private final SnapshotCompiler compiler = new SnapshotCompiler();

    private final Configuration configuration = Configuration.EMPTY
            .with(null, catalog(null).withPrices("model", priceOf(1)))
            .with(tenant(ACME))
            .with(tenant(OTHER))
            .atEpoch(5);

    @Test
    void compilesAScenarioDownToItsTargets() {
        CompiledScenario scenario =
                compiler.compile(configuration).tenants().get(ACME).scenarios().get("chat");
        CompiledRung.Pool first = (CompiledRung.Pool) scenario.ladder().get(0);
        assertThat(first.pool().id()).isEqualTo(ScopedId.platform("pool"));
        assertThat(first.timeoutMs()).isEqualTo(1_500);
        assertThat(first.minRemainingMs()).isEqualTo(ScenarioDefaults.MIN_REMAINING.toMillis());
        assertThat(first.pool().targets())
                .containsExactly(new CompiledTarget(
                        "provider/model@gpt-4.1",
                        ScopedId.platform("provider"),
                        ScopedId.platform("model"),
                        "gpt-4.1",
                        100,
                        8_000,
                        1_000,
                        true,
                        false,
                        true,
                        SnapshotCompiler.CONCURRENCY_DEFAULT,
                        new UpstreamQuota("account |provider gpt-4.1", null, null),
                        priceOf(1),
                        null));
        assertThat(scenario.ladder().get(1)).isEqualTo(new CompiledRung.Text("sorry", "Please call."));
        assertThat(scenario.ladder()
                        .get(1)
                        .<String>fold(pool -> "pool", cache -> "cache", rules -> "rules", CompiledRung.Text::text))
                .isEqualTo("Please call.");
    }

    @Test
    void faultRulesAreCompiledForTheTenantThatHasThemAndNoOther() {
        Snapshot snapshot = compiler.compile(
                configuration.with(configuration.tenants().get(ACME).with(faultRule())));
        assertThat(snapshot.tenants().get(ACME).faults().rules())
                .containsExactly(new CompiledFaultRule(
                        "r", "chat", null, null, "model", Fault.of(FaultKind.CUT), 0.5, 0, 9_000));
        assertThat(snapshot.tenants().get(OTHER).faults()).isNull();
    }

    @Test
    void whereFaultsAreOffRulesThatWereStoredBeforeAreLeftOut() {
        Snapshot snapshot = new SnapshotCompiler(false)
                .compile(configuration.with(configuration.tenants().get(ACME).with(faultRule())));
        assertThat(snapshot.tenants().get(ACME).faults()).isNull();
    }

    private static FaultRuleConfig faultRule() {
        return new FaultRuleConfig(
                "r",
                1,
                "chat",
                null,
                null,
                "model",
                Fault.of(FaultKind.CUT),
                0.5,
                null,
                Instant.ofEpochMilli(9_000),
                "Ann",
                "a drill");
    }

    @Test
    void aSwitchOfAllScenariosHoldsWhereItsRungStandsBelowAnother() {
        Snapshot snapshot = compiler.compile(configuration.with(switched("sorry", null)));
        assertThat(start(snapshot).switches())
                .containsExactly(new StartInput.ActiveSwitch("off", 1, UNTIL.toEpochMilli()));
    }

    @Test
    void aSwitchThatWasEndedOrNamesNoLowerRungCompilesToNothing() {
        assertThat(start(compiler.compile(configuration.with(switched("sorry", Instant.EPOCH)))))
                .isEqualTo(CompiledStart.NORMAL);
        assertThat(start(compiler.compile(configuration.with(switched("first", null)))))
                .isEqualTo(CompiledStart.NORMAL);
        assertThat(start(compiler.compile(configuration.with(switched("elsewhere", null)))))
                .isEqualTo(CompiledStart.NORMAL);
    }

    @Test
    void aSwitchEndsByTheClockWithoutANewEpoch() {
        CompiledStart start = start(compiler.compile(configuration.with(switched("sorry", null))));
        assertThat(start.at(UNTIL.minusMillis(1), TRACE).switches()).hasSize(1);
        assertThat(start.at(UNTIL, TRACE)).isNull();
    }

    @Test
    void aDrillBeginsAndEndsByTheClockWithoutANewEpoch() {
        DrillConfig drill = new DrillConfig(
                "d", 1, "chat", "sorry", 1, new DrillSchedule.Once(FROM, UNTIL), "me", "why", true, null, null);
        TenantTree acme = configuration.tenants().get(ACME).with(drill);
        CompiledStart start = start(compiler.compile(configuration.with(acme)));
        assertThat(start.at(FROM.minusMillis(1), TRACE)).isNull();
        assertThat(start.at(FROM, TRACE).drills()).singleElement().satisfies(running -> {
            assertThat(running.rung()).isEqualTo(1);
            assertThat(running.unit()).isEqualTo(StartDecider.unit(TRACE, "d"));
        });
        assertThat(start.at(UNTIL, TRACE)).isNull();
    }

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final Instant FROM = Instant.parse("2026-03-01T10:00:00Z");
    private static final Instant UNTIL = Instant.parse("2026-03-01T11:00:00Z");

    private TenantTree switched(String fromStep, Instant ended) {
        return configuration
                .tenants()
                .get(ACME)
                .with(new SwitchConfig("off", 1, null, fromStep, "me", "why", UNTIL, LocalDate.of(2026, 3, 1), ended));
    }

    private static CompiledStart start(Snapshot snapshot) {
        return snapshot.tenants().get(ACME).scenarios().get("chat").start();
    }

    @Test
    void theVersionOfAScenarioIsThatOfAllItsAnswersDependOn() {
        String before = version(configuration);
        TenantTree acme = configuration.tenants().get(ACME);

        assertThat(version(configuration.with(switched("sorry", null)))).isEqualTo(before);
        assertThat(version(configuration.with(acme.with(faultRule())))).isEqualTo(before);
        assertThat(version(configuration.with(null, configuration.platform().withPrices("model", priceOf(9)))))
                .isEqualTo(before);
        assertThat(version(configuration.with(null, configuration.platform().with(model(null, 2)))))
                .isNotEqualTo(before);
        assertThat(version(configuration.with(ACME, catalog(ACME))))
                .as("the tenant's own pool of the same name and version")
                .isNotEqualTo(before);
    }

    private String version(Configuration changed) {
        return compiler.compile(changed)
                .tenants()
                .get(ACME)
                .scenarios()
                .get("chat")
                .version();
    }

    @Test
    void anUnchangedTenantKeepsItsCompiledObject() {
        Snapshot before = compiler.compile(configuration);
        TenantTree renamed = configuration.tenants().get(OTHER).with(tenantConfig(OTHER, "new name"));
        Snapshot after = compiler.compile(configuration.with(renamed).atEpoch(6));
        assertThat(after.epoch()).isEqualTo(6);
        assertThat(after.tenants().get(ACME)).isSameAs(before.tenants().get(ACME));
        assertThat(after.tenants().get(OTHER)).isNotSameAs(before.tenants().get(OTHER));
    }

    @Test
    void aTenantDeclaredAgainInTheSameWordsKeepsItToo() {
        Snapshot before = compiler.compile(configuration);
        Snapshot after = compiler.compile(configuration.with(tenant(ACME)).atEpoch(6));
        assertThat(after.tenants().get(ACME)).isSameAs(before.tenants().get(ACME));
    }

    @Test
    void aChangeOfThePlatformReachesEveryTenant() {
        compiler.compile(configuration);
        Catalog dearer = configuration.platform().withPrices("model", priceOf(9));
        Snapshot after = compiler.compile(configuration.with(null, dearer).atEpoch(6));
        assertThat(pricesOf(after, ACME)).isEqualTo(priceOf(9));
        assertThat(pricesOf(after, OTHER)).isEqualTo(priceOf(9));
    }

    @Test
    void aTenantsOwnPriceHoldsForItAloneInThePlatformsPool() {
        Snapshot snapshot = compiler.compile(configuration.with(ACME, Catalog.EMPTY.withPrices("model", priceOf(2))));
        assertThat(pricesOf(snapshot, ACME)).isEqualTo(priceOf(2));
        assertThat(pricesOf(snapshot, OTHER)).isEqualTo(priceOf(1));
    }

    @Test
    void whatAPlatformsPoolCostsInMemoryDoesNotGrowWithTheTenantsThatMayUseIt() {
        Catalog platform = configuration.platform();
        for (int i = 0; i < 100; i++) {
            platform = platform.with(new PoolConfig(
                    ScopedId.platform("pool-" + i),
                    1,
                    Tier.STANDARD,
                    List.of(new TargetConfig("provider", "model", "m", 1))));
        }
        Configuration many = configuration.with(null, platform);
        for (int i = 0; i < 200; i++) {
            TenantTree tree = tenant(new TenantId("tenant-" + i));
            // every second one has something of its own, which must not take the others' form from it
            many = many.with(
                    i % 2 == 0
                            ? tree
                            : tree.with(Catalog.EMPTY.with(new PoolConfig(
                                    new ScopedId(tree.tenant().id(), "own"), 1, Tier.LIGHT, List.of()))));
        }
        Snapshot snapshot = compiler.compile(many);
        Set<CompiledPool> forms = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Object> maps = Collections.newSetFromMap(new IdentityHashMap<>());
        for (CompiledTenant tenant : snapshot.tenants().values()) {
            maps.add(tenant.pools().platform());
            tenant.pools().names().forEach(name -> forms.add(tenant.pools().get(name)));
        }
        assertThat(forms).as("101 of the platform, and 100 own ones").hasSize(201);
        assertThat(maps).as("no list of them for each tenant either").hasSize(1);
    }

    @Test
    void aTenantOfAnotherCurrencyHasNoPriceInThePlatformsPool() {
        TenantTree euro = TenantTree.of(new TenantConfig(OTHER, 1, "", ZoneId.of("UTC"), "EUR", false));
        Snapshot snapshot = compiler.compile(configuration.with(euro));
        assertThat(pricesOf(snapshot, OTHER)).isEqualTo(PriceBook.EMPTY);
        assertThat(pricesOf(snapshot, ACME)).isEqualTo(priceOf(1));
    }

    @Test
    void aTenantsOwnPriceThatIsGoneLeavesThePlatforms() {
        compiler.compile(configuration.with(ACME, Catalog.EMPTY.withPrices("model", priceOf(2))));
        assertThat(pricesOf(compiler.compile(configuration.atEpoch(6)), ACME)).isEqualTo(priceOf(1));
    }

    @Test
    void aTenantsOwnPoolHidesThePlatformsOfTheSameName() {
        Snapshot snapshot = compiler.compile(configuration.with(ACME, catalog(ACME)));
        assertThat(snapshot.tenants().get(ACME).pools().get("pool").id()).isEqualTo(new ScopedId(ACME, "pool"));
        assertThat(snapshot.tenants()
                        .get(ACME)
                        .pools()
                        .get("pool")
                        .targets()
                        .get(0)
                        .provider())
                .isEqualTo(new ScopedId(ACME, "provider"));
        assertThat(snapshot.tenants().get(OTHER).pools().get("pool").id()).isEqualTo(ScopedId.platform("pool"));
    }

    @Test
    void aPlatformPoolNeverUsesATenantsProviderOfTheSameName() {
        Snapshot snapshot = compiler.compile(
                configuration.with(ACME, Catalog.EMPTY.with(provider(ACME)).with(model(ACME))));
        CompiledTarget target =
                snapshot.tenants().get(ACME).pools().get("pool").targets().get(0);
        assertThat(target.provider()).isEqualTo(ScopedId.platform("provider"));
        assertThat(target.model()).isEqualTo(ScopedId.platform("model"));
    }

    @Test
    void noTenantSeesAnothersPools() {
        Catalog own = Catalog.EMPTY.with(new PoolConfig(new ScopedId(ACME, "secret"), 1, Tier.LIGHT, List.of()));
        Snapshot snapshot = compiler.compile(configuration.with(ACME, own));
        assertThat(snapshot.tenants().get(ACME).pools().names()).contains("secret", "pool");
        assertThat(snapshot.tenants().get(OTHER).pools().names()).containsExactly("pool");
    }

    @Test
    void aKeyIsCompiledWithItsTenantAndItsGrants() {
        CompiledKey key = compiler.compile(configuration).key("key-acme").orElseThrow();
        assertThat(key.tenant()).isEqualTo(ACME);
        assertThat(key.secretHash()).hasSize(32).startsWith(0xAB, 0xAB);
        assertThat(key.allowsScenario("chat")).isTrue();
        assertThat(key.allowsScenario("admin")).isFalse();
        assertThat(key.allowsModel("anything")).isTrue();
        assertThat(key.revoked()).isFalse();
        assertThat(compiler.compile(configuration).key("nobody")).isEmpty();
    }

    @Test
    void aRevokedKeyStaysKnownAsRevoked() {
        TenantTree acme = configuration.tenants().get(ACME);
        ApiKeyConfig revoked = acme.keys().get("key-acme").revoked(Instant.EPOCH);
        assertThat(compiler.compile(configuration.with(acme.with(revoked)))
                        .key("key-acme")
                        .orElseThrow()
                        .revoked())
                .isTrue();
    }

    @Test
    void aTenantThatIsGoneLeavesNothingBehind() {
        compiler.compile(configuration.with(ACME, catalog(ACME)));
        Configuration without = new Configuration(
                6,
                configuration.platform(),
                Map.of(OTHER, configuration.tenants().get(OTHER)),
                Map.of());
        Snapshot snapshot = compiler.compile(without);
        assertThat(snapshot.tenants()).containsOnlyKeys(OTHER);
        assertThat(snapshot.key("key-acme")).isEmpty();
        assertThat(snapshot.providers()).containsOnlyKeys(ScopedId.platform("provider"));
    }

    @Test
    void afterAConfigurationThatCannotBeCompiledTheNextOneStill() {
        Snapshot before = compiler.compile(configuration);
        Catalog dangling = Catalog.EMPTY.with(new PoolConfig(
                new ScopedId(ACME, "p"), 1, Tier.LIGHT, List.of(new TargetConfig("nope", "nope", null, 1))));
        assertThatThrownBy(() -> compiler.compile(configuration.with(ACME, dangling)))
                .isInstanceOf(NoSuchElementException.class);
        assertThat(compiler.compile(configuration).tenants().get(ACME))
                .isSameAs(before.tenants().get(ACME));
    }

    @Test
    void newWeightsLeaveTheConfigurationAsItIs() {
        Snapshot snapshot = compiler.compile(configuration);
        PublishedWeights weights = PublishedWeights.NONE.plus(
                List.of(new PoolWeights(ScopedId.platform("pool"), new Stamp(3, "n"), Map.of("p/m", 0.5))));
        Snapshot newer = snapshot.with(weights);
        assertThat(newer.tenants()).isSameAs(snapshot.tenants());
        assertThat(newer.weights().of(ScopedId.platform("pool"))).containsEntry("p/m", 0.5);
        assertThat(newer.weights().of(ScopedId.platform("other"))).isEmpty();
    }

    @Test
    void lookingUpCostsTheSameWithOneAndWithTenThousandTenants() {
        assertThat(readsOfOneLookUp(10_000)).isEqualTo(readsOfOneLookUp(1)).isEqualTo(2);
    }

    /** Reads of the two maps that grow with the tenants, from the key's id to the compiled scenario. */
    @Test
    void limitsOfTheTenantAndOfThoseAppsThatHaveSomeAreCompiled() {
        LimitsConfig few = new LimitsConfig(5, null, null);
        TenantConfig limited = new TenantConfig(ACME, 2, "Acme", ZoneId.of("UTC"), "USD", false, null, null, few);
        TenantTree tree = tenant(ACME)
                .with(limited)
                .with(new AppConfig("free", null))
                .with(new AppConfig("bound", null, few, null));

        Snapshot snapshot = compiler.compile(configuration.with(tree).atEpoch(6));

        assertThat(snapshot.tenants().get(ACME).limits())
                .isEqualTo(new CompiledLimits(null, few, Map.of("bound", new AppConfig("bound", null, few, null))));
        assertThat(snapshot.tenants().get(OTHER).limits()).isNull();
    }

    @Test
    void targetsOfOneQuotaGroupHaveOneKeyAndOthersOneEach() {
        UpstreamQuota alone = quotaOf(null);
        UpstreamQuota grouped = quotaOf("account");

        assertThat(alone.key()).isEqualTo("account |provider gpt-4.1");
        assertThat(grouped).isEqualTo(new UpstreamQuota("group |account", 60, 1_000));
    }

    private UpstreamQuota quotaOf(String group) {
        ProviderConfig before = provider(null);
        ProviderConfig provider = new ProviderConfig(
                before.id(),
                before.version(),
                before.plugin(),
                before.baseUrl(),
                null,
                group,
                null,
                60,
                1_000,
                null,
                Map.of());
        Snapshot snapshot = new SnapshotCompiler()
                .compile(configuration
                        .with(null, configuration.platform().with(provider))
                        .atEpoch(6));
        return snapshot.tenants().get(ACME).pools().get("pool").targets().get(0).quota();
    }

    private static int readsOfOneLookUp(int tenants) {
        Configuration many = Configuration.EMPTY.with(null, catalog(null));
        Map<TenantId, TenantTree> trees = new HashMap<>();
        for (int i = 0; i < tenants; i++) {
            TenantId id = new TenantId("t" + i);
            trees.put(id, tenant(id));
        }
        Snapshot compiled = new SnapshotCompiler().compile(new Configuration(1, many.platform(), trees, Map.of()));
        CountingMap<String, CompiledKey> keys = new CountingMap<>(compiled.keys());
        CountingMap<TenantId, CompiledTenant> byId = new CountingMap<>(compiled.tenants());
        Snapshot counted =
                new Snapshot(1, keys, byId, compiled.providers(), PublishedWeights.NONE, PublishedShifts.NONE);

        CompiledKey key = counted.key("key-t0").orElseThrow();
        CompiledTenant tenant = counted.tenants().get(key.tenant());

        assertThat(tenant.scenarios()).containsOnlyKeys("chat");
        return keys.reads + byId.reads;
    }

    /** Counts reads; anything that goes over all entries fails. */
    private static final class CountingMap<K, V> extends AbstractMap<K, V> {
        private final Map<K, V> map;
        private int reads;

        CountingMap(Map<K, V> map) {
            this.map = map;
        }

        @Override
        public V get(Object key) {
            reads++;
            return map.get(key);
        }

        @Override
        public Set<Entry<K, V>> entrySet() {
            throw new AssertionError("a look-up went over all entries");
        }
    }

    private static PriceBook pricesOf(Snapshot snapshot, TenantId tenant) {
        return snapshot.tenants()
                .get(tenant)
                .pools()
                .get("pool")
                .targets()
                .get(0)
                .prices();
    }

    private static TenantTree tenant(TenantId id) {
        ScenarioConfig chat = new ScenarioConfig(
                "chat",
                1,
                Sensitivity.CREATIVE,
                RequestKind.READ,
                false,
                null,
                null,
                List.of(
                        new RungConfig.Pool("first", "pool", Duration.ofMillis(1_500), null),
                        new RungConfig.Text("sorry", "Please call.")),
                null);
        ApiKeyConfig key = new ApiKeyConfig(
                "key-" + id,
                "app",
                "ab".repeat(32),
                "gw_live_key",
                List.of("chat"),
                "chat",
                null,
                Instant.EPOCH,
                null,
                null,
                null);
        return TenantTree.of(tenantConfig(id, "")).with(chat).with(key);
    }

    private static TenantConfig tenantConfig(TenantId id, String name) {
        return new TenantConfig(id, 1, name, ZoneId.of("UTC"), "USD", false);
    }

    private static Catalog catalog(TenantId owner) {
        return Catalog.EMPTY
                .with(provider(owner))
                .with(model(owner))
                .with(new PoolConfig(
                        new ScopedId(owner, "pool"),
                        1,
                        Tier.STANDARD,
                        List.of(new TargetConfig("provider", "model", "gpt-4.1", 100))));
    }

    private static ProviderConfig provider(TenantId owner) {
        return new ProviderConfig(new ScopedId(owner, "provider"), 1, "openai", null, null, null, null, null, null);
    }

    private static ModelConfig model(TenantId owner) {
        return model(owner, 1);
    }

    private static ModelConfig model(TenantId owner, int version) {
        return new ModelConfig(new ScopedId(owner, "model"), version, 8_000, 1_000, true, false, true);
    }

    private static PriceBook priceOf(long micros) {
        return new PriceBook(List.of(new Price(Instant.EPOCH, new Money(micros), new Money(micros), null, null)));
    }
}
