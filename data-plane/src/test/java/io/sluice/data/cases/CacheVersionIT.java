package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.DrillSchedule;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.money.PriceBook;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kept answers live as long as what they were made by is the same: trouble and its management do not throw them away. */
class CacheVersionIT {
    private static final Instant LATER = Instant.parse("2099-01-01T00:00:00Z");

    private ScriptedUpstream upstream;
    private TestGateway gateway;

    @BeforeEach
    void start() {
        upstream = ScriptedUpstream.answering(200, Sse.whole("hello", 3, 2));
        Configuration chain = TestConfig.chain(upstream, upstream);
        gateway = TestGateway.start(
                chain.with(t1(chain).with(scenario(1)).with(t1(chain).catalog().with(pool("aside", 1)))));
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    private static ScenarioConfig scenario(int version) {
        return new ScenarioConfig(
                "chat",
                version,
                Sensitivity.SEMANTIC,
                RequestKind.READ,
                true,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                List.of(
                        new RungConfig.Pool("rung1", "pool1", null, null),
                        new RungConfig.Pool("rung2", "pool2", null, null)),
                Map.of("cache", Rig.json("{\"exact\":{\"ttl\":\"PT10M\"}}")));
    }

    private static TenantTree t1(Configuration configuration) {
        return configuration.tenants().get(TestConfig.T1);
    }

    private static ScopedId id(String name) {
        return new ScopedId(TestConfig.T1, name);
    }

    private static PoolConfig pool(String name, int version) {
        return new PoolConfig(id(name), version, Tier.STANDARD, List.of(new TargetConfig("up2", "m1", null, 100)));
    }

    private static Named<UnaryOperator<TenantTree>> change(String name, UnaryOperator<TenantTree> change) {
        return Named.of(name, change);
    }

    private static UnaryOperator<TenantTree> catalog(UnaryOperator<Catalog> change) {
        return tree -> tree.with(change.apply(tree.catalog()));
    }

    static Stream<Named<UnaryOperator<TenantTree>>> whatTheAnswerDoesNotDependOn() {
        return Stream.of(
                change(
                        "a switch",
                        tree -> tree.with(new SwitchConfig(
                                "off",
                                1,
                                null,
                                "rung2",
                                "Ann",
                                "trouble",
                                LATER,
                                LocalDate.ofInstant(LATER, ZoneOffset.UTC),
                                null))),
                change(
                        "a drill",
                        tree -> tree.with(new DrillConfig(
                                "d",
                                1,
                                "chat",
                                "rung2",
                                1,
                                new DrillSchedule.Once(LATER, LATER.plusSeconds(60)),
                                "Ann",
                                "practice",
                                true,
                                null,
                                null))),
                change(
                        "a fault rule",
                        tree -> tree.with(new FaultRuleConfig(
                                "r",
                                1,
                                "chat",
                                null,
                                null,
                                null,
                                Fault.of(FaultKind.CUT),
                                1,
                                null,
                                LATER,
                                "Ann",
                                "practice"))),
                change("an app", tree -> tree.with(new AppConfig("another", null))),
                change("a key", tree -> tree.with(TestConfig.key("K9"))),
                change("a price", catalog(catalog -> catalog.withPrices("m1", new PriceBook(List.of())))),
                change("a pool aside", catalog(catalog -> catalog.with(pool("aside", 2)))));
    }

    @ParameterizedTest
    @MethodSource("whatTheAnswerDoesNotDependOn")
    void keepsAnswersOver(UnaryOperator<TenantTree> change) {
        ask("auto");
        gateway.change(before -> before.with(change.apply(t1(before))));

        assertThat(ask("auto")).isEqualTo("hit");
        assertThat(upstream.requests()).hasSize(1);
    }

    static Stream<Named<UnaryOperator<TenantTree>>> whatTheAnswerDependsOn() {
        return Stream.of(
                change("the scenario", tree -> tree.with(scenario(2))),
                change("the first pool", catalog(catalog -> catalog.with(pool("pool1", 2)))),
                change("a pool below", catalog(catalog -> catalog.with(pool("pool2", 2)))),
                change(
                        "a provider",
                        catalog(catalog ->
                                catalog.with(newer(catalog.providers().get("up1"))))),
                change(
                        "a model",
                        catalog(catalog ->
                                catalog.with(new ModelConfig(id("m1"), 2, 128_000, 16_384, true, true, true)))));
    }

    private static ProviderConfig newer(ProviderConfig provider) {
        return new ProviderConfig(
                provider.id(),
                provider.version() + 1,
                provider.plugin(),
                provider.baseUrl(),
                provider.credential(),
                provider.quotaGroup(),
                provider.region(),
                provider.maxConcurrency(),
                provider.settings());
    }

    @ParameterizedTest
    @MethodSource("whatTheAnswerDependsOn")
    void asksAnewAfterAnotherVersionOf(UnaryOperator<TenantTree> change) {
        ask("auto");
        gateway.change(before -> before.with(change.apply(t1(before))));

        assertThat(ask("auto")).isEqualTo("miss");
        assertThat(upstream.requests()).hasSize(2);
    }

    @Test
    void aPoolThatTheCallerChoseCountsThoughTheLadderHasItNot() {
        ask("aside");
        assertThat(ask("aside")).isEqualTo("hit");
        gateway.change(before ->
                before.with(t1(before).with(t1(before).catalog().with(pool("aside", 2)))));

        assertThat(ask("aside")).isEqualTo("miss");
    }

    private String ask(String model) {
        Client.Answer answer = gateway.client().chat(Client.request().replace("auto", model));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.header("x-sluice-cache");
    }
}
