package io.sluice.ops;

import static io.sluice.ops.Admin.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A tenant of a {@link SplitCluster} with a provider that keeps its own bill: each answer costs exactly a cent, which is also the most
 * that a request may cost. Sends chats to whichever node. Thread-safe.
 */
final class SplitTenant implements AutoCloseable {
    static final long CENT = 10_000;

    private static final int TOKENS = 100;

    /** A prompt with this word is answered so late. */
    private static final String SLOW = "slowly";

    private static final int SLOW_MS = 5_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SplitCluster cluster;
    private final String id;
    private final ScriptedUpstream provider;
    private final ScriptedUpstream shaky;
    private final AtomicLong billMicros = new AtomicLong();
    private volatile boolean shakes;
    private final String key;

    /**
     * Makes it at the first node.
     *
     * @param requestsPerMinute limit of its only key; null is none
     */
    SplitTenant(SplitCluster cluster, String id, Integer requestsPerMinute) throws Exception {
        this.cluster = cluster;
        this.id = id;
        provider = ScriptedUpstream.playing(cluster.testAddress(), this::answer);
        shaky = ScriptedUpstream.playing(cluster.testAddress(), (request, wire) -> {
            if (shakes) {
                wire.json(500, "{\"error\":{\"message\":\"out of order\"}}");
            } else {
                answer(request, wire);
            }
        });
        Admin admin = cluster.admin(0);
        admin.tenant(id);
        admin.make(
                "putModel", "", input("tenantId", id, "id", "m1", "contextWindow", 100_000, "maxOutputTokens", TOKENS));
        admin.make("putPrice", "", input("tenantId", id, "model", "m1", "inputPerMTok", "0", "outputPerMTok", "100"));
        admin.pool(id, "main", provider.baseUrl(), "m1");
        admin.pool(id, "shaky", shaky.baseUrl(), "m1");
        admin.make(
                "putPool",
                "",
                input(
                        "tenantId",
                        id,
                        "id",
                        "both",
                        "tier",
                        "STANDARD",
                        "targets",
                        List.of(
                                Map.of("provider", "main", "model", "m1"),
                                Map.of("provider", "shaky", "model", "m1"))));
        admin.make(
                "putScenario",
                "",
                input(
                        "tenantId", id,
                        "name", "chat",
                        "sensitivity", "CREATIVE",
                        "kind", "READ",
                        "deadline", "PT30S",
                        "ladder", List.of(Map.of("name", "normal", "pool", "both"))));
        Map<String, Object> ofKey = input("tenantId", id, "appId", "app", "defaultScenario", "chat");
        if (requestsPerMinute != null) {
            ofKey.put("requestsPerMinute", requestsPerMinute);
        }
        key = admin.make("createApiKey", "key", ofKey).get("key").asText();
    }

    private void answer(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire)
            throws IOException, InterruptedException {
        if (!request.line().startsWith("POST ")) {
            wire.json(200, "{}"); // a warm ping is free
            return;
        }
        if (request.body().contains(SLOW)) {
            Thread.sleep(SLOW_MS);
        }
        billMicros.addAndGet(CENT);
        wire.json(200, Sse.whole("yes", 10, TOKENS));
    }

    /** Its finance team sets a cap of a month and has events posted to {@code webhook}. */
    void cap(String limit, String webhook) throws Exception {
        cap(limit).make("putWebhook", "", input("tenantId", id, "id", "events", "url", webhook));
    }

    /** Its finance team, who sets a cap of a month. */
    Admin cap(String limit) throws Exception {
        Admin admin = cluster.admin(0);
        String token = admin.make(
                        "createAccessToken", "token", input("tenantId", id, "role", "FINANCE", "name", "finance"))
                .get("token")
                .asText();
        Admin finance = new Admin(admin.sluice(), token);
        finance.make("setSpendCap", "", input("tenantId", id, "scope", "TENANT", "period", "MONTH", "limit", limit));
        return finance;
    }

    /** {@code who} lowers its cap to nothing. */
    void stop(Admin who) throws Exception {
        int version = who.ask("{tenant(id:\"" + id + "\"){spendCaps{version}}}")
                .at("/tenant/spendCaps/0/version")
                .asInt();
        who.make(
                "setSpendCap",
                "",
                input("tenantId", id, "scope", "TENANT", "period", "MONTH", "limit", "0", "version", version));
    }

    /** Whether one of its two targets is out of order from now on. */
    void shake(boolean now) {
        shakes = now;
    }

    HttpResponse<String> chat(int node) throws Exception {
        return cluster.node(node).send(request(node, "hello"));
    }

    /** A chat that takes some seconds, asked from a thread that is not waited for. */
    Thread slowChat(int node, List<Integer> statuses) throws Exception {
        HttpRequest request = request(node, SLOW);
        Thread caller = new Thread(() -> {
            try {
                statuses.add(cluster.node(node).send(request).statusCode());
            } catch (Exception broken) {
                statuses.add(0);
            }
        });
        caller.start();
        return caller;
    }

    private HttpRequest request(int node, String prompt) throws IOException {
        return SluiceProcess.chat(cluster.node(node).fact("Apps") + "/chat/completions", key, body(prompt));
    }

    private static String body(String prompt) {
        return "{\"model\":\"auto\",\"max_tokens\":" + TOKENS + ",\"messages\":[{\"role\":\"user\",\"content\":\""
                + prompt + "\"}]}";
    }

    /** Starts to send chats to every node, whatever a node answers. */
    Traffic traffic(int perSecond) throws IOException {
        return Traffic.toEach(cluster, key, body("hello"), perSecond);
    }

    /** How many of {@code count} chats at a node are answered. */
    int answered(int node, int count) throws Exception {
        int answered = 0;
        for (int i = 0; i < count; i++) {
            answered += chat(node).statusCode() == 200 ? 1 : 0;
        }
        return answered;
    }

    /** The record of a decision as node {@code asked} finds it; missing where it does not. */
    JsonNode decision(int asked, String traceId) throws Exception {
        SluiceProcess node = cluster.node(asked);
        HttpResponse<String> answer =
                node.send(HttpRequest.newBuilder(URI.create(node.fact("Apps") + "/decisions/" + traceId))
                        .header("authorization", "Bearer " + key)
                        .build());
        return answer.statusCode() == 200 ? JSON.readTree(answer.body()) : JSON.missingNode();
    }

    static String traceId(HttpResponse<String> answer) {
        return answer.headers().firstValue("x-request-id").orElseThrow();
    }

    static String code(HttpResponse<String> answer) throws IOException {
        return JSON.readTree(answer.body()).at("/error/code").asText();
    }

    long billMicros() {
        return billMicros.get();
    }

    /** What a node's books say of its cap: {@code spent} and {@code held}, micro-units. */
    Standing standing(int node) throws Exception {
        JsonNode cap = cluster.admin(node)
                .ask("{tenant(id:\"" + id + "\"){spendCaps{spent held}}}")
                .at("/tenant/spendCaps/0");
        return new Standing(micros(cap.path("spent")), micros(cap.path("held")));
    }

    /** Micro-units. */
    record Standing(long spent, long held) {}

    private static long micros(JsonNode amount) {
        return new BigDecimal(amount.asText()).movePointRight(6).longValueExact();
    }

    @Override
    public void close() {
        provider.close();
        shaky.close();
    }
}
