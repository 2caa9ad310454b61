package io.sluice.data.cases;

import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.TestConfig;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
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
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/**
 * Several tenants with something to hide from each other.
 *
 * <p>T1 has the pools {@code m1}, {@code org/name:tag} and {@code blind} (no vision, no tools), the scenarios {@code chat} (m1, then
 * a text), {@code audit} (kind compliance) and {@code flow} (kind write), {@code brief} (write, 700 ms), and keys: K1 may do all, KM may ask only for
 * {@code m1}, KS may use only {@code chat}, KD has it as default, KX has expired, KR was revoked. T2 owns the pool
 * {@code t2-canary-pool} and the scenario {@code t2-canary-scenario}; its key is K2. T3 (key K3) is suspended.
 */
final class CaseConfig {
    static final TenantId T3 = new TenantId("T3");

    private CaseConfig() {}

    static Configuration tenants(ScriptedUpstream first, ScriptedUpstream second) {
        Configuration pool = TestConfig.pool(first);
        TenantTree t1 = pool.tenants().get(TestConfig.T1);
        t1 = t1.with(t1.catalog()
                        .with(new ModelConfig(id("blind"), 1, 4_000, 1_000, false, false, false))
                        .with(onePool(TestConfig.T1, "org/name:tag", "up1", "m1"))
                        .with(onePool(TestConfig.T1, "blind", "up1", "blind")))
                .with(scenario("chat", RequestKind.READ, Duration.ofSeconds(10)))
                .with(scenario("audit", RequestKind.COMPLIANCE, Duration.ofSeconds(10)))
                .with(scenario("flow", RequestKind.WRITE, Duration.ofSeconds(10)))
                .with(scenario("brief", RequestKind.WRITE, Duration.ofMillis(700)))
                .with(key("KM", null, null, List.of("m1"), null, null))
                .with(key("KS", List.of("chat"), null, null, null, null))
                .with(key("KD", null, "chat", null, null, null))
                .with(key("KX", null, null, null, Instant.EPOCH.plusSeconds(1), null))
                .with(key("KR", null, null, null, null, Instant.EPOCH.plusSeconds(1)));
        TenantTree t2 = pool.tenants()
                .get(TestConfig.T2)
                .with(Catalog.EMPTY
                        .with(new ModelConfig(
                                new ScopedId(TestConfig.T2, "t2-canary-model"), 1, 128_000, 16_384, true, true, true))
                        .with(provider(second))
                        .with(onePool(TestConfig.T2, "t2-canary-pool", "t2-canary-provider", "t2-canary-model")))
                .with(new ScenarioConfig(
                        "t2-canary-scenario",
                        1,
                        Sensitivity.CREATIVE,
                        RequestKind.READ,
                        true,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(2),
                        List.of(new RungConfig.Pool("t2-canary-step", "t2-canary-pool", null, null)),
                        Map.of()));
        TenantTree t3 = TenantTree.of(new TenantConfig(T3, 1, "t3", ZoneId.of("UTC"), "USD", true))
                .with(new AppConfig("app", null))
                .with(TestConfig.key("K3"));
        return pool.with(t1).with(t2).with(t3).atEpoch(1);
    }

    private static ScopedId id(String name) {
        return new ScopedId(TestConfig.T1, name);
    }

    private static PoolConfig onePool(TenantId tenant, String name, String provider, String model) {
        return new PoolConfig(
                new ScopedId(tenant, name), 1, Tier.STANDARD, List.of(new TargetConfig(provider, model, "m1", 100)));
    }

    private static ProviderConfig provider(ScriptedUpstream upstream) {
        return new ProviderConfig(
                new ScopedId(TestConfig.T2, "t2-canary-provider"),
                1,
                "openai",
                upstream.baseUrl(),
                new CredentialRef.Env("UNUSED"),
                null,
                null,
                null,
                Map.of());
    }

    private static ScenarioConfig scenario(String name, RequestKind kind, Duration deadline) {
        return new ScenarioConfig(
                name,
                1,
                Sensitivity.CREATIVE,
                kind,
                true,
                deadline,
                Duration.ofSeconds(2),
                List.of(
                        new RungConfig.Pool("first", "m1", null, Duration.ofMillis(50)),
                        new RungConfig.Text("excuse", "come back later")),
                Map.of());
    }

    private static ApiKeyConfig key(
            String id,
            List<String> scenarios,
            String defaultScenario,
            List<String> models,
            Instant expiresAt,
            Instant revokedAt) {
        return new ApiKeyConfig(
                id,
                "app",
                "00".repeat(32),
                id,
                scenarios,
                defaultScenario,
                models,
                Instant.EPOCH,
                expiresAt,
                revokedAt,
                null);
    }
}
