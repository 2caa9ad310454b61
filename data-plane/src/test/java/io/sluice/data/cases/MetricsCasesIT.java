package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.cases.RawExchange.Response;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** Cases MX01, MX03 and MX05: what a scrape holds, whatever callers send. MX04 is a case of the body. */
class MetricsCasesIT {
    private static final int BATCH = 100;

    /** So many wrong keys are told to slow down; that answer has a series of its own. */
    private static final int GUESSES = 300;

    private static final int REQUESTS = 10_000;

    /** What two garbage collections of a busy test process may differ by; ten thousand leaked requests would be far more. */
    private static final long HEAP_GROWTH_BYTES_MAX = 24L << 20;

    @Test
    void mx01JunkFromCallersMakesNoSeriesAndLeavesNothingOnTheHeap() {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            send(gateway.client(), 1_000);
            RawExchange.send(
                    gateway.client(),
                    get("/v1/models", "junk", "X-A: b").repeat(GUESSES) + get("/", "junk", "Connection: close"),
                    20_000);
            List<String> seriesBefore = series(gateway);
            long heapBefore = heapAfterCollection();
            send(gateway.client(), REQUESTS);
            up.requests().clear();

            assertThat(series(gateway)).isEqualTo(seriesBefore).noneMatch(line -> line.contains("junk"));
            assertThat(heapAfterCollection() - heapBefore).isLessThan(HEAP_GROWTH_BYTES_MAX);
            assertThat(gateway.metric("sluice_requests_running")).isZero();
        }
    }

    private static List<String> series(TestGateway gateway) {
        return gateway.scrape()
                .lines()
                .map(line -> line.startsWith("#") ? line : line.substring(0, line.lastIndexOf(' ')))
                .toList();
    }

    private static void send(Client client, int requests) {
        for (int sent = 0; sent < requests; sent += BATCH) {
            StringBuilder batch = new StringBuilder();
            for (int i = 0; i < BATCH; i++) {
                batch.append(junk(i, i == BATCH - 1 ? "Connection: close" : "X-A: b"));
            }
            RawExchange exchange = RawExchange.send(client, batch.toString(), 20_000);
            assertThat(exchange.responses()).hasSize(BATCH);
        }
    }

    private static String junk(int i, String header) {
        String word = "junk" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        String claims = "X-Tenant: " + word + "\r\nx-gw-tenant: " + word + "\r\nX-End-User: " + word
                + "\r\nX-Session-Id: " + word + "\r\n" + header;
        String key = i % 7 == 0 ? word : "K1";
        return switch (i % 6) {
            case 0 -> Client.rawChat(Client.request().replace("auto", word), claims);
            case 1 -> get("/v1/" + word, key, claims);
            case 2 -> get("/v1/models/" + word, key, claims);
            case 3 -> get("/v1/decisions/" + word, key, claims);
            case 4 -> Client.rawChat(Client.request(), claims).replace("Scenario: chat", "Scenario: " + word);
            default ->
                i % BATCH < 12
                        ? Client.rawChat(Client.request("\"user\":\"" + word + "\""), claims)
                        : get("/" + word + "?" + word, key, claims);
        };
    }

    private static String get(String path, String key, String headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key + "\r\n" + headers
                + "\r\n\r\n";
    }

    private static long heapAfterCollection() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    @Test
    void mx03AnAnswerOfTheFallbackIsNoSuccessOfTheRepeats() {
        try (ScriptedUpstream bad = ScriptedUpstream.playing((request, wire) -> wire.reset());
                ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(TestConfig.chain(bad, good))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            TestGateway.eventually("the answer is counted", () -> gateway.metric("sluice_requests_total{") == 1);
            assertThat(answer.header("x-sluice-attempts")).isEqualTo("4");
            Ends.nothingIsHeld(gateway, 1, bad, good); // the answer leaves before it is counted
            assertThat(gateway.metric("sluice_requests_total{")).isEqualTo(1);
            assertThat(gateway.metric("sluice_requests_total{outcome=\"ok\"")).isEqualTo(1);
            assertThat(gateway.metric("sluice_attempts_total{")).isEqualTo(4);
            assertThat(gateway.metric("sluice_retries_exhausted_total")).isEqualTo(1);
            assertThat(gateway.metric("sluice_retries_succeeded_total")).isZero();
            assertThat(gateway.metric("sluice_fallbacks_succeeded_total")).isEqualTo(1);
            assertThat(gateway.metric("sluice_tokens_total{")).isEqualTo(31);
        }
    }

    @Test
    void mx05RequestsWithoutATenantAreCountedWithoutOne() {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            String keyless = " HTTP/1.1\r\nHost: localhost\r\n";
            List<Response> answers = RawExchange.send(
                            gateway.client(),
                            Client.rawChat(Client.request())
                                    + "OPTIONS /v1/chat/completions" + keyless + "\r\n"
                                    + "GET /v1/models" + keyless + "Authorization: Bearer wrong\r\n\r\n"
                                    + "GET /health" + keyless + "\r\n"
                                    + Client.rawChat(Client.request(), "Connection: close")
                                            .replace("K1", "wrong"))
                    .responses();

            assertThat(answers).extracting(Response::status).containsExactly(200, 204, 401, 404, 401);
            TestGateway.eventually("the answer is counted", () -> gateway.metric("sluice_requests_total{") == 1);
            assertThat(gateway.metric("sluice_refusals_total{code=\"invalid_api_key\"}"))
                    .isEqualTo(2);
            assertThat(gateway.metric("sluice_refusals_total{code=\"not_found\"}"))
                    .isEqualTo(1);
            assertThat(gateway.scrape().lines().filter(line -> line.startsWith("sluice_refusals")))
                    .noneMatch(line -> line.contains("tenant"));
        }
    }
}
