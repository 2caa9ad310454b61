package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A platform engineer brings tenants in through GraphQL alone, and apps chat at once. */
class OnboardingIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SORRY = "We are busy; please write to help@acme.example.";
    private static final String HELLO =
            "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"scene: hello\"}]}";

    /** The form of a trace id, and no request's. */
    private static final String NO_TRACE_ID = "0123456789abcdef0123456789abcdef";

    @TempDir
    static Path directory;

    private static Scenes scenes;
    private static SluiceProcess sluice;
    private static Admin root;
    private static Admin other;
    private static String acmeKey;
    private static String otherKey;

    @BeforeAll
    static void onboard() throws Exception {
        scenes = new Scenes();
        sluice = SluiceProcess.up(directory.resolve("data"), "--empty");
        root = new Admin(sluice, sluice.shownToken());
        onboard("acme");
        acmeKey = key("acme");
        onboard("other");
        otherKey = key("other");
        other = new Admin(
                sluice,
                root.make(
                                "createAccessToken",
                                "token",
                                input("role", "TENANT_ADMIN", "tenantId", "other", "name", "otto"))
                        .get("token")
                        .asText());
    }

    /** Everything but the key: a provider and a model, two pools, a ladder that ends with a text. */
    private static void onboard(String tenant) throws Exception {
        root.tenant(tenant);
        root.model(tenant, "small");
        root.pool(tenant, "main-" + tenant, scenes.baseUrl(), "small");
        root.pool(tenant, "spare-" + tenant, scenes.baseUrl(), "small");
        root.make("putScenario", "scenario { version ladder { name kind } }", scenario(tenant));
    }

    private static Map<String, Object> scenario(String tenant) {
        return input(
                "tenantId",
                tenant,
                "name",
                "support",
                "sensitivity",
                "CREATIVE",
                "kind",
                "READ",
                "ladder",
                List.of(
                        Map.of("name", "normal", "pool", "main-" + tenant),
                        Map.of("name", "lighter", "pool", "spare-" + tenant),
                        Map.of("name", "sorry", "text", SORRY)));
    }

    private static String key(String tenant) throws Exception {
        return root.make("createApiKey", "key", input("tenantId", tenant, "appId", "app", "defaultScenario", "support"))
                .get("key")
                .asText();
    }

    @AfterAll
    static void stop() {
        sluice.close();
        scenes.close();
    }

    private static HttpResponse<String> chat(String key, String body) throws Exception {
        return sluice.send(SluiceProcess.chat(sluice.fact("Apps") + "/chat/completions", key, body));
    }

    private static HttpResponse<String> get(String key, String path) throws Exception {
        return sluice.send(HttpRequest.newBuilder(URI.create(sluice.fact("Apps") + path))
                .header("authorization", "Bearer " + key)
                .build());
    }

    private static String traceId(HttpResponse<String> answer) {
        return answer.headers().firstValue("x-request-id").orElseThrow();
    }

    @Test
    void answersAChatOfTheNewTenant() throws Exception {
        HttpResponse<String> answer = chat(acmeKey, HELLO);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("Hello there");
        assertThat(answer.headers().firstValue("x-sluice-model")).contains("main-acme/small");
        assertThat(answer.headers().firstValue("x-sluice-step")).contains("normal");
        // 5 tokens at 0.15 and 2 at 0.60 per million.
        assertThat(answer.headers().firstValue("x-sluice-cost-usd")).contains("0.000002");
    }

    @Test
    void goesDownTheLadderToTheText() throws Exception {
        HttpResponse<String> answer = chat(acmeKey, HELLO.replace("hello", "fail 500"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(JSON.readTree(answer.body()).at("/choices/0/message/content").asText())
                .isEqualTo(SORRY);
        assertThat(answer.headers().firstValue("x-sluice-step")).contains("sorry");
        assertThat(answer.headers().firstValue("x-sluice-degraded")).isPresent();
    }

    @Test
    void everyRungOfALadderIsCalledBeforeItGoesLive() throws Exception {
        JsonNode verdict = root.make(
                "verifyLadder",
                "ok costUsd checks { step kind provider model ok ms failureClass detail costUsd }",
                input("tenantId", "acme", "scenario", "support", "prompt", "scene: hello"));

        assertThat(verdict.get("ok").asBoolean()).as(verdict.toString()).isTrue();
        assertThat(verdict.get("checks").findValuesAsText("step")).containsExactly("normal", "lighter", "sorry");
        assertThat(verdict.get("checks").findValuesAsText("kind")).containsExactly("pool", "pool", "text");
    }

    @Test
    void aKeyWorksInTheVeryNextRequestAndARevokedOneDoesNot() throws Exception {
        for (int i = 0; i < 20; i++) {
            JsonNode made = root.make(
                    "createApiKey",
                    "key apiKey { id }",
                    input("tenantId", "acme", "appId", "app", "defaultScenario", "support"));
            String key = made.get("key").asText();
            assertThat(chat(key, HELLO).statusCode()).isEqualTo(200);

            root.make(
                    "revokeApiKey",
                    "",
                    input("tenantId", "acme", "id", made.at("/apiKey/id").asText()));

            assertThat(chat(key, HELLO).body()).contains("invalid_api_key");
        }
    }

    @Test
    void namesAllMistakesOfAnInputAtOnceWithTheirPaths() throws Exception {
        JsonNode pool = root.tryTo(
                "putPool",
                "pool { id }",
                input(
                        "tenantId",
                        "acme",
                        "id",
                        "bad pool!",
                        "tier",
                        "STANDARD",
                        "targets",
                        List.of(
                                input("provider", "nope", "model", "small", "weight", -3),
                                input("provider", "main-acme", "model", "x"))));
        assertThat(pool.get("pool").isNull()).isTrue();
        assertThat(mistakes(pool))
                .contains(
                        "id INVALID",
                        "targets.0.provider NOT_FOUND",
                        "targets.0.weight INVALID",
                        "targets.1.model NOT_FOUND");

        Map<String, Object> wrong = new HashMap<>(scenario("acme"));
        Map<String, Object> unknownPool = input("name", "a", "pool", "nowhere");
        Map<String, Object> twoThings = input("name", "a", "pool", "main-acme", "text", "x");
        wrong.putAll(input("name", "", "deadline", "PT-1S", "ladder", List.of(unknownPool, twoThings)));
        JsonNode scenario = root.tryTo("putScenario", "scenario { name }", wrong);
        assertThat(mistakes(scenario)).anyMatch(each -> each.startsWith("name "));
        assertThat(mistakes(scenario))
                .anyMatch(each -> each.startsWith("deadline "))
                .contains("ladder.0.pool NOT_FOUND")
                .anyMatch(each -> each.startsWith("ladder.1"));

        JsonNode tenant = root.tryTo(
                "createTenant", "", input("id", "acme", "displayName", "", "timeZone", "UTC", "currency", "EURO"));
        assertThat(mistakes(tenant))
                .contains("id DUPLICATE")
                .anyMatch(each -> each.startsWith("displayName "))
                .anyMatch(each -> each.startsWith("currency "));

        Map<String, Object> wrongKey = input("tenantId", "acme", "appId", "no", "models", List.of("no"));
        wrongKey.put("expiresAt", "1 May");
        assertThat(mistakes(root.tryTo("createApiKey", "key", wrongKey)))
                .containsExactly("appId NOT_FOUND", "models.0 NOT_FOUND", "expiresAt INVALID");
    }

    /** Path and code of each. */
    private static List<String> mistakes(JsonNode payload) {
        List<String> mistakes = new ArrayList<>();
        for (JsonNode error : payload.get("userErrors")) {
            assertThat(error.get("message").asText()).isNotBlank();
            mistakes.add(StreamSupport.stream(error.get("path").spliterator(), false)
                            .map(JsonNode::asText)
                            .reduce((before, member) -> before + "." + member)
                            .orElse("")
                    + " " + error.get("code").asText());
        }
        return mistakes;
    }

    @Test
    void anotherTenantsAdminSeesNothingOfIt() throws Exception {
        String traceId = traceId(chat(acmeKey, HELLO));
        assertThat(recordedTenant(traceId)).isEqualTo("acme");

        assertThat(other.ask("{ tenants { totalCount nodes { id } } }").toString())
                .isEqualTo("{\"tenants\":{\"totalCount\":1,\"nodes\":[{\"id\":\"other\"}]}}");
        assertSame(other, "{ tenant(id: \"%s\") { id } }", "acme", "nobody");
        assertSame(other, "{ decision(traceId: \"%s\") { tenantId } }", traceId, NO_TRACE_ID);
        assertSame(other, "{ decisions(tenantId: \"%s\") { nodes { traceId } } }", "acme", "nobody");
        assertSame(other, "{ pools(tenantId: \"%s\") { nodes { poolId } } }", "acme", "nobody");
        assertSame(other, "{ auditLog(tenantId: \"%s\") { nodes { subject } } }", "acme", "nobody");
        assertSame(
                other,
                "{ planRoute(input: {tenantId: \"%s\", scenario: \"support\"}) { refused candidates { provider } } }",
                "acme",
                "nobody");
    }

    /** Whose decision it is; a request is settled a moment after its caller was answered. */
    private static String recordedTenant(String traceId) throws Exception {
        String tenant = "";
        for (int i = 0; i < 100 && tenant.isEmpty(); i++) {
            Thread.sleep(i == 0 ? 0 : 100);
            tenant = root.ask("{ decision(traceId: \"" + traceId + "\") { tenantId } }")
                    .at("/decision/tenantId")
                    .asText();
        }
        return tenant;
    }

    @Test
    void anotherTenantsAdminChangesNothingOfIt() throws Exception {
        long before = epoch();
        for (String mutation : List.of(
                "createApp(input: {tenantId: \"%s\", id: \"evil\"})",
                "putModel(input: {tenantId: \"%s\", id: \"small\", version: 1, contextWindow: 10, maxOutputTokens: 5})",
                "createApiKey(input: {tenantId: \"%s\", appId: \"app\"})",
                "updateTenant(input: {id: \"%s\", version: 1, suspended: true})",
                "applyConfig(input: {tenantId: \"%s\", document: {apps: [{id: \"evil\"}]}})")) {
            assertSame(other, "mutation { " + mutation + " { userErrors { path code message } } }", "acme", "nobody");
        }
        assertThat(epoch()).isEqualTo(before);
    }

    /** The reply for what is somebody else's must not differ from the one for what isn't there. */
    private static void assertSame(Admin who, String document, String theirs, String nobodys) throws Exception {
        JsonNode one = who.reply(String.format(document, theirs), Map.of());
        JsonNode two = who.reply(String.format(document, nobodys), Map.of());

        assertThat(one.toString().replace(theirs, "ID"))
                .isEqualTo(two.toString().replace(nobodys, "ID"));
    }

    @Test
    void anotherTenantsKeyUsesNothingOfIt() throws Exception {
        String traceId = traceId(chat(acmeKey, HELLO));
        assertThat(get(acmeKey, "/decisions/" + traceId).statusCode()).isEqualTo(200);

        HttpResponse<String> theirs = get(otherKey, "/decisions/" + traceId);
        HttpResponse<String> nobodys = get(otherKey, "/decisions/" + NO_TRACE_ID);
        assertThat(theirs.statusCode()).isEqualTo(404);
        assertThat(theirs.body()).isEqualTo(nobodys.body());

        HttpResponse<String> theirPool = chat(otherKey, HELLO.replace("auto", "main-acme"));
        HttpResponse<String> noPool = chat(otherKey, HELLO.replace("auto", "main-none"));
        assertThat(theirPool.statusCode()).isEqualTo(404);
        assertThat(theirPool.body()).isEqualTo(noPool.body().replace("main-none", "main-acme"));
        assertThat(get(otherKey, "/models").body()).contains("main-other").doesNotContain("acme");
    }

    @Test
    void showsWhyARequestWentWhereItWent() throws Exception {
        HttpResponse<String> answer = chat(acmeKey, HELLO);

        JsonNode decision = root.ask(
                        "{ decision(traceId: \"" + traceId(answer)
                                + "\") { scenario step model outcome epoch costUsd attempts { n provider model outcome totalMs } record } }")
                .get("decision");

        assertThat(decision.get("scenario").asText()).isEqualTo("support");
        assertThat(decision.get("step").asText()).isEqualTo("normal");
        assertThat(decision.get("model").asText()).isEqualTo("main-acme/small");
        assertThat(decision.get("outcome").asText()).isEqualTo("ok");
        assertThat(decision.get("epoch").asText())
                .isEqualTo(answer.headers().firstValue("x-sluice-epoch").orElseThrow());
        assertThat(decision.get("costUsd").asText())
                .isEqualTo(answer.headers().firstValue("x-sluice-cost-usd").orElseThrow());
        assertThat(decision.get("attempts")).hasSize(1);
        assertThat(decision.get("record").isObject()).isTrue();
        assertThat(decision.toString()).doesNotContain("scene: hello").doesNotContain(acmeKey);
    }

    @Test
    void plansARouteWithoutCallingAnybody() throws Exception {
        JsonNode plan = root.ask("{ planRoute(input: {tenantId: \"acme\", scenario: \"support\"})"
                        + " { refused candidates { step provider model probability } } }")
                .get("planRoute");

        assertThat(plan.get("refused").isNull()).isTrue();
        assertThat(plan.get("candidates").findValuesAsText("step")).startsWith("normal", "lighter");
        assertThat(plan.at("/candidates/0/probability").asDouble()).isEqualTo(1);
    }

    @Test
    void appliesADocumentAsAWholeOrOnlySaysWhatItWouldDo() throws Exception {
        Map<String, Object> document = Map.of(
                "models",
                List.of(input("id", "large", "contextWindow", 32_000, "maxOutputTokens", 4_000)),
                "prices",
                List.of(input("model", "large", "inputPerMTok", "3", "outputPerMTok", "15")),
                "pools",
                List.of(input(
                        "id",
                        "big",
                        "tier",
                        "PREMIUM",
                        "targets",
                        List.of(Map.of("provider", "main-acme", "model", "large")))));
        String selection = "epoch changes { kind id change }";
        long before = epoch();

        JsonNode dry =
                root.make("applyConfig", selection, input("tenantId", "acme", "document", document, "dryRun", true));
        assertThat(dry.get("changes").findValuesAsText("id")).contains("large", "big");
        assertThat(epoch()).isEqualTo(before);
        assertThat(pools("acme")).doesNotContain("big");

        JsonNode half = root.tryTo(
                "applyConfig",
                selection,
                input(
                        "tenantId",
                        "acme",
                        "document",
                        Map.of(
                                "models",
                                document.get("models"),
                                "pools",
                                List.of(input(
                                        "id",
                                        "big",
                                        "tier",
                                        "PREMIUM",
                                        "targets",
                                        List.of(Map.of("provider", "nope", "model", "large")))))));
        assertThat(mistakes(half)).contains("document.pools.0.targets.0.provider NOT_FOUND");
        assertThat(epoch()).isEqualTo(before);

        JsonNode wet = root.make("applyConfig", selection, input("tenantId", "acme", "document", document));
        assertThat(wet.get("changes")).isEqualTo(dry.get("changes"));
        assertThat(wet.get("epoch").asLong()).isEqualTo(before + 1);
        assertThat(pools("acme")).contains("big");
        assertThat(chat(acmeKey, HELLO.replace("auto", "big")).statusCode()).isEqualTo(200);
    }

    private static List<String> pools(String tenant) throws Exception {
        return root.ask("{ tenant(id: \"" + tenant + "\") { pools { id } } }")
                .get("tenant")
                .findValuesAsText("id");
    }

    private static long epoch() throws Exception {
        return root.ask("{ cluster { epoch } }").at("/cluster/epoch").asLong();
    }

    @Test
    void tellsSubscribersOfEpochsAndOfTheHealthOfTheirPools() throws Exception {
        try (GraphqlSocketClient socket = new GraphqlSocketClient(root)) {
            socket.subscribe("e", "subscription { configEpoch { epoch cause } }");
            socket.subscribe(
                    "h",
                    "subscription { poolHealth(tenantId: \"acme\") { poolId tenantId usableAnswerRate targets { state } } }");
            chat(acmeKey, HELLO);
            JsonNode health = socket.next(
                    "h", data -> data.at("/poolHealth/poolId").asText().equals("main-acme"));
            assertThat(health.at("/poolHealth/tenantId").asText()).isEqualTo("acme");
            assertThat(health.at("/poolHealth/targets")).hasSize(1);

            long before = epoch();
            root.make("createApp", "", input("tenantId", "acme", "id", "app-of-subscriber"));

            JsonNode epoch =
                    socket.next("e", data -> data.at("/configEpoch/epoch").asLong() > before);
            assertThat(epoch.at("/configEpoch/cause").asText()).contains("createApp");
        }
    }
}
