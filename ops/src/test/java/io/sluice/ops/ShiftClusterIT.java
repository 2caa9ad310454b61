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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes with short times; the one that moves a scenario's traffic is killed while it does. */
@Timeout(400)
class ShiftClusterIT {
    private static final int NODES = 3;
    private static final int PER_SECOND = 60;
    private static final String ACME = "acme";

    /** Above what a busy machine needs. */
    private static final long WAIT_S = 180;

    private static final String SETTINGS = ClusterProcesses.SETTINGS + """
            breaker:
              timeRate: 1
              countRate: 1
              consecutiveMax: 100000
            shifts:
              sample: PT1S
              samples: 3
              baselineStep: PT5S
              slowed: PT2S
              hold: PT4S
              rest: PT4S
            """;

    private static final List<Double> STEPS = List.of(0.0, 1.0, 5.0, 10.0, 25.0, 50.0, 100.0);

    private static final String WELL = "{\"latencyMs\":20}";
    private static final String TROUBLED =
            "{\"latencyMs\":500,\"faults\":[{\"kind\":\"internal_error\",\"probability\":0.3}]}";
    private static final String BAD =
            "{\"latencyMs\":20,\"faults\":[{\"kind\":\"internal_error\",\"probability\":0.8}]}";

    @TempDir
    Path directory;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Vertx vertx = Vertx.vertx();
    private ClusterProcesses cluster;
    private SimulatorServer first;
    private SimulatorServer second;
    private Traffic traffic;

    @BeforeEach
    void start() throws Exception {
        cluster = ClusterProcesses.start(directory, new ClusterProcesses.Shape(NODES, SETTINGS, false));
        first = simulator();
        second = simulator();
        play(first, WELL);
        play(second, WELL);
        Admin root = cluster.admin(0);
        root.tenant(ACME);
        root.model(ACME, "m");
        root.pool(ACME, "a", first.baseUrl(), "m");
        root.pool(ACME, "b", second.baseUrl(), "m");
        root.make(
                "putScenario",
                "",
                input(
                        "tenantId",
                        ACME,
                        "name",
                        "chat",
                        "sensitivity",
                        "SEMANTIC",
                        "kind",
                        "READ",
                        "ladder",
                        List.of(Map.of("name", "first", "pool", "a"), Map.of("name", "second", "pool", "b")),
                        "settings",
                        Map.of(
                                "shift",
                                Map.of("substitutes", List.of(Map.of("step", "second", "latencyFactorMax", 10))))));
        String key = BillingProvider.key(root, ACME, "app").get("key").asText();
        cluster.awaitOneEpoch();
        traffic = Traffic.start(cluster, NODES, key, BillingProvider.chat(10), PER_SECOND);
    }

    @AfterEach
    void stop() throws Exception {
        traffic.close();
        cluster.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private SimulatorServer simulator() throws Exception {
        return SimulatorServer.start(vertx, "127.0.0.1", 0, SimulatorScript.DEFAULT)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private void play(SimulatorServer simulator, String script) throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(simulator.baseUrl()).resolve("/_script"))
                        .POST(HttpRequest.BodyPublishers.ofString(script))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    }

    @Test
    void aShiftGoesOnByItsStepsWhenItsControllerIsKilledAndEndsWhereTheSubstituteTurnsBad(TestReporter figures)
            throws Exception {
        until(0, now -> !now.get("baselineP95Ms").isNull());
        play(first, TROUBLED);
        List<JsonNode> seen = new ArrayList<>(until(0, now -> now.get("percent").asDouble() >= 1));
        int controller = controller();
        int asked = (controller + 1) % NODES;
        cluster.node(controller).kill();
        cluster.forget(controller);
        long killedNs = System.nanoTime();
        double before = last(seen).get("percent").asDouble();

        seen.addAll(until(
                asked,
                now -> now.get("percent").asDouble() > before || phase(now).equals("RESTING")));

        long wentOnMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs);
        assertThat(seen).isNotEmpty();
        for (int i = 1; i < seen.size(); i++) {
            int step = STEPS.indexOf(seen.get(i).get("percent").asDouble());
            int earlier = STEPS.indexOf(seen.get(i - 1).get("percent").asDouble());
            assertThat(step).as("%s after %s", seen.get(i), seen.get(i - 1)).isBetween(0, earlier + 1);
        }
        play(second, BAD);
        long badNs = System.nanoTime();
        JsonNode back = last(until(asked, now -> phase(now).equals("RESTING")));
        long backMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - badNs);
        figures.publishEntry(
                Map.of("next step after the kill, ms", "" + wentOnMs, "back after worse figures, ms", "" + backMs));
        assertThat(back.get("percent").asDouble()).isZero();
        assertThat(backMs).isLessThan(60_000);
    }

    private JsonNode shift(int node) throws Exception {
        return cluster.admin(node)
                .ask("{ tenant(id: \"acme\") { scenarios { shift { phase percent sinceAt reason baselineP95Ms } } } }")
                .at("/tenant/scenarios/0/shift");
    }

    private static String phase(JsonNode shift) {
        return shift.get("phase").asText();
    }

    private static JsonNode last(List<JsonNode> seen) {
        return seen.get(seen.size() - 1);
    }

    /** Looks until it is so, and gives all that was seen on the way. */
    private List<JsonNode> until(int node, Predicate<JsonNode> enough) throws Exception {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        List<JsonNode> seen = new ArrayList<>();
        do {
            JsonNode now = shift(node);
            if (seen.isEmpty() || !now.equals(last(seen))) {
                seen.add(now);
            }
            assertThat(System.nanoTime()).as("still %s", now).isLessThan(endNs);
            Thread.sleep(50);
        } while (!enough.test(last(seen)));
        return seen;
    }

    /** The node that said that it moves the traffic. */
    private int controller() throws Exception {
        for (int i = 0; i < NODES; i++) {
            try (Stream<Path> files = Files.walk(directory.resolve("node-" + i).resolve("logs"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (Files.readString(file).contains("Traffic is shifted")) {
                        return i;
                    }
                }
            }
        }
        throw new AssertionError("no node says that it moves traffic");
    }
}
