package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Operators exercise every rung of the demo's ladder, read the report, and degrade by hand. One process, told in order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DrillShowIT {
    private static final String DEMO = "demo";
    private static final String SCENARIO = "assistant";
    private static final int REQUESTS = 4;

    /** Above what a busy machine needs for the once-a-second reports and the end of a switch. */
    private static final long WAIT_S = 60;

    @TempDir
    static Path directory;

    private static SluiceProcess sluice;
    private static Admin root;

    @BeforeAll
    static void start() throws Exception {
        sluice = SluiceProcess.up(directory.resolve("data"));
        root = new Admin(sluice, sluice.shownToken());
    }

    @AfterAll
    static void stop() {
        sluice.close();
    }

    /** A question that the demo's keyword answers know too. */
    private static HttpResponse<String> chat() throws Exception {
        return sluice.send(sluice.chat(
                "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"Where is my refund?\"}]}"));
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse(null);
    }

    private static List<String> steps() throws Exception {
        List<String> steps = new ArrayList<>();
        root.ask("{ tenant(id: \"demo\") { scenarios { name ladder { name } } } }")
                .at("/tenant/scenarios")
                .forEach(scenario -> {
                    if (scenario.get("name").asText().equals(SCENARIO)) {
                        scenario.get("ladder")
                                .forEach(rung -> steps.add(rung.get("name").asText()));
                    }
                });
        return steps;
    }

    private static JsonNode report(String scenario) throws Exception {
        return root.ask("{ ladderReport(tenantId: \"demo\", scenario: \"" + scenario
                        + "\") { step lastProvenAt how unproven } }")
                .get("ladderReport");
    }

    /** Asks until it is so; what was asked last is told where it never is. */
    private static JsonNode until(Question question, java.util.function.Predicate<JsonNode> enough) throws Exception {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        JsonNode answer = question.ask();
        while (!enough.test(answer)) {
            assertThat(System.nanoTime()).as("still %s", answer).isLessThan(endNs);
            Thread.sleep(50);
            answer = question.ask();
        }
        return answer;
    }

    @FunctionalInterface
    private interface Question {
        JsonNode ask() throws Exception;
    }

    @Test
    @Order(1)
    void rungsBelowTheFirstAreUnprovenUntilTheyAnswer() throws Exception {
        for (JsonNode rung : report(SCENARIO)) {
            assertThat(rung.get("unproven").asBoolean()).as(rung.toString()).isTrue();
            assertThat(rung.get("lastProvenAt").isNull()).isTrue();
        }
        assertThat(sluice.get(sluice.management() + "/metrics").body()).contains("sluice_rungs_unproven ");
    }

    @Test
    @Order(2)
    void aDrillOfAllRequestsOnEachRungReportsWhatThatRungDid() throws Exception {
        List<String> steps = steps();
        assertThat(steps).hasSizeGreaterThanOrEqualTo(4);
        for (String step : steps) {
            exercise(step);
        }

        JsonNode report = until(() -> report(SCENARIO), rungs -> {
            for (JsonNode rung : rungs) {
                if (rung.get("unproven").asBoolean()) {
                    return false;
                }
            }
            return true;
        });
        assertThat(report).hasSize(steps.size());
        assertThat(report)
                .allSatisfy(rung -> assertThat(rung.get("how").asText()).isIn("DRILL", "EARNEST"));
        assertThat(report("summary"))
                .isNotEmpty()
                .allSatisfy(rung -> assertThat(rung.get("unproven").asBoolean()).isTrue());
    }

    /** Every request is sent to {@code step} for a while; its run must show that it answered them all. */
    private static void exercise(String step) throws Exception {
        String id = "each-" + step;
        root.make(
                "putDrill",
                "drill { id }",
                input(
                        "tenantId",
                        DEMO,
                        "id",
                        id,
                        "scenario",
                        SCENARIO,
                        "fromStep",
                        step,
                        "share",
                        1,
                        "enabled",
                        false,
                        "owner",
                        "platform team",
                        "reason",
                        "is the rung alive?"));
        root.make("startDrill", "drill { running { until } }", input("tenantId", DEMO, "id", id, "duration", "PT1H"));
        for (int i = 0; i < REQUESTS; i++) {
            HttpResponse<String> answer = chat();
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(header(answer, "x-sluice-step")).isEqualTo(step);
            assertThat(header(answer, "x-sluice-drill")).isEqualTo(id);
        }
        root.make("stopDrill", "drill { running { until } }", input("tenantId", DEMO, "id", id));
        assertThat(header(chat(), "x-sluice-drill")).isNull();
        JsonNode runs = until(() -> runsOf(id), found -> found.at("/0/requests").asInt() == REQUESTS);
        assertThat(runs).hasSize(1);
        assertThat(runs.at("/0/answered").asInt()).isEqualTo(REQUESTS);
        assertThat(runs.at("/0/rungs")).singleElement().satisfies(rung -> {
            assertThat(rung.get("step").asText()).isEqualTo(step);
            assertThat(rung.get("answered").asInt()).isEqualTo(REQUESTS);
            assertThat(rung.get("failures")).isEmpty();
            assertThat(rung.get("p95Ms").asDouble()).isPositive();
        });
    }

    private static JsonNode runsOf(String drill) throws Exception {
        JsonNode drills = root.ask("{ drills(tenantId: \"demo\") { id runs { requests answered passedOver rungs {"
                        + " step requests answered failures { failureClass count } p50Ms p95Ms cost } } } }")
                .get("drills");
        for (JsonNode each : drills) {
            if (each.get("id").asText().equals(drill)) {
                return each.get("runs");
            }
        }
        throw new AssertionError("no drill " + drill + " in " + drills);
    }

    private static JsonNode putSwitch(Instant expiresAt) throws Exception {
        return root.tryTo(
                "putSwitch",
                "switch { state }",
                input(
                        "tenantId",
                        DEMO,
                        "id",
                        "saving",
                        "scenario",
                        SCENARIO,
                        "fromStep",
                        "light",
                        "owner",
                        "platform team",
                        "reason",
                        "the premium provider is down",
                        "expiresAt",
                        expiresAt.toString(),
                        "reviewOn",
                        LocalDate.now(ZoneOffset.UTC).toString()));
    }

    @Test
    @Order(3)
    void aSwitchThatHasExpiredIsRefusedWithWhatToDoInstead() throws Exception {
        JsonNode payload = putSwitch(Instant.now().minus(Duration.ofMinutes(1)));

        assertThat(payload.get("switch").isNull()).isTrue();
        JsonNode first = payload.at("/userErrors/0");
        assertThat(first.get("path").toString()).isEqualTo("[\"expiresAt\"]");
        assertThat(first.get("message").asText())
                .startsWith("lies in the past, so the switch would do nothing")
                .endsWith("name a time up to 30 days ahead");
    }

    @Test
    @Order(4)
    void aSwitchDegradesUntilItEndsByItselfAndSaysSo() throws Exception {
        JsonNode payload = putSwitch(Instant.now().plusSeconds(5));
        assertThat(payload.get("userErrors")).as(payload.toString()).isEmpty();
        HttpResponse<String> answer = chat();
        // on a machine so slow that it is over already, nothing can be seen of it
        if (header(answer, "x-sluice-degraded") != null) {
            assertThat(header(answer, "x-sluice-degraded")).startsWith("switch saving; ");
            assertThat(header(answer, "x-sluice-step")).isEqualTo("light");
        }

        JsonNode ended = until(
                () -> root.ask("{ tenant(id: \"demo\") { switches { state message } } }")
                        .at("/tenant/switches/0"),
                shown -> shown.get("state").asText().equals("EXPIRED"));
        assertThat(ended.get("message").asText()).startsWith("it ended by itself at");
        assertThat(header(chat(), "x-sluice-step")).isEqualTo("premium");
        assertThat(header(chat(), "x-sluice-degraded")).isNull();
        Path log = directory.resolve("data").resolve("logs").resolve("sluice.log");
        until(
                () -> com.fasterxml.jackson.databind.node.TextNode.valueOf(java.nio.file.Files.readString(log)),
                text -> text.textValue().contains("A degradation switch ended by itself"));
    }
}
