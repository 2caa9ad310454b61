package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.fault.FaultKind;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The primary pool is in trouble while requests come in, by a fault rule through GraphQL. The real thing would be 60 s at 100
 * requests a second; here it is a thirtieth of the requests at half the rate, and each trouble has a tenant, pools and breakers
 * of its own.
 */
@Timeout(600)
class TroubleIT {
    private static final int REQUESTS = 200;

    /** Kind of fault, how long to come back after it, how slow it is. */
    private static final String TROUBLES = """
            REFUSED    ,      ,
            HANG       ,      ,
            UNAVAILABLE,      ,
            RATE_LIMIT , PT1S ,
            SLOW       ,      , PT3S
            SLOW_BODY  ,      , PT0.02S
            """;

    /** Each waits for its answer, so that no more are under way when the first verdicts about the pool arrive. */
    private static final int SENDERS = 8;

    private static final long PER_S = 50;

    private static final Duration DEADLINE = Duration.ofSeconds(6);

    /** 50 ms are promised; a machine that tests share with others may be ten times as late. */
    private static final double LATE_MS_MAX = 50 * 10;

    /** As {@code breaker} has it where the settings file says nothing. */
    private static final int CONSECUTIVE_MAX = 10;

    private static final int PROBES_MAX = 3;
    private static final Duration BREAKER_OPEN = Duration.ofSeconds(3);

    /** One request repeats a call that failed by the network twice before it goes down. */
    private static final int CALLS_OF_PRIMARY_MAX = 3;

    /** Ten seconds are promised; see {@link #LATE_MS_MAX}. */
    private static final Duration RECOVERY_MAX = Duration.ofSeconds(10 * 6);

    /** Of the minute at full rate; {@code RetrySettings.DEFAULT} has the floor. */
    private static final int OPEN_PER_S = 100;

    private static final int MINUTE_S = 60;
    private static final int HEALTHY_S = 5;
    private static final int RECOVERY_S = 10;
    private static final int RETRY_FLOOR = 10;

    @TempDir
    static Path directory;

    private static SluiceProcess sluice;
    private static Admin root;

    @BeforeAll
    static void start() throws Exception {
        Path file = directory.resolve("sluice.yaml");
        Files.writeString(
                file,
                "faults: {enabled: true}\nupstreams: {allowPrivate: [127.0.0.1]}\nbreaker: {open: " + BREAKER_OPEN
                        + "}\n");
        sluice = SluiceProcess.up(directory.resolve("data"), "--config", file.toString());
        root = new Admin(sluice, sluice.shownToken());
    }

    @AfterAll
    static void stop() {
        if (sluice != null) {
            sluice.close();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(textBlock = TROUBLES)
    void callersGetTheirAnswersInTimeWithoutAFloodOfCallsAndTheReturnIsNoticed(
            FaultKind kind, String retryAfter, String delay) throws Exception {
        String tenant = kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        String key = tenant(tenant);
        root.make("putFaultRule", "", rule(tenant, kind, retryAfter, delay));
        long startNs = System.nanoTime();

        List<HttpResponse<String>> answers = send(key, REQUESTS);

        long elapsedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        assertThat(answers)
                .allSatisfy(answer ->
                        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200));
        assertThat(calls(answers)).isLessThanOrEqualTo(callsMax(elapsedMs));
        assertThat(struck(answers)).as("the rule struck").isPositive();
        for (JsonNode record : records(tenant, REQUESTS)) {
            assertThat(record.get("durationMs").asDouble())
                    .as(record.toString())
                    .isLessThan(DEADLINE.toMillis() + LATE_MS_MAX);
            assertThat(unexplained(record)).as(record.toString()).isFalse();
        }
        root.make("endFaultRule", "", input("tenantId", tenant, "id", "trouble"));
        awaitPrimary(key);
        List<HttpResponse<String>> afterwards = send(key, SENDERS * 5);
        assertThat(struck(afterwards)).isZero();
        assertThat(calls(afterwards)).isEqualTo(afterwards.size());
    }

    /** The real thing: a minute at a hundred requests a second, from callers who do not wait for each other. Needs a machine that has nothing else to do. */
    @Tag("chaos")
    @ParameterizedTest(name = "{0}")
    @CsvSource(textBlock = TROUBLES)
    void aMinuteOfTroubleIsALineInAReport(FaultKind kind, String retryAfter, String delay, TestReporter figures)
            throws Exception {
        String tenant = kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + "-minute";
        String key = tenant(tenant);
        openly(key, HEALTHY_S);
        root.make("putFaultRule", "", rule(tenant, kind, retryAfter, delay));

        List<OpenLoad.Call> during = openly(key, MINUTE_S);

        root.make("endFaultRule", "", input("tenantId", tenant, "id", "trouble"));
        List<OpenLoad.Call> after = openly(key, HEALTHY_S + RECOVERY_S);
        List<OpenLoad.Call> recovered = after.stream()
                .filter(call -> call.sentMs() >= RECOVERY_S * 1_000L)
                .toList();
        List<JsonNode> records = records(tenant, OPEN_PER_S * (2 * HEALTHY_S + MINUTE_S + RECOVERY_S));
        double latest = records.stream()
                .mapToDouble(record -> record.get("durationMs").asDouble())
                .max()
                .orElseThrow();
        long calls = calls(during.stream().map(OpenLoad.Call::answer).toList());
        figures.publishEntry(Map.of(
                "calls of " + during.size() + " requests",
                "" + calls,
                "longest request, ms of " + DEADLINE.toMillis(),
                "" + latest,
                "p50 and p99 during, ms",
                "%.0f, %.0f".formatted(OpenLoad.quantile(0.5, during), OpenLoad.quantile(0.99, during)),
                "back at the primary pool, ms",
                ""
                        + after.stream()
                                .filter(call -> call.header("x-sluice-step").equals("primary"))
                                .mapToLong(OpenLoad.Call::sentMs)
                                .min()
                                .orElse(-1)));
        assertThat(during).allSatisfy(call -> assertThat(call.status()).isEqualTo(200));
        assertThat(calls).isLessThanOrEqualTo(during.size() * 11L / 10 + RETRY_FLOOR);
        assertThat(latest).isLessThan(DEADLINE.toMillis() + 50.0);
        assertThat(records).noneMatch(TroubleIT::unexplained);
        assertThat(recovered).allSatisfy(call -> {
            assertThat(call.header("x-sluice-step")).isEqualTo("primary");
            assertThat(call.header("x-sluice-attempts")).isEqualTo("1");
        });
    }

    @Test
    void aFaultRuleWithoutAnEndIsRefusedAndTheMessageSaysWhatToDo() throws Exception {
        root.tenant("endless");
        JsonNode errors = root.tryTo(
                        "putFaultRule",
                        "",
                        input(
                                "tenantId",
                                "endless",
                                "id",
                                "forever",
                                "fault",
                                "HANG",
                                "owner",
                                "Ann",
                                "reason",
                                "forgotten"))
                .get("userErrors");

        assertThat(errors).hasSize(1);
        assertThat(errors.at("/0/path").toString()).isEqualTo("[\"endsAt\"]");
        assertThat(errors.at("/0/message").asText()).startsWith("is required: a fault must end by itself");
    }

    /** A tenth more than requests, and what it takes to learn, once and then at each probe, that the pool is still down. */
    private static long callsMax(long elapsedMs) {
        long probes = PROBES_MAX * (1 + elapsedMs / BREAKER_OPEN.toMillis());
        return REQUESTS + REQUESTS / 10 + CALLS_OF_PRIMARY_MAX * (CONSECUTIVE_MAX + SENDERS + probes);
    }

    private static long calls(List<HttpResponse<String>> answers) {
        return answers.stream()
                .mapToLong(answer -> Long.parseLong(header(answer, "x-sluice-attempts")))
                .sum();
    }

    private static long struck(List<HttpResponse<String>> answers) {
        return answers.stream()
                .filter(answer -> answer.headers().firstValue("x-sluice-fault").isPresent())
                .count();
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElseThrow();
    }

    /** A failed attempt that no fault rule struck. */
    private static boolean unexplained(JsonNode record) {
        for (JsonNode attempt : record.get("attempts")) {
            if (attempt.has("failure") && !attempt.at("/fault/struck").isTextual()) {
                return true;
            }
        }
        return false;
    }

    /** Waits until the primary pool answers again at the first attempt. */
    private static void awaitPrimary(String key) throws Exception {
        long untilNs = System.nanoTime() + RECOVERY_MAX.toNanos();
        while (!header(send(key, 1).get(0), "x-sluice-step").equals("primary")) {
            assertThat(System.nanoTime()).as("the primary pool is back").isLessThan(untilNs);
        }
    }

    /** So many seconds of {@value #OPEN_PER_S} requests each, every second one a stream. */
    private static List<OpenLoad.Call> openly(String key, int seconds) throws Exception {
        String url = sluice.fact("Apps") + "/chat/completions";
        return OpenLoad.send(OPEN_PER_S, OPEN_PER_S * seconds, i -> SluiceProcess.chat(url, key, question(i % 2 == 0)));
    }

    private static String question(boolean stream) {
        return "{\"model\":\"auto\",\"stream\":" + stream
                + ",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
    }

    private static List<HttpResponse<String>> send(String key, int requests) throws Exception {
        ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
        List<Future<HttpResponse<String>>> sent = new ArrayList<>();
        String url = sluice.fact("Apps") + "/chat/completions";
        for (int i = 0; i < requests; i++) {
            boolean stream = i % 2 == 0;
            sent.add(senders.submit(() -> {
                HttpResponse<String> answer = sluice.send(SluiceProcess.chat(url, key, question(stream)));
                TimeUnit.MILLISECONDS.sleep(1_000 * SENDERS / PER_S);
                return answer;
            }));
        }
        senders.shutdown();
        List<HttpResponse<String>> answers = new ArrayList<>();
        for (Future<HttpResponse<String>> each : sent) {
            answers.add(each.get());
        }
        return answers;
    }

    /** All decision records of a tenant. */
    private static List<JsonNode> records(String tenant, int expected) throws Exception {
        List<JsonNode> records = new ArrayList<>();
        String after = "";
        while (after != null) {
            JsonNode page = root.ask("{ decisions(tenantId: \"" + tenant + "\", first: 100" + after
                            + ") { nodes { record } pageInfo { hasNextPage endCursor } } }")
                    .get("decisions");
            page.get("nodes").forEach(node -> records.add(node.get("record")));
            after = page.at("/pageInfo/hasNextPage").asBoolean()
                    ? ", after: \"" + page.at("/pageInfo/endCursor").asText() + "\""
                    : null;
        }
        assertThat(records).hasSize(expected);
        return records;
    }

    private static Map<String, Object> rule(String tenant, FaultKind kind, String retryAfter, String delay) {
        Map<String, Object> rule = input(
                "tenantId",
                tenant,
                "id",
                "trouble",
                "scenario",
                "support",
                "pool",
                "primary",
                "fault",
                kind.name(),
                "endsAt",
                Instant.now().plusSeconds(3_600).toString(),
                "owner",
                "Ann",
                "reason",
                "the primary pool is down");
        if (retryAfter != null) {
            rule.put("retryAfter", retryAfter);
        }
        if (delay != null) {
            rule.put("delay", delay);
        }
        return rule;
    }

    /** A tenant with a ladder of two pools; returns its key. */
    private static String tenant(String id) throws Exception {
        root.tenant(id);
        root.model(id, "small");
        for (String pool : List.of("primary", "second")) {
            root.make("putProvider", "", input("tenantId", id, "id", pool, "plugin", "simulator"));
            root.make(
                    "putPool",
                    "",
                    input(
                            "tenantId",
                            id,
                            "id",
                            pool,
                            "tier",
                            "STANDARD",
                            "targets",
                            List.of(Map.of("provider", pool, "model", "small"))));
        }
        root.make(
                "putScenario",
                "",
                input(
                        "tenantId",
                        id,
                        "name",
                        "support",
                        "sensitivity",
                        "CREATIVE",
                        "kind",
                        "READ",
                        "deadline",
                        DEADLINE.toString(),
                        "firstTokenTimeout",
                        "PT1S",
                        "ladder",
                        List.of(
                                Map.of("name", "primary", "pool", "primary"),
                                Map.of("name", "second", "pool", "second"))));
        return root.make("createApiKey", "key", input("tenantId", id, "appId", "app", "defaultScenario", "support"))
                .get("key")
                .asText();
    }
}
