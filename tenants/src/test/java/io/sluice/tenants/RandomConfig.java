package io.sluice.tenants;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.config.AccessTokenConfig;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.DrillSchedule;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.KeywordAnswers;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import io.sluice.tenants.money.PriceFactor;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Makes declared configuration with every field set or absent by chance. Not all of it is valid; all of it is possible. */
public final class RandomConfig {
    private final SplittableRandom random;

    public RandomConfig(SplittableRandom random) {
        this.random = random;
    }

    public Configuration configuration() {
        Configuration made = new Configuration(random.nextInt(1_000), catalog(null), Map.of(), Map.of());
        for (int i = random.nextInt(4); i > 0; i--) {
            made = made.with(tree(new TenantId("t" + i))).with(accessToken());
        }
        return made;
    }

    public TenantTree tree(TenantId id) {
        TenantTree tree = TenantTree.of(new TenantConfig(
                id,
                1 + random.nextInt(9),
                text(),
                ZoneId.of(oneOf("Asia/Shanghai", "UTC", "America/New_York")),
                "USD",
                random.nextBoolean(),
                null,
                orNull(this::limits),
                orNull(this::limits)));
        for (int i = random.nextInt(3); i > 0; i--) {
            tree = tree.with(new AppConfig("app" + i, orNull(this::text), orNull(this::limits), orNull(this::limits)))
                    .with(key())
                    .with(scenario())
                    .with(faultRule());
        }
        return tree.with(degradation()).with(drill()).with(catalog(id));
    }

    private SwitchConfig degradation() {
        return new SwitchConfig(
                "switch",
                1 + random.nextInt(9),
                orNull(this::text),
                text(),
                text(),
                text(),
                instant(),
                LocalDate.ofEpochDay(random.nextInt(40_000)),
                orNull(this::instant));
    }

    private DrillConfig drill() {
        return new DrillConfig(
                "drill",
                1 + random.nextInt(9),
                text(),
                text(),
                oneOf(0.05, 1.0),
                oneOf(DrillSchedule.DEFAULT, new DrillSchedule.Once(instant(), instant())),
                text(),
                text(),
                random.nextBoolean(),
                orNull(() -> new DrillConfig.Started(new DrillSchedule.Window(instant(), instant()), 0.5)),
                orNull(this::instant));
    }

    public Catalog catalog(TenantId owner) {
        Catalog catalog = Catalog.EMPTY;
        for (int i = random.nextInt(3); i > 0; i--) {
            catalog = catalog.with(provider(new ScopedId(owner, "provider" + i)))
                    .with(model(new ScopedId(owner, "model" + i)))
                    .with(pool(new ScopedId(owner, "pool" + i)))
                    .withPrices("model" + i, new PriceBook(List.of(price(), price())));
        }
        return catalog;
    }

    public ProviderConfig provider(ScopedId id) {
        return new ProviderConfig(
                id,
                version(),
                "openai",
                orNull(() -> "https://example.org/v1"),
                orNull(this::credential),
                orNull(this::text),
                orNull(this::text),
                orNull(() -> random.nextInt(1_000)),
                orNull(() -> random.nextInt(1_000)),
                orNull(() -> random.nextInt(1_000)),
                orNull(this::settings));
    }

    public CredentialRef credential() {
        return oneOf(new CredentialRef.Env("A_KEY"), new CredentialRef.File(text()), new CredentialRef.Sealed("AAEC"));
    }

    public ModelConfig model(ScopedId id) {
        return new ModelConfig(
                id,
                version(),
                random.nextInt(),
                random.nextInt(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean());
    }

    public Price price() {
        return new Price(
                instant(),
                money(),
                money(),
                orNull(this::money),
                orNull(this::money),
                null,
                null,
                orNull(this::money),
                List.of(),
                List.of(),
                random.nextBoolean() ? List.of() : List.of(new PriceFactor("flex", 1 + random.nextInt(200))),
                random.nextBoolean() ? List.of() : List.of(new PriceFactor("eu", 1 + random.nextInt(200))),
                null);
    }

    public PoolConfig pool(ScopedId id) {
        List<TargetConfig> targets = IntStream.range(0, random.nextInt(3))
                .mapToObj(i -> new TargetConfig("p" + i, "org/m:" + i, orNull(this::text), random.nextInt(1_001)))
                .toList();
        return new PoolConfig(id, version(), oneOf(Tier.values()), targets);
    }

    public ScenarioConfig scenario() {
        List<RungConfig> ladder = IntStream.range(0, 1 + random.nextInt(3))
                .mapToObj(i -> rung("r" + i))
                .toList();
        return new ScenarioConfig(
                "scenario" + random.nextInt(9),
                version(),
                oneOf(Sensitivity.values()),
                oneOf(RequestKind.values()),
                random.nextBoolean(),
                orNull(this::duration),
                orNull(this::duration),
                ladder,
                orNull(this::settings),
                orNull(this::limits));
    }

    public FaultRuleConfig faultRule() {
        return new FaultRuleConfig(
                "fault" + random.nextInt(9),
                version(),
                orNull(this::text),
                orNull(this::text),
                orNull(this::text),
                orNull(this::text),
                new Fault(
                        oneOf(FaultKind.values()), random.nextInt(2_000), random.nextInt(2_000), random.nextInt(4) - 1),
                random.nextDouble(),
                orNull(this::instant),
                instant(),
                text(),
                text());
    }

    private RungConfig rung(String name) {
        return switch (random.nextInt(3)) {
            case 0 -> new RungConfig.Text(name, text());
            case 1 ->
                new RungConfig.Rules(
                        name,
                        new KeywordAnswers(
                                List.of(new KeywordAnswers.Answer(List.of("a b", text()), List.of(), text())),
                                orNull(this::text)));
            default ->
                new RungConfig.Pool(
                        name,
                        "pool1",
                        orNull(random::nextDouble),
                        orNull(() -> random.nextInt(9)),
                        orNull(this::text),
                        orNull(this::duration),
                        orNull(this::duration));
        };
    }

    public ApiKeyConfig key() {
        return new ApiKeyConfig(
                "k" + random.nextInt(1_000_000),
                "app1",
                "ab".repeat(32),
                text(),
                orNull(() -> List.of(text())),
                orNull(this::text),
                orNull(() -> List.of()),
                instant(),
                orNull(this::instant),
                orNull(this::instant),
                orNull(() -> LocalDate.ofEpochDay(random.nextInt(40_000))),
                orNull(this::limits));
    }

    private LimitsConfig limits() {
        return new LimitsConfig(
                orNull(() -> random.nextInt(1_000)),
                orNull(() -> random.nextInt(1_000)),
                orNull(() -> random.nextInt(1_000)));
    }

    public AccessTokenConfig accessToken() {
        return new AccessTokenConfig(
                "token" + random.nextInt(100),
                oneOf(Role.values()),
                new TenantId("t1"),
                text(),
                "cd".repeat(32),
                orNull(this::instant));
    }

    public Money money() {
        return new Money(random.nextLong(Long.MAX_VALUE) >> random.nextInt(63));
    }

    public Instant instant() {
        return Instant.ofEpochSecond(random.nextLong(4_000_000_000L), random.nextInt(1_000_000_000));
    }

    private Duration duration() {
        return Duration.ofNanos(random.nextLong(3_600_000_000_000L));
    }

    private int version() {
        return 1 + random.nextInt(100);
    }

    public String text() {
        return oneOf(
                "",
                "plain",
                "\"quoted\" \\ back\nslash\u0000\u0001",
                "Ünïcødé 👩‍🔬",
                "</script>",
                "null",
                "x".repeat(300));
    }

    private Map<String, JsonNode> settings() {
        String number = oneOf("1", "1.50", "123456789012345678901234567890", "1e3");
        try {
            return Map.of(
                    "n", StrictJson.MAPPER.readTree(number),
                    "t", StrictJson.MAPPER.readTree("{\"a\":[null,true,\"PT30S\"]}"));
        } catch (JsonProcessingException notJson) {
            throw new IllegalStateException(notJson);
        }
    }

    public <T> T orNull(Supplier<T> value) {
        return random.nextInt(3) == 0 ? null : value.get();
    }

    @SafeVarargs
    public final <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }
}
