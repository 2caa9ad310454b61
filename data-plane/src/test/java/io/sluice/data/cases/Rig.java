package io.sluice.data.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.pool.BreakerSettings;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Two scripted upstreams behind one gateway, shared by the cases of a class. Scenario {@code chat} asks the first and falls
 * back to the second, {@code alone} has only the first, {@code patient} has only the first and bears long silence. The
 * breaker never opens for longer than a moment, so one case's failures are nothing to the next.
 */
final class Rig implements AutoCloseable {
    /** What the second upstream says. */
    static final String SPARE = "spare";

    static final String[] ALONE = {"x-business-scenario", "alone"};

    private static final BreakerSettings FORGIVING = new BreakerSettings(60_000, 1, 1_000_000, 64, 1, 1_000_000, 1, 1);

    private final ScriptedUpstream first = ScriptedUpstream.answering(500, "{}");
    private final ScriptedUpstream second = ScriptedUpstream.answering(500, "{}");
    private final AtomicLong skippedMs = new AtomicLong();
    private final TestGateway gateway;

    Rig() {
        this(new TestGateway.Options());
    }

    Rig(TestGateway.Options options) {
        second.play(Rig::spare);
        gateway = TestGateway.start(configuration(), options.breaker(FORGIVING).limitClock(this::limitMs));
    }

    private long limitMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime()) + skippedMs.get();
    }

    private static void spare(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire) throws IOException {
        if (request.body().contains("\"stream\":true")) {
            wire.stream()
                    .chunk(Sse.c(SPARE) + Sse.fin("stop") + Sse.use(7, 3) + Sse.DONE)
                    .end();
        } else {
            wire.json(200, Sse.whole(SPARE, 7, 3));
        }
    }

    private Configuration configuration() {
        Configuration chain = TestConfig.chain(first, second);
        TenantTree tenant = chain.tenants()
                .get(TestConfig.T1)
                .with(scenario("alone", "PT2S"))
                .with(scenario("patient", "PT1M"));
        return chain.with(tenant);
    }

    private static ScenarioConfig scenario(String name, String idle) {
        return new ScenarioConfig(
                name,
                1,
                Sensitivity.CREATIVE,
                RequestKind.READ,
                true,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                List.of(new RungConfig.Pool("only", "pool1", null, null)),
                Map.of("streamIdle", TextNode.valueOf(idle)));
    }

    TestGateway gateway() {
        return gateway;
    }

    Client client() {
        return gateway.client();
    }

    /** The upstream that is asked first. */
    ScriptedUpstream upstream() {
        return first;
    }

    /** The fallback of scenario {@code chat}. */
    ScriptedUpstream fallback() {
        return second;
    }

    /** The first upstream plays this from now on. */
    Rig plays(ScriptedUpstream.Script script) {
        first.requests().clear();
        second.requests().clear();
        first.play(script);
        return this;
    }

    /** The first upstream streams these pieces, an HTTP chunk each. */
    Rig streams(String... pieces) {
        return plays((request, wire) -> {
            wire.stream();
            for (String piece : pieces) {
                wire.chunk(piece);
            }
            wire.end();
        });
    }

    /** The first upstream answers this JSON. */
    Rig answers(int status, String json, String... headers) {
        return plays((request, wire) -> wire.json(status, json, headers));
    }

    /** Asks for a stream. */
    Client.Answer askStream(String... headers) {
        return client().chat(Client.streamed(), headers);
    }

    /** Asks for a whole answer. */
    Client.Answer ask(String... headers) {
        return client().chat(Client.request(), headers);
    }

    /** The last request that the first upstream got, as JSON. */
    JsonNode sent() {
        return json(first.requests().get(first.requests().size() - 1).body());
    }

    static JsonNode json(String text) {
        try {
            return StrictJson.MAPPER.readTree(text);
        } catch (IOException notJson) {
            throw new AssertionError("not JSON: " + text, notJson);
        }
    }

    DecisionRecord decision(Client.Answer answer) {
        return gateway.decision(answer);
    }

    /** The record of a request whose answer may never have come, as soon as there is one. */
    DecisionRecord decision(String traceId) {
        AtomicReference<Client.Answer> found = new AtomicReference<>();
        TestGateway.eventually("the decision of " + traceId + " is recorded", () -> {
            found.set(client().get("/v1/decisions/" + traceId));
            return found.get().status() == 200;
        });
        try {
            return StrictJson.MAPPER.treeToValue(found.get().json(), DecisionRecord.class);
        } catch (IOException notARecord) {
            throw new AssertionError(found.get().body(), notARecord);
        }
    }

    static AttemptRecord firstAttempt(DecisionRecord record) {
        return record.attempts().get(0);
    }

    static String newTraceId() {
        return String.format(
                "%016x%016x",
                ThreadLocalRandom.current().nextLong() | 1,
                ThreadLocalRandom.current().nextLong());
    }

    /** The header that makes {@code traceId} the request's. */
    static String traceparent(String traceId) {
        return "00-" + traceId + "-00f067aa0ba902b7-01";
    }

    /** Makes the first upstream eligible again, whatever a case did to it. */
    void heal() {
        skippedMs.addAndGet(61_000); // nobody is out of quota for longer than a minute
        answers(200, Sse.whole("well", 1, 1));
        TestGateway.eventually(
                "the first upstream answers again", () -> ask(ALONE).status() == 200);
    }

    /** Waits until no call runs. */
    void settled() {
        TestGateway.eventually("no call in flight", () -> gateway.metric("sluice_attempts_running") == 0);
    }

    /** The tool calls of a stream, put together as a strict client does it. */
    static List<Call> calls(List<JsonNode> chunks) {
        Map<Integer, Call> calls = new HashMap<>();
        for (JsonNode chunk : chunks) {
            for (JsonNode piece : chunk.path("choices").path(0).path("delta").path("tool_calls")) {
                if (!piece.path("index").isIntegralNumber()
                        || !piece.path("function").path("arguments").isTextual()) {
                    throw new AssertionError("strict clients refuse this piece: " + piece);
                }
                int index = piece.get("index").intValue();
                calls.merge(index, Call.begun(index, piece), (begun, more) -> begun.plus(piece));
            }
        }
        return calls.values().stream()
                .sorted((a, b) -> Integer.compare(a.index(), b.index()))
                .toList();
    }

    /** A tool call as a client has it in the end. */
    record Call(int index, String id, String name, String arguments) {
        private static Call begun(int index, JsonNode piece) {
            return new Call(
                    index,
                    piece.path("id").textValue(),
                    piece.path("function").path("name").textValue(),
                    piece.path("function").path("arguments").textValue());
        }

        private Call plus(JsonNode piece) {
            String more = piece.path("id").textValue();
            if (more != null && !more.equals(id)) {
                throw new AssertionError("one index has two ids: " + id + " and " + more);
            }
            return new Call(
                    index,
                    id,
                    name,
                    arguments + piece.path("function").path("arguments").textValue());
        }
    }

    @Override
    public void close() {
        gateway.close();
        first.close();
        second.close();
    }
}
