package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.request.PipelineSettings;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.failure.Refusal;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Provokes every refusal and failure that a caller can meet and compares what comes with {@code ops/docs/errors.md}. Where they
 * differ the new text is left in {@code target/errors.md}: read it as a caller would, then copy it.
 */
class ErrorExamplesIT {
    /** Shown by tests of their own, which need more than one request or a broken part; the head of the file names them. */
    private static final Set<Refusal> NOT_SHOWN = EnumSet.of(
            Refusal.INTERNAL,
            Refusal.NOT_READY,
            Refusal.TOO_MANY_STREAMS,
            Refusal.IDEMPOTENCY_UNAVAILABLE,
            Refusal.CAPS_UNAVAILABLE,
            Refusal.BUDGET_EXHAUSTED,
            Refusal.INSUFFICIENT_QUOTA,
            Refusal.MODEL_NOT_PRICED);

    private static final Path FILE = Path.of("..", "ops", "docs", "errors.md");

    private final ErrorBook book = new ErrorBook();

    @Test
    void theFileShowsWhatCallersAreTold() throws Exception {
        requests();
        bodies();
        failures();
        kinds();
        busy();
        limited();
        repeats();
        incomplete();
        draining();

        Files.writeString(Path.of("target", "errors.md"), book.text());
        assertThat(book.text()).isEqualTo(Files.readString(FILE));
        assertThat(book.shown()).containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.copyOf(NOT_SHOWN)));
    }

    /** A request as text; {@code change} holds names and values in turn, null leaves a header out. */
    private static String request(String start, String body, String... change) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Host", "localhost");
        headers.put("Authorization", "Bearer K1");
        headers.put("Content-Type", "application/json");
        headers.put("X-Business-Scenario", "chat");
        headers.put("Connection", "close");
        headers.put("Content-Length", Integer.toString(body.getBytes(StandardCharsets.UTF_8).length));
        for (int i = 0; i < change.length; i += 2) {
            headers.put(change[i], change[i + 1]);
        }
        StringBuilder text = new StringBuilder(start).append(" HTTP/1.1\r\n");
        headers.forEach((name, value) -> {
            if (value != null) {
                text.append(name).append(": ").append(value).append("\r\n");
            }
        });
        return text.append("\r\n").append(body).toString();
    }

    private static String chat(String body, String... change) {
        return request("POST /v1/chat/completions", body, change);
    }

    private void show(TestGateway gateway, String when, String request) {
        book.add(when, RawExchange.send(gateway.client(), request).responses().get(0));
    }

    private void requests() {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(CaseConfig.tenants(up, up))) {
            String right = Client.request();
            show(gateway, "The key is missing or unknown", chat(right, "Authorization", "Bearer K9"));
            show(gateway, "The key's tenant is suspended", chat(right, "Authorization", "Bearer K3"));
            show(gateway, "No scenario is named and the key has none", chat(right, "X-Business-Scenario", null));
            show(gateway, "The scenario does not exist", chat(right, "X-Business-Scenario", "chta"));
            show(
                    gateway,
                    "The key may not use the scenario",
                    chat(right, "Authorization", "Bearer KS", "X-Business-Scenario", "audit"));
            show(gateway, "The model does not exist", chat(right.replace("auto", "gpt-9")));
            show(
                    gateway,
                    "The key may not use the model",
                    chat(right.replace("auto", "blind"), "Authorization", "Bearer KM"));
            show(gateway, "A header has a wrong value", chat(right, "X-Request-Kind", "delete"));
            show(gateway, "The deadline is no number", chat(right, "X-Deadline-Ms", "soon"));
            show(
                    gateway,
                    "The deadline is too short for any attempt",
                    chat(right, "X-Deadline-Ms", "1", "X-Request-Kind", "write"));
            show(
                    gateway,
                    "The prompt is too long for every model",
                    chat(right.replace("auto", "blind").replace("\"hi\"", Sse.quote("long ".repeat(4_000)))));
            show(
                    gateway,
                    "No model can do what is asked for",
                    chat(Client.request("\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]")
                            .replace("auto", "blind")));
            show(gateway, "There is nothing at the path", request("GET /v2/chat", ""));
            show(gateway, "No such decision", request("GET /v1/decisions/" + "0".repeat(32), ""));
            show(gateway, "The method is wrong", request("GET /v1/chat/completions", ""));
            show(gateway, "The body is no JSON by its type", chat(right, "Content-Type", "text/plain"));
            show(gateway, "The body is compressed", chat(right, "Content-Encoding", "gzip"));
            show(gateway, "The client expects something", chat(right, "Expect", "200-maybe"));
            show(gateway, "The host header is wrong", chat(right, "Host", "a b"));
            show(gateway, "The length is no number", chat(right, "Content-Length", "1,1"));
            show(
                    gateway,
                    "Another transfer encoding",
                    chat(right, "Content-Length", null, "Transfer-Encoding", "gzip, chunked"));
            show(gateway, "The request line is too long", request("GET /v1/" + "x".repeat(20_000), ""));
            show(gateway, "The headers are too large", chat(right, "X-Big", "x".repeat(200_000)));
            for (int i = 0; i < 201; i++) {
                gateway.client().chat(right, "authorization", "Bearer K9");
            }
            show(gateway, "Too many wrong keys from one address", chat(right, "Authorization", "Bearer K9"));
        }
    }

    private void bodies() {
        PipelineSettings small = new PipelineSettings(2_000, 300, 30_000);
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway =
                        TestGateway.start(TestConfig.pool(up), new TestGateway.Options().pipeline(small))) {
            show(gateway, "The body is no JSON", chat("{\"model\":\"auto\",}"));
            show(gateway, "The body is empty", chat(""));
            show(gateway, "A key stands twice", chat("{\"model\":\"auto\",\"model\":\"auto\"}"));
            show(gateway, "A member is missing", chat("{\"model\":\"auto\"}"));
            show(gateway, "A member has a wrong value", chat(Client.request("\"max_tokens\":0")));
            show(gateway, "A member that only operators may set", chat(Client.request("\"api_base\":\"http://x\"")));
            show(gateway, "The body is too large", chat(Client.request("\"x\":\"" + "x".repeat(3_000) + "\"")));
            show(gateway, "The body does not arrive", chat("{", "Content-Length", "100"));
        }
    }

    private void failed(String when, String body, String[] headers, Configuration configuration) {
        try (TestGateway gateway = TestGateway.start(configuration)) {
            show(gateway, when, chat(body, headers));
        }
    }

    private static String error(String code, String message) {
        return "{\"error\":{\"message\":" + Sse.quote(message) + ",\"type\":\"x\",\"code\":" + Sse.quote(code) + "}}";
    }

    private void failures() {
        String body = Client.request();
        String[] none = {};
        try (ScriptedUpstream spent = ScriptedUpstream.answering(429, error("insufficient_quota", "no money left"));
                ScriptedUpstream locked = ScriptedUpstream.answering(401, error("invalid_api_key", "no"));
                ScriptedUpstream limited = ScriptedUpstream.answering(429, error("rate_limit_exceeded", "slow down"));
                ScriptedUpstream filter =
                        ScriptedUpstream.answering(400, error("content_filter", "this is not allowed"));
                ScriptedUpstream wrong =
                        ScriptedUpstream.answering(400, error("invalid_value", "top_p must be at most 1"));
                ScriptedUpstream shortOne = ScriptedUpstream.answering(
                        400, error("context_length_exceeded", "maximum context length is 10 tokens"));
                ScriptedUpstream silent =
                        ScriptedUpstream.playing((request, wire) -> request.clientLeftWithin(20_000))) {
            failed("Every step failed", body, none, TestConfig.chain(spent, locked));
            failed("The provider's account needs its operator", body, none, TestConfig.pool(locked));
            failed("Every provider wants fewer calls", body, none, TestConfig.pool(limited));
            failed("No target may be called", body, none, drained(TestConfig.pool(spent)));
            failed("The provider's filter refuses", body, none, TestConfig.pool(filter));
            failed("The provider calls the request wrong", body, none, TestConfig.pool(wrong));
            failed("The provider finds the prompt too long", body, none, TestConfig.pool(shortOne));
            failed("No answer came in time", body, new String[] {"X-Deadline-Ms", "400"}, TestConfig.pool(silent));
        }
    }

    private static Configuration drained(Configuration configuration) {
        TenantTree tree = configuration.tenants().get(TestConfig.T1);
        PoolConfig pool = new PoolConfig(
                new ScopedId(TestConfig.T1, "m1"), 1, Tier.STANDARD, List.of(new TargetConfig("up1", "m1", null, 0)));
        return configuration.with(tree.with(tree.catalog().with(pool))).atEpoch(1);
    }

    private static Configuration switchedOff(Configuration configuration) {
        SwitchConfig outage = new SwitchConfig(
                "outage",
                1,
                "chat",
                "rung2",
                "ops",
                "maintenance",
                Instant.parse("2100-01-01T08:00:00Z"),
                LocalDate.of(2100, 1, 1),
                null);
        return configuration
                .with(configuration.tenants().get(TestConfig.T1).with(outage))
                .atEpoch(1);
    }

    private void kinds() {
        try (ScriptedUpstream locked = ScriptedUpstream.answering(401, error("invalid_api_key", "no"));
                ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5))) {
            failed(
                    "A lower step could answer, but not a request of this kind",
                    Client.request(),
                    new String[] {"X-Request-Kind", "write"},
                    TestConfig.chain(locked, good));
            failed(
                    "Operators have switched off the step that a request of this kind needs",
                    Client.request(),
                    new String[] {"X-Request-Kind", "write"},
                    switchedOff(TestConfig.chain(good, good)));
        }
        try (ScriptedUpstream cut = ScriptedUpstream.playing((request, wire) -> wire.reset())) {
            failed(
                    "A request of this kind was sent, and what became of it is unknown",
                    Client.request(),
                    new String[] {"X-Request-Kind", "write"},
                    TestConfig.pool(cut));
        }
    }

    private void busy() throws IOException {
        try (ScriptedUpstream silent = ScriptedUpstream.playing((request, wire) -> request.clientLeftWithin(20_000));
                TestGateway gateway = TestGateway.start(
                        Ends.providers(TestConfig.pool(silent), provider -> Ends.limited(provider, 1)));
                Socket running = gateway.client().connect(20_000)) {
            Client.write(running, chat(Client.request()).getBytes(StandardCharsets.ISO_8859_1));
            TestGateway.eventually("the call runs", () -> !silent.requests().isEmpty());
            show(gateway, "All places are taken", chat(Client.request()));
        }
    }

    private void limited() {
        try (ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(
                        limited(TestConfig.pool(good)), new TestGateway.Options().limitClock(() -> 1_000_000))) {
            show(gateway, "The request alone is more than a limit", chat(Client.request("\"max_tokens\":2000")));
            RawExchange.send(gateway.client(), chat(Client.request()));
            show(gateway, "A limit is reached", chat(Client.request()));
        }
    }

    private static Configuration limited(Configuration configuration) {
        TenantTree tree = configuration.tenants().get(TestConfig.T1);
        TenantConfig tenant = new TenantConfig(
                TestConfig.T1, 1, "T1", ZoneId.of("UTC"), "USD", false, null, new LimitsConfig(1, 1_000, null), null);
        return configuration.with(tree.with(tenant)).atEpoch(1);
    }

    private void repeats() throws IOException {
        String large = Sse.whole("x".repeat(2_000), 26, 5);
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    if (request.body().contains("hang")) {
                        request.clientLeftWithin(20_000);
                    } else if (request.body().contains("break")) {
                        wire.reset();
                    } else {
                        wire.json(200, large);
                    }
                });
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(up),
                        new TestGateway.Options().recall(new RecallSettings(3_600_000, 1 << 30, 1_000, 5_000, 10)));
                Socket running = gateway.client().connect(20_000)) {
            Client.write(running, named("hang", "K-1", "X-Deadline-Ms", "3000").getBytes(StandardCharsets.ISO_8859_1));
            TestGateway.eventually("the first runs", () -> !up.requests().isEmpty());
            show(gateway, "The first request of the name still runs", named("hang", "K-1", "Prefer", "respond-async"));
            show(gateway, "The name belongs to another request", named("other", "K-1"));
            RawExchange.send(gateway.client(), named("large", "K-2"));
            show(gateway, "The first answer was too large to be kept", named("large", "K-2"));
            RawExchange.send(gateway.client(), named("break", "K-3", "X-Request-Kind", "write"));
            show(gateway, "What became of the first is unknown", named("break", "K-3", "X-Request-Kind", "write"));
        }
    }

    private static String named(String prompt, String key, String... more) {
        String[] headers = new String[more.length + 2];
        headers[0] = "Idempotency-Key";
        headers[1] = key;
        System.arraycopy(more, 0, headers, 2, more.length);
        return chat(Client.request().replace("hi", prompt), headers);
    }

    private void incomplete() {
        try (ScriptedUpstream cut = ScriptedUpstream.streaming(Sse.c("he"));
                TestGateway gateway = TestGateway.start(TestConfig.pool(cut))) {
            List<String> events = gateway.client().chat(Client.streamed()).payloads();
            book.addEvent("A stream breaks off after its first content: the last event", events.get(events.size() - 1));
        }
    }

    private void draining() throws IOException {
        try (ScriptedUpstream silent = ScriptedUpstream.playing((request, wire) -> request.clientLeftWithin(20_000));
                TestGateway gateway = TestGateway.start(TestConfig.pool(silent));
                Socket running = gateway.client().connect(20_000);
                Socket late = gateway.client().connect(20_000)) {
            Client.write(running, chat(Client.request()).getBytes(StandardCharsets.ISO_8859_1));
            TestGateway.eventually("the call runs", () -> !silent.requests().isEmpty());
            Future<Void> stopped = gateway.plane().stop(Duration.ofSeconds(1));
            Client.write(late, chat(Client.request()).getBytes(StandardCharsets.ISO_8859_1));
            book.add(
                    "The node shuts down",
                    RawExchange.readFrom(late).responses().get(0));
            book.add(
                    "The node shuts down before the answer is there",
                    RawExchange.readFrom(running).responses().get(0));
            TestGateway.eventually("the node is down", stopped::isComplete);
        }
    }
}
