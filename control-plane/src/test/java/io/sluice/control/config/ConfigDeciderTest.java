package io.sluice.control.config;

import static io.sluice.control.config.Given.accepted;
import static io.sluice.control.config.Given.acme;
import static io.sluice.control.config.Given.after;
import static io.sluice.control.config.Given.errors;
import static io.sluice.control.config.Given.json;
import static io.sluice.control.config.Given.key;
import static io.sluice.control.config.Given.mistakes;
import static io.sluice.control.config.Given.model;
import static io.sluice.control.config.Given.pool;
import static io.sluice.control.config.Given.poolRung;
import static io.sluice.control.config.Given.price;
import static io.sluice.control.config.Given.provider;
import static io.sluice.control.config.Given.scenario;
import static io.sluice.control.config.Given.tenant;
import static io.sluice.control.config.Given.textRung;
import static io.sluice.control.config.Given.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.CreateAccessToken;
import io.sluice.control.api.ConfigCommand.CreateApp;
import io.sluice.control.api.ConfigCommand.Limits;
import io.sluice.control.api.ConfigCommand.PutPool;
import io.sluice.control.api.ConfigCommand.PutPool.Target;
import io.sluice.control.api.ConfigCommand.PutPrice;
import io.sluice.control.api.ConfigCommand.PutScenario.Rung;
import io.sluice.control.api.ConfigCommand.RevokeApiKey;
import io.sluice.control.api.ConfigCommand.UpdateTenant;
import io.sluice.control.config.ConfigDecision.Accepted;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceFactor;
import io.sluice.tenants.money.PriceHours;
import io.sluice.tenants.money.PriceTier;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigDeciderTest {
    private static final TenantId ACME = new TenantId("acme");

    private static TenantTree tree(Configuration configuration) {
        return configuration.tenants().get(ACME);
    }

    private static Arguments mistake(String sentence, ConfigCommand command, String... expected) {
        return Arguments.of(sentence, command, List.of(expected));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"tenants", "keys", "providers", "models", "pools", "scenarios", "prices"})
    void refusesWithThePathOfEveryMistake(String sentence, ConfigCommand command, List<String> expected) {
        assertThat(mistakes(acme(), command)).as(sentence).containsExactlyInAnyOrderElementsOf(expected);
    }

    static Stream<Arguments> tenants() {
        return Stream.of(
                mistake("a tenant's id is taken", tenant("acme"), "id DUPLICATE"),
                mistake("a tenant's id follows the rule", tenant("a b"), "id INVALID"),
                mistake("a tenant has an id", tenant(null), "id REQUIRED"),
                mistake("a tenant's name is not blank", with(tenant("t"), "displayName", " "), "displayName INVALID"),
                mistake(
                        "a name moves no cursor",
                        with(tenant("t"), "displayName", "a\u001b[2J"),
                        "displayName INVALID"),
                mistake(
                        "a zone is on earth (row 106)",
                        with(tenant("t"), "timeZone", "Mars/Phobos"),
                        "timeZone INVALID"),
                mistake("an offset is no IANA zone", with(tenant("t"), "timeZone", "+02:00"), "timeZone INVALID"),
                mistake("a currency is known", with(tenant("t"), "currency", "XXY"), "currency INVALID"),
                mistake("no currency is none", with(tenant("t"), "currency", "XXX"), "currency INVALID"),
                mistake("gold is none", with(tenant("t"), "currency", "XAU"), "currency INVALID"),
                mistake("a currency is written in capitals", with(tenant("t"), "currency", "usd"), "currency INVALID"),
                mistake(
                        "GQ04: a null currency is not the default",
                        with(tenant("t"), "currency", null),
                        "currency REQUIRED"),
                mistake(
                        "all mistakes of a tenant come at once",
                        new ConfigCommand.CreateTenant("..", "", "x", "y"),
                        "id INVALID",
                        "displayName INVALID",
                        "timeZone INVALID",
                        "currency INVALID"),
                mistake("an unknown tenant has no update", new UpdateTenant("x", 1, null, null, null), "id NOT_FOUND"),
                mistake(
                        "an update names the version it read",
                        new UpdateTenant("acme", 2, "New", null, null),
                        "version CONFLICT_VERSION"),
                mistake(
                        "an update without version is a conflict",
                        new UpdateTenant("acme", null, "New", null, null),
                        "version CONFLICT_VERSION"),
                mistake(
                        "GQ04: an update can't empty what must be there, told with its other mistakes",
                        new UpdateTenant("acme", 2, " ", null, null, null, null, List.of("timeZone", "suspended")),
                        "displayName INVALID",
                        "timeZone REQUIRED",
                        "suspended REQUIRED",
                        "version CONFLICT_VERSION"),
                mistake("an app's id is taken", new CreateApp("acme", "web", null), "id DUPLICATE"),
                mistake("an app has a tenant", new CreateApp("nobody", "web", null), "tenantId NOT_FOUND"),
                mistake("an app's tenant is required", new CreateApp(null, "web", null), "tenantId REQUIRED"));
    }

    static Stream<Arguments> keys() {
        return Stream.of(
                mistake("a key has a known app", with(key("acme"), "appId", "x"), "appId NOT_FOUND"),
                mistake("a key has an app", with(key("acme"), "appId", null), "appId REQUIRED"),
                mistake(
                        "a key's scenarios exist",
                        with(key("acme"), "scenarios", List.of("chat", "x")),
                        "scenarios.1 NOT_FOUND"),
                mistake(
                        "a key names a scenario once",
                        with(key("acme"), "scenarios", List.of("chat", "chat")),
                        "scenarios.1 DUPLICATE"),
                mistake(
                        "a key without scenarios is no key",
                        with(key("acme"), "scenarios", List.of()),
                        "scenarios INVALID"),
                mistake("a default exists", with(key("acme"), "defaultScenario", "x"), "defaultScenario NOT_FOUND"),
                mistake("a key's pools exist", with(key("acme"), "models", List.of("auto", "x")), "models.1 NOT_FOUND"),
                mistake(
                        "a key's end is not now",
                        with(key("acme"), "expiresAt", Given.NOW.toString()),
                        "expiresAt INVALID"),
                mistake(
                        "all mistakes of a key come at once, its date among them",
                        with(with(with(key("acme"), "appId", "x"), "models", List.of("y")), "expiresAt", "tomorrow"),
                        "appId NOT_FOUND",
                        "models.0 NOT_FOUND",
                        "expiresAt INVALID"),
                mistake(
                        "a wrong date of a token comes with its other mistakes",
                        new CreateAccessToken("KING", "acme", null, "2026-01-01"),
                        "role INVALID",
                        "name REQUIRED",
                        "expiresAt INVALID"),
                mistake(
                        "a limit of requests is not negative",
                        with(key("acme"), "requestsPerMinute", -5),
                        "requestsPerMinute INVALID"),
                mistake(
                        "a limit of 0 tokens is no limit",
                        with(key("acme"), "tokensPerMinute", 0),
                        "tokensPerMinute INVALID"),
                mistake(
                        "a key's concurrency begins at 1",
                        with(key("acme"), "maxConcurrency", 0),
                        "maxConcurrency INVALID"),
                mistake(
                        "limits of an app are told where they stand",
                        new CreateApp("acme", "new", null, new Limits(0, -1, 0), new Limits(1, null, 100_001)),
                        "limits.requestsPerMinute INVALID",
                        "limits.tokensPerMinute INVALID",
                        "limits.maxConcurrency INVALID",
                        "endUserLimits.maxConcurrency INVALID"),
                mistake("a key to revoke exists", new RevokeApiKey("acme", "x"), "id NOT_FOUND"),
                mistake("a key to revoke is named", new RevokeApiKey("acme", null), "id REQUIRED"),
                mistake("a role is known", new CreateAccessToken("KING", "acme", "n", null), "role INVALID"),
                mistake("a token has a name", new CreateAccessToken("FINANCE", "acme", null, null), "name REQUIRED"),
                mistake(
                        "a tenant's role has a tenant",
                        new CreateAccessToken("FINANCE", null, "n", null),
                        "tenantId REQUIRED"),
                mistake(
                        "a platform administrator has none",
                        new CreateAccessToken("PLATFORM_ADMIN", "acme", "n", null),
                        "tenantId INVALID"),
                mistake(
                        "a token does not end before it begins",
                        new CreateAccessToken("FINANCE", "acme", "n", "1970-01-01T00:00:00Z"),
                        "expiresAt INVALID"));
    }

    static Stream<Arguments> providers() {
        var sim = with(provider("acme", "sim"), "version", 1);
        return Stream.of(
                mistake("a plugin is known", with(sim, "plugin", "nothing"), "plugin NOT_FOUND"),
                mistake("a plugin is named", with(sim, "plugin", null), "plugin REQUIRED"),
                mistake(
                        "the plugin checks its own settings",
                        with(sim, "settings", json("{'latencyMs':'x'}")),
                        "settings.latencyMs INVALID"),
                mistake("settings are an object", with(sim, "settings", json("[1]")), "settings INVALID"),
                mistake(
                        "a metadata address is refused",
                        with(sim, "baseUrl", "http://169.254.169.254/"),
                        "baseUrl INVALID"),
                mistake("a wrong URL is told once", with(sim, "baseUrl", "ftp://wrong"), "baseUrl INVALID"),
                mistake(
                        "the plugin's word on the URL is told",
                        with(sim, "baseUrl", "https://wrong.example"),
                        "baseUrl INVALID"),
                mistake("a credential has a kind", with(sim, "credential", "sk-12345"), "credential INVALID"),
                mistake("a credential is not empty", with(sim, "credential", "value:"), "credential INVALID"),
                mistake(
                        "a credential has no line break",
                        with(sim, "credential", "value:a\r\nb"),
                        "credential INVALID"),
                mistake("a variable has a name", with(sim, "credential", "env:A B"), "credential INVALID"),
                mistake("a file has a path", with(sim, "credential", "file: "), "credential INVALID"),
                mistake("permits begin at 1", with(sim, "maxConcurrency", 0), "maxConcurrency INVALID"),
                mistake("permits have an end", with(sim, "maxConcurrency", 100_001), "maxConcurrency INVALID"),
                mistake(
                        "an account's requests begin at 1",
                        with(sim, "requestsPerMinute", 0),
                        "requestsPerMinute INVALID"),
                mistake(
                        "an account's tokens have an end",
                        with(sim, "tokensPerMinute", 1_000_000_001),
                        "tokensPerMinute INVALID"),
                mistake("a quota group is an id", with(sim, "quotaGroup", "a b"), "quotaGroup INVALID"),
                mistake("a region is an id", with(sim, "region", ""), "region INVALID"),
                mistake("row 99: an old version conflicts", with(sim, "version", 7), "version CONFLICT_VERSION"),
                mistake("an update names a version", with(sim, "version", null), "version CONFLICT_VERSION"),
                mistake(
                        "a new object has no version",
                        with(provider("acme", "new"), "version", 3),
                        "version CONFLICT_VERSION"));
    }

    static Stream<Arguments> models() {
        var small = with(model("acme", "small"), "version", 1);
        return Stream.of(
                mistake("a window holds something", with(small, "contextWindow", 0), "contextWindow INVALID"),
                mistake("a window is given", with(small, "contextWindow", null), "contextWindow REQUIRED"),
                mistake("an answer has a token", with(small, "maxOutputTokens", -1), "maxOutputTokens INVALID"),
                mistake("an answer fits the window", with(small, "maxOutputTokens", 8_001), "maxOutputTokens INVALID"),
                mistake("an id is an id", with(model("acme", "a//b"), "version", null), "id INVALID"));
    }

    static Stream<Arguments> pools() {
        return Stream.of(
                mistake(
                        "a target's provider and model exist",
                        pool("acme", "p", new Target("x", "y", null, 1)),
                        "targets.0.provider NOT_FOUND",
                        "targets.0.model NOT_FOUND"),
                mistake(
                        "a target's provider and model are named",
                        pool("acme", "p", new Target(null, null, null, 1)),
                        "targets.0.provider REQUIRED",
                        "targets.0.model REQUIRED"),
                mistake(
                        "two targets are not the same",
                        pool("acme", "p", new Target("sim", "small", null, 1), new Target("sim", "small", "small", 2)),
                        "targets.1 DUPLICATE"),
                mistake(
                        "row 103: a weight is not negative",
                        pool("acme", "p", new Target("sim", "small", null, -1)),
                        "targets.0.weight INVALID"),
                mistake(
                        "row 103: a weight has an end",
                        pool("acme", "p", new Target("sim", "small", null, 1_001)),
                        "targets.0.weight INVALID"),
                mistake(
                        "GQ04: a null weight is not the default",
                        pool("acme", "p", new Target("sim", "small", null, null)),
                        "targets.0.weight REQUIRED"),
                mistake(
                        "row 103: not all weights are 0",
                        pool("acme", "p", new Target("sim", "small", null, 0), new Target("sim", "large", null, 0)),
                        "targets INVALID"),
                mistake("a pool has a target", with(pool("acme", "p"), "targets", List.of()), "targets INVALID"),
                mistake("a pool's targets are given", with(pool("acme", "p"), "targets", null), "targets REQUIRED"),
                mistake("row 103: a pool has at most 64 targets", pool("acme", "p", many(65)), "targets INVALID"),
                mistake("a tier is known", with(pool("acme", "p"), "tier", "GOLD"), "tier INVALID"),
                mistake("a tier is named", with(pool("acme", "p"), "tier", null), "tier REQUIRED"),
                mistake("auto is no pool", pool("acme", "auto"), "id INVALID"));
    }

    private static Target[] many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Target("sim", "small", "name" + i, 1))
                .toArray(Target[]::new);
    }

    static Stream<Arguments> scenarios() {
        var chat = scenario("acme", "new");
        Rung std = poolRung("first", "std");
        return Stream.of(
                mistake("a rung's pool exists", scenario("acme", "s", poolRung("a", "x")), "ladder.0.pool NOT_FOUND"),
                mistake("a ladder has a rung", with(chat, "ladder", List.of()), "ladder INVALID"),
                mistake("a ladder is given", with(chat, "ladder", null), "ladder REQUIRED"),
                mistake(
                        "the first rung is a pool",
                        scenario("acme", "s", textRung("a", "sorry")),
                        "ladder.0.pool INVALID"),
                mistake(
                        "a text is the last",
                        scenario("acme", "s", std, textRung("t", "sorry"), poolRung("l", "std")),
                        "ladder.1.text INVALID"),
                mistake("rungs have names", scenario("acme", "s", poolRung(null, "std")), "ladder.0.name REQUIRED"),
                mistake("rungs have different names", scenario("acme", "s", std, std), "ladder.1.name DUPLICATE"),
                mistake(
                        "a rung is one thing",
                        scenario("acme", "s", std, new Rung("b", "std", null, null, "t", null, null, null, null, null)),
                        "ladder.1 INVALID"),
                mistake(
                        "a rung is something",
                        scenario("acme", "s", std, new Rung("b", null, null, null, null, null, null, null, null, null)),
                        "ladder.1 REQUIRED"),
                mistake(
                        "a text says something",
                        scenario("acme", "s", std, textRung("t", " ")),
                        "ladder.1.text INVALID"),
                mistake(
                        "a cache rung says how old an answer may be",
                        scenario(
                                "acme",
                                "s",
                                std,
                                new Rung("b", null, json("{}"), null, null, null, null, null, null, null)),
                        "ladder.1.cache INVALID"),
                mistake("output schemas come later", with(chat, "outputSchema", json("{}")), "outputSchema INVALID"),
                mistake("a deadline is positive", with(chat, "deadline", "PT0S"), "deadline INVALID"),
                mistake("a deadline is not negative", with(chat, "deadline", "PT-5S"), "deadline INVALID"),
                mistake("a deadline ends", with(chat, "deadline", "PT11M"), "deadline INVALID"),
                mistake("CF06: a duration has one spelling", with(chat, "deadline", "10s"), "deadline INVALID"),
                mistake("CF06: a word is no duration", with(chat, "deadline", "daily"), "deadline INVALID"),
                mistake("a number with comma is no duration", with(chat, "deadline", "PT0,0S"), "deadline INVALID"),
                mistake(
                        "a first token comes within the deadline",
                        with(chat, "firstTokenTimeout", "PT11S"),
                        "firstTokenTimeout INVALID"),
                mistake(
                        "what must be left is less than the deadline",
                        scenario("acme", "s", new Rung("a", "std", null, null, null, null, null, null, null, "PT10S")),
                        "ladder.0.minRemaining INVALID"),
                mistake(
                        "an attempt is no longer than the deadline",
                        scenario("acme", "s", new Rung("a", "std", null, null, null, null, null, null, "PT20S", null)),
                        "ladder.0.timeout INVALID"),
                mistake("a setting is known", with(chat, "settings", json("{'x':1}")), "settings.x INVALID"),
                mistake(
                        "a setting is sane",
                        with(chat, "settings", json("{'attemptsMax':0}")),
                        "settings.attemptsMax INVALID"),
                mistake(
                        "an old answer is old for some time",
                        scenario("acme", "s", std, cacheRung("{'exact':{'ttl':'PT1H'}}")),
                        "ladder.1.cache INVALID"),
                mistake(
                        "where nothing is shared there are no old answers",
                        scenario("acme", "s", std, cacheRung("{'exact':{'maxAge':'PT1H'}}")),
                        "ladder.1.cache INVALID"),
                mistake(
                        "an old answer is older than what is shared anyway",
                        with(
                                scenario("acme", "s", std, cacheRung("{'exact':{'maxAge':'PT1H'}}")),
                                "settings",
                                json("{'cache':{'exact':{'ttl':'PT1H'}}}")),
                        "ladder.1.cache INVALID"),
                mistake(
                        "an old answer comes after the models",
                        with(
                                scenario("acme", "s", cacheRung("{'exact':{'maxAge':'P1D'}}"), std),
                                "settings",
                                json("{'cache':{'exact':{'ttl':'PT1H'}}}")),
                        "ladder.0.pool INVALID",
                        "ladder.0.cache INVALID"),
                mistake(
                        "an answer is shared for some time",
                        with(chat, "settings", json("{'cache':{'exact':{}}}")),
                        "settings.cache INVALID"),
                mistake(
                        "what writes shares no answer",
                        with(with(chat, "kind", "WRITE"), "settings", json("{'cache':{'exact':{'ttl':'PT1M'}}}")),
                        "settings.cache INVALID"),
                mistake("a kind is known", with(chat, "kind", "DELETE"), "kind INVALID"),
                mistake("a sensitivity is known", with(chat, "sensitivity", ""), "sensitivity INVALID"),
                mistake("GQ04: a null core is not the default", with(chat, "core", null), "core REQUIRED"),
                mistake("a scenario has a tenant", scenario(null, "s"), "tenantId REQUIRED"));
    }

    static Stream<Arguments> prices() {
        PutPrice dear = price("acme", "small", "1", "1");
        return Stream.of(
                mistake(
                        "a tier is told with all its mistakes",
                        with(
                                dear,
                                "tiers",
                                List.of(
                                        new PutPrice.Tier(0, "1", null, "NaN", "-1", "1e3"),
                                        new PutPrice.Tier(0, "1", "1", null, null, null))),
                        "tiers.0.abovePromptTokens INVALID",
                        "tiers.0.outputPerMTok REQUIRED",
                        "tiers.0.cachedInputPerMTok INVALID",
                        "tiers.0.cacheWritePerMTok INVALID",
                        "tiers.0.reasoningPerMTok INVALID",
                        "tiers.1.abovePromptTokens INVALID",
                        "tiers.1.abovePromptTokens DUPLICATE"),
                mistake(
                        "hours are on a day, in order, with a factor",
                        with(
                                dear,
                                "hours",
                                List.of(
                                        new PutPrice.Hours(List.of("MONDAY", "SOMEDAY"), "01:00", "25:00", 0),
                                        new PutPrice.Hours(List.of(), "1:00", null, null),
                                        new PutPrice.Hours(List.of("SUNDAY"), "22:00", "06:00", 100))),
                        "hours.0.days.1 INVALID",
                        "hours.0.until INVALID",
                        "hours.0.percent INVALID",
                        "hours.1.days INVALID",
                        "hours.1.from INVALID",
                        "hours.1.until REQUIRED",
                        "hours.1.percent REQUIRED",
                        "hours.2.until INVALID"),
                mistake(
                        "a factor is for one tier or region, and the provider's choice is no tier",
                        with(
                                with(
                                        dear,
                                        "serviceTiers",
                                        List.of(
                                                new PutPrice.Factor("flex", 0),
                                                new PutPrice.Factor("FLEX", 50),
                                                new PutPrice.Factor("auto", 100))),
                                "regions",
                                List.of(new PutPrice.Factor("not a region", 110), new PutPrice.Factor(null, null))),
                        "serviceTiers.0.percent INVALID",
                        "serviceTiers.1.name DUPLICATE",
                        "regions.0.name INVALID",
                        "regions.1.name REQUIRED",
                        "regions.1.percent REQUIRED",
                        "serviceTiers.2.name INVALID"),
                mistake(
                        "prices of thinking, images and tools are checked too",
                        with(
                                with(with(dear, "reasoningPerMTok", "-1"), "perImage", "0,5"),
                                "perServerToolCall",
                                "1e-2"),
                        "reasoningPerMTok INVALID",
                        "perImage INVALID",
                        "perServerToolCall INVALID"),
                mistake("a priced model exists", price("acme", "x", "1", "1"), "model NOT_FOUND"),
                mistake(
                        "a price has both amounts",
                        price("acme", "small", null, null),
                        "inputPerMTok REQUIRED",
                        "outputPerMTok REQUIRED"),
                mistake(
                        "a price's date is told with its other mistakes",
                        new PutPrice("acme", "x", "2026-02-30T00:00:00Z", "1", "y", null, null),
                        "model NOT_FOUND",
                        "validFrom INVALID",
                        "outputPerMTok INVALID"),
                mistake(
                        "cache prices are checked too",
                        new PutPrice("acme", "small", null, "1", "1", "-1", "x"),
                        "cachedInputPerMTok INVALID",
                        "cacheWritePerMTok INVALID"));
    }

    /** Cases US11 and BU07: numbers that another gateway stored and then counted with. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1000000",
                "-7",
                "NaN",
                "Infinity",
                "-Infinity",
                "0,5",
                "1e400",
                "1e3",
                "",
                " 1",
                "true",
                "0.0000001",
                "1_000",
                "0x10",
                "+1",
                "1000000000.000001",
                "9999999999999"
            })
    void refusesAPriceThatIsNoPlainAmount(String amount) {
        assertThat(mistakes(acme(), price("acme", "small", amount, "1"))).containsExactly("inputPerMTok INVALID");
    }

    @Test
    void takesAPriceOfZeroAsFree() {
        Configuration after = after(acme(), price("acme", "small", "0", "0"));
        assertThat(after.prices(ACME, "small", "small").at(Given.NOW)).isPresent();
    }

    @Test
    void aPriceKeepsItsFactors() {
        PutPrice put = with(
                with(price("acme", "small", "1", "2"), "serviceTiers", List.of(new PutPrice.Factor("flex", 50))),
                "regions",
                List.of(new PutPrice.Factor("eu-west", 110)));
        Price price =
                after(acme(), put).prices(ACME, "small", "small").at(Given.NOW).orElseThrow();

        assertThat(price.serviceTiers()).containsExactly(new PriceFactor("flex", 50));
        assertThat(price.regions()).containsExactly(new PriceFactor("eu-west", 110));
    }

    @Test
    void aPriceKeepsItsTiersAndHours() {
        PutPrice put = with(
                with(
                        price("acme", "small", "1", "2"),
                        "tiers",
                        List.of(new PutPrice.Tier(1_000, "2", "3", null, null, null))),
                "hours",
                List.of(new PutPrice.Hours(List.of("MONDAY"), "01:30", "24:00", 200)));
        assertThat(after(acme(), put).prices(ACME, "small", "small").at(Given.NOW))
                .contains(new Price(
                        Given.NOW,
                        Money.of("1"),
                        Money.of("2"),
                        null,
                        null,
                        null,
                        null,
                        List.of(new PriceTier(1_000, Money.of("2"), Money.of("3"), null, null, null)),
                        List.of(new PriceHours(List.of(DayOfWeek.MONDAY), 90, 1_440, 200))));
    }

    /** Case US12: a model without a price would make every cap meaningless. */
    @Test
    void us12APoolOfAModelWithoutAPriceIsRefusedUntilItHasOne() {
        Configuration unpriced = after(acme(), model("acme", "m9"));
        PutPool put = pool("acme", "p", new Target("sim", "m9", null, 1));

        assertThat(mistakes(unpriced, put)).containsExactly("targets.0.model REQUIRED");
        assertThat(errors(unpriced, put).get(0).message()).contains("putPrice");
        assertThat(mistakes(after(unpriced, price("acme", "m9", "0", "0")), put))
                .isEmpty();
    }

    @Test
    void aPriceThatBeginsLaterIsNoneYet() {
        Configuration unpriced = after(acme(), model("acme", "m9"));
        PutPrice later = new PutPrice("acme", "m9", Given.NOW.plusSeconds(60).toString(), "3", "4", null, null);
        assertThat(mistakes(after(unpriced, later), pool("acme", "p", new Target("sim", "m9", null, 1))))
                .containsExactly("targets.0.model REQUIRED");
    }

    @Test
    void theStartingTableHasPricesInDollarsOnly() {
        Configuration dollars = after(acme(), model("acme", "m9"));
        Configuration euros = dollars.with(
                tree(dollars).with(new TenantConfig(ACME, 2, "Acme", ZoneId.of("Europe/Berlin"), "EUR", false)));
        PutPool put = pool("acme", "p", new Target("sim", "m9", "gpt-4o-mini", 1));

        assertThat(mistakes(dollars, put)).isEmpty();
        assertThat(mistakes(euros, put)).containsExactly("targets.0.model REQUIRED");
    }

    @Test
    void aConflictSaysThePresentVersion() {
        var error = errors(acme(), with(provider("acme", "sim"), "version", 7)).get(0);
        assertThat(error.message()).contains("present version is 1");
    }

    @Test
    void anAcceptedCommandBeginsTheNextEpoch() {
        Configuration before = acme();
        assertThat(after(before, provider("acme", "second")).epoch()).isEqualTo(before.epoch() + 1);
    }

    @Test
    void aRefusedCommandMentionsEveryMistakeAtOnce() {
        var wrong = with(with(provider("acme", "sim"), "plugin", "x"), "credential", "y");
        assertThat(mistakes(acme(), wrong))
                .containsExactlyInAnyOrder("version CONFLICT_VERSION", "plugin NOT_FOUND", "credential INVALID");
    }

    @Test
    void anUpdateGrowsTheVersionByOne() {
        Configuration after = after(acme(), with(with(model("acme", "small"), "version", 1), "contextWindow", 9_000));
        assertThat(tree(after).catalog().models().get("small").version()).isEqualTo(2);
    }

    @Test
    void thePutOfTheSameObjectChangesNothing() {
        Configuration before = acme();
        Accepted same = accepted(before, with(model("acme", "small"), "version", 1));
        assertThat(same.configuration()).isSameAs(before);
        assertThat(same.changes()).extracting(ObjectChange::change).containsExactly(Change.UNCHANGED);
    }

    @Test
    void aBaseUrlIsStoredTrimmed() {
        Configuration after = after(acme(), with(provider("acme", "p"), "baseUrl", " https://api.example.com/v1 "));
        assertThat(tree(after).catalog().providers().get("p").baseUrl()).isEqualTo("https://api.example.com/v1");
    }

    @Test
    void aCredentialByValueIsSealedForItsProvider() {
        Configuration after = after(acme(), with(provider("acme", "p"), "credential", "value:abc"));
        assertThat(tree(after).catalog().providers().get("p").credential())
                .isEqualTo(new CredentialRef.Sealed("p/cba"));
    }

    @Test
    void aCredentialByReferenceIsKeptAsReference() {
        Configuration after = after(acme(), with(provider("acme", "p"), "credential", "env:OPENAI_KEY"));
        assertThat(tree(after).catalog().providers().get("p").credential())
                .isEqualTo(new CredentialRef.Env("OPENAI_KEY"));
    }

    @Test
    void aCredentialThatIsLeftOutStays() {
        Configuration sealed = after(acme(), with(provider("acme", "p"), "credential", "value:abc"));
        Configuration after = after(sealed, with(with(provider("acme", "p"), "version", 1), "maxConcurrency", 5));
        assertThat(tree(after).catalog().providers().get("p").credential())
                .isEqualTo(new CredentialRef.Sealed("p/cba"));
    }

    @Test
    void aCredentialDoesNotFollowToAnotherAddressByItself() {
        Configuration sealed = after(acme(), with(provider("acme", "p"), "credential", "value:abc"));
        var moved = with(with(provider("acme", "p"), "version", 1), "baseUrl", "https://elsewhere.example");
        assertThat(mistakes(sealed, moved)).containsExactly("credential REQUIRED");
    }

    @Test
    void ownObjectsComeBeforeThePlatforms() {
        Configuration both = after(acme(), with(model(null, "small"), "contextWindow", 99_000));
        assertThat(both.model(ACME, "small").orElseThrow().contextWindow()).isEqualTo(8_000);
    }

    @Test
    void aTenantMayUseThePlatformsObjects() {
        Configuration platform = after(
                after(after(acme(), provider(null, "shared")), model(null, "vast")), price(null, "vast", "0", "0"));
        assertThat(mistakes(platform, pool("acme", "p", new Target("shared", "vast", null, 1))))
                .isEmpty();
    }

    @Test
    void thePlatformMayNotUseATenantsObjects() {
        assertThat(mistakes(acme(), pool(null, "p")))
                .containsExactlyInAnyOrder("targets.0.provider NOT_FOUND", "targets.0.model NOT_FOUND");
    }

    @Test
    void anotherTenantsObjectsDoNotExist() {
        Configuration two = after(acme(), tenant("other"));
        assertThat(mistakes(two, pool("other", "p")))
                .containsExactlyInAnyOrder("targets.0.provider NOT_FOUND", "targets.0.model NOT_FOUND");
    }

    @Test
    void aKeyIsShownOnceAndStoredAsHash() {
        Accepted made = accepted(acme(), key("acme"));
        ApiKeyConfig stored = tree(made.configuration()).keys().get("abcdefghijkl");
        assertThat(made.secret()).isEqualTo("gw_live_abcdefghijkl_secret");
        assertThat(stored.toString()).doesNotContain("_secret");
        assertThat(stored.prefix()).isEqualTo("gw_live_abcdefghijkl");
    }

    @Test
    void aDefaultScenarioIsOneOfTheKeys() {
        Configuration two = after(acme(), scenario("acme", "other"));
        assertThat(mistakes(two, with(key("acme"), "scenarios", List.of("other"))))
                .containsExactly("defaultScenario INVALID");
    }

    @Test
    void aRevokedKeyStaysRevokedWhenRevokedAgain() {
        Configuration made = after(acme(), key("acme"));
        Configuration revoked = after(made, new RevokeApiKey("acme", "abcdefghijkl"));
        Configuration again = after(revoked, new RevokeApiKey("acme", "abcdefghijkl"));
        assertThat(again).isSameAs(revoked);
    }

    @Test
    void aSecondPriceKeepsTheFirst() {
        Configuration first = after(acme(), price("acme", "small", "1", "2"));
        PutPrice later = new PutPrice("acme", "small", Given.NOW.plusSeconds(60).toString(), "3", "4", null, null);
        assertThat(after(first, later).prices(ACME, "small", "small").prices())
                .extracting(Price::inputPerMTok)
                .containsExactly(Money.of("0.1"), Money.of("1"), Money.of("3"));
    }

    @Test
    void aPriceOfTheSameInstantReplacesIt() {
        Configuration first = after(acme(), price("acme", "small", "1", "2"));
        assertThat(after(first, price("acme", "small", "3", "4"))
                        .prices(ACME, "small", "small")
                        .prices())
                .extracting(Price::inputPerMTok)
                .containsExactly(Money.of("0.1"), Money.of("3"));
    }

    @Test
    void aLadderKeepsItsOrderAndTimes() {
        Rung first = new Rung("a", "std", null, null, null, null, null, null, "PT2S", "PT0.5S");
        Configuration after = after(acme(), scenario("acme", "s", first, textRung("t", "sorry")));
        assertThat(tree(after).scenarios().get("s").ladder())
                .isEqualTo(Arrays.asList(
                        new RungConfig.Pool("a", "std", Duration.ofSeconds(2), Duration.ofMillis(500)),
                        new RungConfig.Text("t", "sorry")));
    }

    @Test
    void aPluginThatThrowsIsAMistakeAndNoFault() {
        var bad = new DecisionContext(
                Given.NOW,
                Given.context().mint(),
                java.util.Map.of("simulator", new BrokenFactory()),
                Given.context().upstreams(),
                Given.context().sealer(),
                Given.context().places(),
                true,
                Given.context().role());
        List<UserError> errors = ConfigDecider.decide(acme(), provider("acme", "p"), bad)
                .fold(accepted -> List.of(), ConfigDecision.Refused::errors);
        assertThat(errors).extracting(UserError::code).containsExactly(UserErrorCode.INVALID);
    }

    private static final class BrokenFactory implements io.sluice.plugins.api.ProviderFactory {
        @Override
        public String plugin() {
            return "simulator";
        }

        @Override
        public int apiVersion() {
            return 1;
        }

        @Override
        public List<io.sluice.plugins.api.SettingProblem> check(io.sluice.plugins.api.ProviderSettings settings) {
            throw new IllegalStateException("a bug");
        }

        @Override
        public io.vertx.core.Future<io.sluice.plugins.api.Provider> create(
                io.sluice.plugins.api.ProviderSettings settings, io.vertx.core.Vertx vertx) {
            throw new IllegalStateException("a bug");
        }
    }

    private static Rung cacheRung(String cache) {
        return new Rung("old", null, json(cache), null, null, null, null, null, null, null);
    }
}
