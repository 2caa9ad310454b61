package io.sluice.data.harness;

import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The configuration of the case list: tenants T1 and T2 with keys K1 and K2, model m1 at price P1 ($1 in, $2 out, $0.10 cached,
 * $1.25 written per million tokens), scenario {@code chat}. The upstreams become a pool of interchangeable targets or a chain of
 * rungs.
 */
public final class TestConfig {
    public static final TenantId T1 = new TenantId("T1");
    public static final TenantId T2 = new TenantId("T2");

    private static final Price P1 =
            new Price(Instant.EPOCH, Money.of("1"), Money.of("2"), Money.of("0.1"), Money.of("1.25"));

    private TestConfig() {}

    /** One pool {@code m1} with a target per upstream: providers up1, up2, … */
    public static Configuration pool(ScriptedUpstream... upstreams) {
        List<TargetConfig> targets = new ArrayList<>();
        for (int i = 1; i <= upstreams.length; i++) {
            targets.add(new TargetConfig("up" + i, "m1", null, 100));
        }
        Catalog catalog = catalog(upstreams).with(new PoolConfig(id("m1"), 1, Tier.STANDARD, targets));
        return configuration(catalog, scenario(List.of(new RungConfig.Pool("first", "m1", null, null))));
    }

    /** A chain of rungs {@code rung1}, {@code rung2}, … with one target each. */
    public static Configuration chain(ScriptedUpstream... upstreams) {
        Catalog catalog = catalog(upstreams);
        List<RungConfig> ladder = new ArrayList<>();
        for (int i = 1; i <= upstreams.length; i++) {
            catalog = catalog.with(new PoolConfig(
                    id("pool" + i), 1, Tier.STANDARD, List.of(new TargetConfig("up" + i, "m1", null, 100))));
            ladder.add(new RungConfig.Pool("rung" + i, "pool" + i, null, null));
        }
        return configuration(catalog, scenario(ladder));
    }

    private static ScopedId id(String name) {
        return new ScopedId(T1, name);
    }

    private static Catalog catalog(ScriptedUpstream... upstreams) {
        Catalog catalog = Catalog.EMPTY
                .with(new ModelConfig(id("m1"), 1, 128_000, 16_384, true, true, true))
                .withPrices("m1", new PriceBook(List.of(P1)));
        for (int i = 1; i <= upstreams.length; i++) {
            catalog = catalog.with(new ProviderConfig(
                    id("up" + i),
                    1,
                    "openai",
                    upstreams[i - 1].baseUrl(),
                    new CredentialRef.Env("UNUSED"),
                    null,
                    null,
                    null,
                    Map.of()));
        }
        return catalog;
    }

    /** The scenario {@code chat} over a ladder, with short clocks: 2 s to the first token, 2 s of silence, 10 s in all. */
    public static ScenarioConfig scenario(List<RungConfig> ladder) {
        return new ScenarioConfig(
                "chat",
                1,
                Sensitivity.CREATIVE,
                RequestKind.READ,
                true,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                ladder,
                Map.of("streamIdle", TextNode.valueOf("PT2S")));
    }

    private static Configuration configuration(Catalog catalog, ScenarioConfig scenario) {
        TenantTree t1 = tenant(T1).with(catalog).with(scenario).with(key("K1"));
        TenantTree t2 = tenant(T2).with(key("K2"));
        return Configuration.EMPTY.with(t1).with(t2).atEpoch(1);
    }

    private static TenantTree tenant(TenantId id) {
        return TenantTree.of(new TenantConfig(id, 1, id.value(), ZoneId.of("UTC"), "USD", false))
                .with(new AppConfig("app", null));
    }

    /** A cap of the whole tenant, with the usual bands, that refuses when it is used up. */
    public static SpendCapConfig cap(CapPeriod period, String limit) {
        return new SpendCapConfig(
                SpendCapConfig.idOf(CapScope.TENANT, null, period),
                1,
                CapScope.TENANT,
                null,
                period,
                Money.of(limit),
                0.7,
                0.9,
                AtExhaustion.REFUSE,
                null);
    }

    /** A key that may do everything its tenant can. */
    public static ApiKeyConfig key(String id) {
        return new ApiKeyConfig(id, "app", "00".repeat(32), id, null, null, null, Instant.EPOCH, null, null, null);
    }
}
