package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.plugins.simulator.SimulatorScript;
import io.sluice.plugins.simulator.SimulatorServer;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Under steady traffic a scenario's first model gets slow and fails, its substitute turns bad, both get well: the traffic moves by
 * the rules. One process with short times, two simulated providers, told in order.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("chaos")
class ShiftShowIT {
    private static final String ACME = "acme";
    private static final int CALLS_PER_SECOND = 50;

    /** Above what a busy machine needs; a shift with these times takes half a minute. */
    private static final long WAIT_S = 180;

    private static final String SETTINGS = """
            upstreams:
              allowPrivate: [127.0.0.1]
            breaker:
              timeRate: 1
              countRate: 1
              consecutiveMax: 100000
            shifts:
              sample: PT1S
              samples: 3
              baselineStep: PT5S
              slowed: PT2S
              hold: PT2S
              rest: PT4S
            """;

    private static final String WELL = "{\"latencyMs\":20}";
    private static final String TROUBLED =
            "{\"latencyMs\":500,\"faults\":[{\"kind\":\"internal_error\",\"probability\":0.3}]}";
    private static final String BAD =
            "{\"latencyMs\":20,\"faults\":[{\"kind\":\"internal_error\",\"probability\":0.8}]}";

    @TempDir
    static Path directory;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final AtomicLong SHIFTED = new AtomicLong();
    private static final Vertx VERTX = Vertx.vertx();
    private static final ScheduledExecutorService TRAFFIC = Executors.newSingleThreadScheduledExecutor();
    private static Future<?> traffic;
    private static volatile Future<Void> newest;
    private static SimulatorServer first;
    private static SimulatorServer second;
    private static SluiceProcess sluice;
    private static Admin root;

    @BeforeAll
    static void start() throws Exception {
        Path file = Files.writeString(directory.resolve("sluice.yaml"), SETTINGS);
        sluice = SluiceProcess.up(directory.resolve("data"), "--config", file.toString());
        root = new Admin(sluice, sluice.shownToken());
        first = simulator();
        second = simulator();
        play(first, WELL);
        play(second, WELL);
        ShiftTenant.make(root, ACME, first.baseUrl(), second.baseUrl());
        String key = root.make(
                        "createApiKey", "key", input("tenantId", ACME, "appId", "app", "defaultScenario", "chat"))
                .get("key")
                .asText();
        HttpRequest chat = SluiceProcess.chat(
                sluice.fact("Apps") + "/chat/completions",
                key,
                "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}");
        traffic = TRAFFIC.scheduleAtFixedRate(
                () -> newest = HTTP.sendAsync(chat, HttpResponse.BodyHandlers.discarding())
                        .thenAccept(ShiftShowIT::count),
                0,
                1_000_000 / CALLS_PER_SECOND,
                TimeUnit.MICROSECONDS);
    }

    private static void count(HttpResponse<Void> answer) {
        String degraded = answer.headers().firstValue("x-sluice-degraded").orElse("");
        if (degraded.equals("shifted")) {
            SHIFTED.incrementAndGet();
        }
    }

    private static SimulatorServer simulator() throws Exception {
        return SimulatorServer.start(VERTX, "127.0.0.1", 0, SimulatorScript.DEFAULT)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    @AfterAll
    static void stop() throws Exception {
        traffic.cancel(false);
        TRAFFIC.shutdownNow();
        newest.cancel(true);
        sluice.close();
        VERTX.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static void play(SimulatorServer simulator, String script) throws Exception {
        HttpResponse<String> answer = HTTP.send(
                HttpRequest.newBuilder(URI.create(simulator.baseUrl()).resolve("/_script"))
                        .POST(HttpRequest.BodyPublishers.ofString(script))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    }

    private static JsonNode shift() throws Exception {
        return root.ask("{ tenant(id: \"acme\") { scenarios { shift { phase percent sinceAt substitute reason trouble"
                        + " baselineP95Ms currentP95Ms errorRate } } } }")
                .at("/tenant/scenarios/0/shift");
    }

    private static boolean in(JsonNode shift, String phase) {
        return shift.get("phase").asText().equals(phase);
    }

    /** Looks until it is so, and gives all that was seen on the way. */
    private static List<JsonNode> until(Predicate<JsonNode> enough) throws Exception {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        List<JsonNode> seen = new ArrayList<>();
        do {
            JsonNode now = shift();
            if (seen.isEmpty() || !now.equals(seen.get(seen.size() - 1))) {
                seen.add(now);
            }
            assertThat(System.nanoTime()).as("still %s", now).isLessThan(endNs);
            Thread.sleep(50);
        } while (!enough.test(seen.get(seen.size() - 1)));
        return seen;
    }

    private static JsonNode last(List<JsonNode> seen) {
        return seen.get(seen.size() - 1);
    }

    @Test
    @Order(1)
    void whatIsUsualIsLearnedAndNothingIsShifted() throws Exception {
        JsonNode shift = last(until(now -> !now.get("baselineP95Ms").isNull()));
        assertThat(shift.get("phase").asText()).isEqualTo("OFF");
        assertThat(shift.get("percent").asDouble()).isZero();
        assertThat(SHIFTED).hasValue(0);
    }

    @Test
    @Order(2)
    void aFirstModelThatIsSlowAndFailsLosesItsTrafficStepByStep() throws Exception {
        play(first, TROUBLED);

        List<JsonNode> seen = until(now -> now.get("percent").asDouble() >= 10);
        assertThat(seen)
                .anySatisfy(now -> assertThat(now.get("trouble"))
                        .extracting(JsonNode::asText)
                        .contains("LATENCY", "ERRORS"));
        List<Double> percents = seen.stream()
                .map(now -> now.get("percent").asDouble())
                .distinct()
                .toList();
        assertThat(percents).isSorted().isSubsetOf(0.0, 1.0, 5.0, 10.0);
        List<Instant> steps = seen.stream()
                .filter(now -> in(now, "SHIFTING"))
                .map(now -> Instant.parse(now.get("sinceAt").asText()))
                .distinct()
                .toList();
        for (int i = 1; i < steps.size(); i++) {
            assertThat(Duration.between(steps.get(i - 1), steps.get(i))).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        }
        assertThat(last(seen).get("substitute").asText()).isEqualTo("second");
        long before = SHIFTED.get();
        until(now -> SHIFTED.get() > before);
    }

    @Test
    @Order(3)
    void aSubstituteThatTurnsBadLosesAllOfItAtOnce() throws Exception {
        long beganNs = System.nanoTime();
        play(second, BAD);

        JsonNode shift = last(until(now -> in(now, "RESTING")));
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs)).isLessThan(60);
        assertThat(shift.get("percent").asDouble()).isZero();
        assertThat(shift.get("reason").asText()).startsWith("the substitute second is worse: ");
    }

    @Test
    @Order(4)
    void aSubstituteThatIsWellAgainGetsAllOfItInTheEnd() throws Exception {
        play(second, WELL);

        JsonNode shift = last(until(now -> in(now, "HOLDING")));
        assertThat(shift.get("percent").asDouble()).isEqualTo(100);
        assertThat(sluice.get(sluice.management() + "/metrics").body())
                .contains("sluice_shifts{phase=\"HOLDING\"} 1.0");
    }

    @Test
    @Order(5)
    void aFirstModelThatIsWellAgainGetsItsTrafficBackStepByStep() throws Exception {
        play(first, WELL);

        List<JsonNode> seen = until(now -> in(now, "RESTING"));
        assertThat(seen).anySatisfy(now -> assertThat(in(now, "RETURNING")).isTrue());
        assertThat(last(seen).get("reason").asText()).isEqualTo("the first rung is well again");
        until(now -> in(now, "OFF"));
    }

    @Test
    @Order(6)
    void everyStepIsInTheAuditLogWithItsReason() throws Exception {
        JsonNode entries = root.ask(
                        "{ auditLog(tenantId: \"acme\", first: 100) { nodes { actor action subject detail } } }")
                .at("/auditLog/nodes");
        List<JsonNode> shifts = new ArrayList<>();
        entries.forEach(entry -> {
            if (entry.get("action").asText().equals("trafficShift")) {
                shifts.add(entry);
            }
        });
        assertThat(shifts).hasSizeGreaterThan(10).allSatisfy(entry -> {
            assertThat(entry.get("actor").asText()).isEqualTo("system");
            assertThat(entry.get("subject").asText()).isEqualTo("scenario/chat");
            assertThat(entry.at("/detail/reason").asText()).isNotBlank();
        });
        assertThat(shifts)
                .extracting(entry -> entry.at("/detail/to").asText())
                .contains("EVALUATING", "SHIFTING", "RESTING", "HOLDING", "RETURNING", "OFF");
    }
}
