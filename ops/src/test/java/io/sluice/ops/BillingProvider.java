package io.sluice.ops;

import static io.sluice.ops.Admin.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A provider that keeps its own bill: it answers as many tokens as it was allowed and charges them when it begins to answer, whoever
 * is there to hear it. Prompts are free, so a request's worst case is what it costs. Thread-safe.
 */
final class BillingProvider implements AutoCloseable {
    /** At $2 per million tokens. */
    static final int TOKEN_MICROS = 2;

    private static final int PROMPT_TOKENS = 10;
    private static final int TOKENS_MAX = 25_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ScriptedUpstream upstream = ScriptedUpstream.playing(this::play);
    private final Queue<Charge> charges = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile long answerMs = 20;

    /**
     * A line of the bill.
     *
     * @param traceId of the request that it was called for
     * @param attempt 1 for the request's first call
     */
    record Charge(String traceId, int attempt, long micros) {}

    private void play(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire)
            throws IOException, InterruptedException {
        if (!request.line().startsWith("POST ")) { // a ping, which lists models and is free
            wire.json(200, "{\"object\":\"list\",\"data\":[]}");
            return;
        }
        calls.incrementAndGet();
        JsonNode body = JSON.readTree(request.body());
        int tokens = body.has("max_completion_tokens")
                ? body.path("max_completion_tokens").asInt()
                : body.path("max_tokens").asInt(TOKENS_MAX);
        Thread.sleep(answerMs);
        charges.add(new Charge(
                request.headers().get("traceparent").substring(3, 35),
                Integer.parseInt(request.headers().get("x-sluice-attempt")),
                (long) tokens * TOKEN_MICROS));
        wire.json(200, Sse.whole("an answer", PROMPT_TOKENS, tokens));
    }

    /** From now on an answer takes so long. */
    void answerAfter(long millis) {
        answerMs = millis;
    }

    long billMicros() {
        return charges.stream().mapToLong(Charge::micros).sum();
    }

    /** Line by line, in the order in which it began to answer. */
    List<Charge> bill() {
        return List.copyOf(charges);
    }

    /** How often it was asked. */
    int calls() {
        return calls.get();
    }

    /** Makes a tenant that is served here by the scenario {@code chat}; a key of its app {@code app}. */
    String onboard(Admin admin, String tenant) throws Exception {
        admin.tenant(tenant);
        admin.make(
                "putModel",
                "",
                input("tenantId", tenant, "id", "m1", "contextWindow", 100_000, "maxOutputTokens", TOKENS_MAX));
        admin.make("putPrice", "", input("tenantId", tenant, "model", "m1", "inputPerMTok", "0", "outputPerMTok", "2"));
        admin.pool(tenant, "main", upstream.baseUrl(), "m1");
        admin.make(
                "putScenario",
                "",
                input(
                        "tenantId",
                        tenant,
                        "name",
                        "chat",
                        "sensitivity",
                        "CREATIVE",
                        "kind",
                        "READ",
                        "deadline",
                        "PT1M",
                        "ladder",
                        List.of(Map.of("name", "normal", "pool", "main"))));
        return key(admin, tenant, "app").get("key").asText();
    }

    /** A new key: {@code key} is the secret, {@code apiKey.id} its id. */
    static JsonNode key(Admin admin, String tenant, String app) throws Exception {
        return admin.make(
                "createApiKey",
                "apiKey { id } key",
                input("tenantId", tenant, "appId", app, "defaultScenario", "chat"));
    }

    /** Limits what the tenant may spend in this month. */
    static void cap(Admin admin, String tenant, long micros) throws Exception {
        cap(admin, tenant, "MONTH", micros);
    }

    /** Limits what the tenant may spend in each {@code period}. */
    static void cap(Admin admin, String tenant, String period, long micros) throws Exception {
        String finance = admin.make(
                        "createAccessToken", "token", input("tenantId", tenant, "role", "FINANCE", "name", "finance"))
                .get("token")
                .asText();
        new Admin(admin.sluice(), finance)
                .make(
                        "setSpendCap",
                        "",
                        input(
                                "tenantId",
                                tenant,
                                "scope",
                                "TENANT",
                                "period",
                                period,
                                "limit",
                                BigDecimal.valueOf(micros, 6).toPlainString()));
    }

    /** A chat whose answer has exactly {@code tokens} tokens. */
    static String chat(int tokens) {
        return "{\"model\":\"auto\",\"max_tokens\":" + tokens
                + ",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    }

    static long micros(JsonNode amount) {
        return new BigDecimal(amount.asText()).movePointRight(6).longValueExact();
    }

    @Override
    public void close() {
        upstream.close();
    }
}
