package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.pool.BreakerSettings;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.routing.BreakerState;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows RF01 to RF19, BR01 to BR05 and MX03 of the case list: who is tried next, how often, and what the caller is told. */
class FailoverCasesIT {
    private static final String HELLO = Sse.whole("hello", 3, 1);

    private static final String HTML = "<!doctype html><html><body>Bad gateway</body></html>";

    private static final String LIMITED = "{\"error\":{\"message\":\"slow down\",\"code\":\"rate_limit_exceeded\"}}";

    private static String later(int seconds) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(seconds));
    }

    /** A threshold of three failures in a row, open for a second, {@code probes} probes. */
    private static TestGateway.Options threeInARow(int probes) {
        return new TestGateway.Options().breaker(new BreakerSettings(60_000, 1, 1_000, 64, 1, 3, 1_000, probes));
    }

    @Test
    void rf01RetryAfterAsADateIsObeyed() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(429, LIMITED, "Retry-After: " + later(3));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer first = gateway.client().chat(Client.request());
            up.play((request, wire) -> wire.json(200, HELLO));
            TestGateway.eventually(
                    "the target is held",
                    () -> gateway.client().chat(Client.request()).code().equals("no_healthy_target"));
            int called = up.requests().size();

            assertThat(first.status()).isEqualTo(503);
            assertThat(Integer.parseInt(first.header("retry-after"))).isBetween(1, 3);
            assertThat(called).isEqualTo(1);
            TestGateway.eventually(
                    "the target serves again",
                    () -> gateway.client().chat(Client.request()).status() == 200);
        }
    }

    @ParameterizedTest
    @CsvSource({"date, 1", "2, 2"})
    void rf01APastDateIsNoWaitAndPlainNumbersAreSeconds(String after, String told) {
        try (ScriptedUpstream up = ScriptedUpstream.answering(
                        429, LIMITED, "Retry-After: " + (after.equals("date") ? later(-30) : after));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("retry-after")).isEqualTo(told);
        }
    }

    @Test
    void rf03ATargetThatNamesItsResetInTheBodyIsNotCalledBefore() throws Exception {
        String body = "{\"error\":{\"code\":429,\"metadata\":{\"headers\":{\"X-RateLimit-Reset\":\""
                + (System.currentTimeMillis() + 42_000) + "\"}}}}";
        try (ScriptedUpstream limited = ScriptedUpstream.answering(429, body);
                ScriptedUpstream good = ScriptedUpstream.answering(200, HELLO);
                TestGateway gateway = TestGateway.start(TestConfig.chain(limited, good))) {
            assertThat(gateway.client().chat(Client.request()).status()).isEqualTo(200);
            Thread.sleep(200);
            List<Integer> statuses = Ends.parallel(
                    4, 40, () -> gateway.client().chat(Client.request()).status());

            assertThat(statuses).containsOnly(200);
            assertThat(limited.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"error\":{\"code\":429}}", "not json"})
    void rf03AnEmptyRateLimitIsBoundedTriesAndNoCrash(String body) {
        try (ScriptedUpstream limited = ScriptedUpstream.answering(429, body);
                TestGateway gateway = TestGateway.start(TestConfig.pool(limited))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(503);
            assertThat(limited.requests()).hasSize(1);
        }
    }

    @Test
    void rf04FallsBackOnARateLimitAtTheFirstRequest() {
        try (ScriptedUpstream limited = ScriptedUpstream.answering(429, LIMITED);
                ScriptedUpstream good = ScriptedUpstream.answering(200, HELLO);
                TestGateway gateway = TestGateway.start(TestConfig.chain(limited, good))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("x-sluice-degraded")).isEqualTo("rate_limited");
            assertThat(limited.requests()).hasSize(1);
        }
    }

    /** Four attempts are all that a request has: repeats of pools that fail must not use up those of a pool that is well. */
    @ParameterizedTest
    @ValueSource(ints = {500, 503})
    void thePoolAtTheEndOfTheLadderIsReachedByTheFirstRequest(int status) {
        try (ScriptedUpstream one = ScriptedUpstream.answering(status, "{}");
                ScriptedUpstream two = ScriptedUpstream.answering(status, "{}");
                ScriptedUpstream three = ScriptedUpstream.answering(200, HELLO);
                TestGateway gateway = TestGateway.start(TestConfig.chain(one, two, three))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("x-sluice-step")).isEqualTo("rung3");
            assertThat(answer.header("x-sluice-attempts")).isEqualTo("4");
            assertThat(one.requests()).hasSize(2);
            assertThat(two.requests()).hasSize(1);
        }
    }

    @Test
    void rf05AnEmptyAccountIsNotAskedAgain() {
        String quota = "{\"error\":{\"message\":\"You exceeded your current quota\",\"type\":\"insufficient_quota\","
                + "\"code\":\"insufficient_quota\"}}";
        try (ScriptedUpstream empty = ScriptedUpstream.answering(429, quota);
                ScriptedUpstream good = ScriptedUpstream.answering(200, HELLO);
                TestGateway both = TestGateway.start(TestConfig.chain(empty, good));
                TestGateway alone = TestGateway.start(TestConfig.pool(empty))) {
            assertThat(both.client().chat(Client.request()).status()).isEqualTo(200);
            assertThat(empty.requests()).hasSize(1);

            long start = System.nanoTime();
            Client.Answer answer = alone.client().chat(Client.request());

            assertThat(empty.requests()).hasSize(2);
            assertThat((System.nanoTime() - start) / 1e9).isLessThan(5);
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).contains("QUOTA_EXHAUSTED").doesNotContain("current quota");
            assertThat(answer.header("x-should-retry")).isEqualTo("false");
        }
    }

    @Test
    void rf06AnOverloadedProviderIsLeftForAnother() {
        String overloaded = "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}";
        try (ScriptedUpstream full = ScriptedUpstream.answering(529, overloaded);
                ScriptedUpstream good = ScriptedUpstream.answering(200, HELLO);
                TestGateway both = TestGateway.start(TestConfig.chain(full, good));
                TestGateway alone = TestGateway.start(TestConfig.pool(full))) {
            assertThat(both.client().chat(Client.request()).status()).isEqualTo(200);

            Client.Answer answer = alone.client().chat(Client.request());
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.json().at("/error/type").asText()).isEqualTo("overloaded_error");
            assertThat(Integer.parseInt(answer.header("retry-after"))).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {520, 522, 524, 502, 504, 503, 521, 523, 525, 530})
    void rf07PagesOfAContentNetworkFailOverAndAreNeverPassedOn(int status) {
        try (ScriptedUpstream page =
                        ScriptedUpstream.playing((request, wire) -> wire.whole(status, "text/html", HTML));
                ScriptedUpstream good = ScriptedUpstream.answering(200, HELLO);
                TestGateway both = TestGateway.start(TestConfig.chain(page, good));
                TestGateway alone = TestGateway.start(TestConfig.pool(page))) {
            assertThat(both.client().chat(Client.request()).status()).isEqualTo(200);

            Client.Answer answer = alone.client().chat(Client.request());
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.code()).isEqualTo("upstream_failed");
            assertThat(answer.body()).doesNotContain("html");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 422})
    void rf08WrongRequestsAreNotRepeatedAnywhere(int status) {
        String wrong = "{\"error\":{\"message\":\"temperature is wrong\",\"type\":\"invalid_request_error\"}}";
        try (ScriptedUpstream first = ScriptedUpstream.answering(status, wrong);
                ScriptedUpstream second = ScriptedUpstream.answering(200, HELLO);
                TestGateway gateway = TestGateway.start(TestConfig.chain(first, second))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).contains("temperature is wrong");
            assertThat(answer.header("x-should-retry")).isEqualTo("false");
            assertThat(first.requests()).hasSize(1);
            assertThat(second.requests()).isEmpty();
        }
    }

    @Test
    void rf08ATooLongPromptIsSaidInTheSdksWord() {
        String wrong = "{\"error\":{\"message\":\"context too long\",\"type\":\"invalid_request_error\"}}";
        try (ScriptedUpstream up = ScriptedUpstream.answering(400, wrong);
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("context_length_exceeded");
            assertThat(answer.body()).contains("context too long");
            assertThat(up.requests()).hasSize(1);
        }
    }

    /** The written rule: a lost connection is tried twice more, one record holds all attempts, those without content are free. */
    @Test
    void rf09LostConnectionsAreBoundedAndCostTheCallerNothing() {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    Thread.sleep(50);
                    wire.close();
                });
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer answer = gateway.client().chat(Client.request());
            DecisionRecord record = gateway.decision(answer);

            assertThat(answer.status()).isEqualTo(502);
            assertThat(up.requests()).hasSize(3);
            assertThat(up.requests().stream().map(request -> request.headers().get("x-sluice-attempt")))
                    .containsExactly("1", "2", "3");
            assertThat(up.requests().stream().map(request -> request.headers().get("x-sluice-first-call-ms")))
                    .containsOnly(up.requests().get(0).headers().get("x-sluice-first-call-ms"));
            assertThat(up.requests().stream()
                            .map(request -> request.headers().get("traceparent").substring(3, 35)))
                    .containsOnly(answer.header("x-request-id"));
            assertThat(record.attempts()).hasSize(3).extracting("failure").containsOnly(FailureClass.NETWORK);
            assertThat(record.cost().micros()).isZero();
        }
    }

    @Test
    void rf10NothingIsRepeatedAfterTheFirstContent() {
        try (ScriptedUpstream cuts = ScriptedUpstream.playing((request, wire) -> {
                    wire.stream().chunk(c("Hello "));
                    Thread.sleep(200);
                    wire.reset();
                });
                ScriptedUpstream other = ScriptedUpstream.streaming(c("Hello world"), fin("stop"), DONE);
                TestGateway gateway = TestGateway.start(TestConfig.chain(cuts, other))) {
            Client.Answer answer = gateway.client().chat(Client.streamed());

            assertThat(answer.text()).isEqualTo("Hello ");
            assertThat(answer.done()).isFalse();
            assertThat(answer.chunks().get(answer.chunks().size() - 1).has("error"))
                    .isTrue();
            assertThat(other.requests()).isEmpty();
        }
    }

    @Test
    void rf11TheSecondProviderGetsTheToolsAsTheCallerSentThem() {
        String tools = "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"strict\":true,\"parameters\":"
                + "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"n\":{\"const\":1.50}}}}}]";
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                ScriptedUpstream good = ScriptedUpstream.answering(200, HELLO);
                TestGateway gateway = TestGateway.start(TestConfig.chain(bad, good))) {
            assertThat(gateway.client().chat(Client.request(tools)).status()).isEqualTo(200);

            assertThat(bad.requests().get(0).body()).contains(tools);
            assertThat(good.requests().get(0).body()).contains(tools);
        }
    }

    /** There is no list of statuses to fall back on: a credential that is refused, 401 or 403, is always a reason. */
    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void rf13ARefusedCredentialFallsBackAndIsNeverTheCallers(int status) {
        String denied = "{\"error\":{\"message\":\"Incorrect API key provided: sk-live-abc123\"}}";
        try (ScriptedUpstream refuses = ScriptedUpstream.answering(status, denied);
                ScriptedUpstream good = ScriptedUpstream.answering(200, HELLO);
                TestGateway both = TestGateway.start(TestConfig.chain(refuses, good));
                TestGateway alone = TestGateway.start(TestConfig.pool(refuses))) {
            assertThat(both.client().chat(Client.request()).status()).isEqualTo(200);
            assertThat(refuses.requests()).hasSize(1);

            Client.Answer answer = alone.client().chat(Client.request());
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).contains("AUTH").doesNotContain("sk-live");
        }
    }

    @Test
    void rf14WhenAllAreCoolingDownTheAnswerSaysAtOnceWhenToComeBack() throws Exception {
        try (ScriptedUpstream one = ScriptedUpstream.answering(429, LIMITED, "Retry-After: 20");
                ScriptedUpstream two = ScriptedUpstream.answering(429, LIMITED, "Retry-After: 10");
                TestGateway gateway = TestGateway.start(TestConfig.chain(one, two))) {
            Client.Answer first = gateway.client().chat(Client.request());
            Thread.sleep(200);
            Client.Answer second = gateway.client().chat(Client.request());

            assertThat(first.status()).isEqualTo(503);
            assertThat(second.status()).isEqualTo(503);
            assertThat(second.header("x-sluice-attempts")).isEqualTo("0");
            assertThat(Integer.parseInt(second.header("retry-after"))).isBetween(1, 10);
            assertThat(second.body()).contains("no quota left");
            assertThat(one.requests()).hasSize(1);
            assertThat(two.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\":{\"message\":\"ResourceExhausted\",\"code\":502}}",
                "{",
                "[]",
                "null",
                "{\"id\":\"c1\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
                        + "\"content\":\"\"},\"finish_reason\":null}],\"usage\":{\"prompt_tokens\":0,"
                        + "\"completion_tokens\":0,\"total_tokens\":0}}"
            })
    void rf16Rf17Rf18AnAnswerThatIsNoneIsAFailure(String body) {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(200, body);
                ScriptedUpstream good = ScriptedUpstream.answering(200, HELLO);
                TestGateway both = TestGateway.start(TestConfig.chain(bad, good));
                TestGateway alone = TestGateway.start(TestConfig.pool(bad))) {
            Client.Answer saved = both.client().chat(Client.request());
            assertThat(saved.status()).isEqualTo(200);
            assertThat(saved.header("x-sluice-step")).isEqualTo("rung2");

            Client.Answer answer = alone.client().chat(Client.request());
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.code()).isEqualTo("upstream_failed");
            assertThat(alone.decision(answer).cost().micros()).isZero();
        }
    }

    @Test
    void rf17APageWithStatus200IsAFailure() {
        try (ScriptedUpstream page = ScriptedUpstream.playing((request, wire) -> wire.whole(200, "text/html", HTML));
                TestGateway gateway = TestGateway.start(TestConfig.pool(page))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).doesNotContain("html");
        }
    }

    @Test
    void rf18AnEmptyTextThatTheUsageProvesIsAnAnswer() {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("", 5, 1));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            assertThat(gateway.client().chat(Client.request()).status()).isEqualTo(200);
        }
    }

    @Test
    void rf19AnErrorInsideTheStreamKeepsItsOwnStatus() {
        try (ScriptedUpstream up = ScriptedUpstream.streaming(
                        "data: {\"error\":{\"message\":\"tool call validation failed\",\"code\":\"tool_use_failed\","
                                + "\"status_code\":400}}\n\n");
                ScriptedUpstream other = ScriptedUpstream.streaming(c("x"), fin("stop"), DONE);
                TestGateway gateway = TestGateway.start(TestConfig.chain(up, other))) {
            Client.Answer answer = gateway.client().chat(Client.streamed());

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("tool call validation failed");
            assertThat(up.requests()).hasSize(1);
            assertThat(other.requests()).isEmpty();
        }
    }

    @Test
    void br01HalfOpenLetsOneProbeThroughAndTheOthersFailAtOnce() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(429, LIMITED);
                TestGateway gateway = TestGateway.start(TestConfig.pool(up), threeInARow(1))) {
            for (int i = 0; i < 3; i++) {
                gateway.client().chat(Client.request());
            }
            TestGateway.eventually(
                    "the breaker is open",
                    () -> gateway.client().chat(Client.request()).body().contains("breaker"));
            int before = up.requests().size();
            up.play((request, wire) -> wire.hang(1_500));
            Thread.sleep(1_100);
            List<Integer> statuses = Ends.parallel(
                    50,
                    50,
                    () -> gateway.client()
                            .chat(Client.request(), "x-deadline-ms", "1000")
                            .status());

            assertThat(up.requests().size() - before).isEqualTo(1);
            assertThat(statuses.stream().filter(status -> status == 503)).hasSize(49);
        }
    }

    @Test
    void br04WrongRequestsNeverOpenTheBreaker() throws Exception {
        String wrong = "{\"error\":{\"message\":\"wrong\",\"type\":\"invalid_request_error\"}}";
        try (ScriptedUpstream up = ScriptedUpstream.answering(400, wrong);
                TestGateway gateway = TestGateway.start(TestConfig.pool(up), threeInARow(1))) {
            List<Integer> statuses = Ends.parallel(
                    8, 100, () -> gateway.client().chat(Client.request()).status());
            up.play((request, wire) -> wire.json(200, HELLO));
            Client.Answer good = gateway.client().chat(Client.request());

            assertThat(statuses).hasSize(100).containsOnly(400);
            assertThat(good.status()).isEqualTo(200);
            assertThat(gateway.decision(good)
                            .input()
                            .ladder()
                            .get(0)
                            .targets()
                            .get(0)
                            .local())
                    .isEqualTo(1);
        }
    }

    @Test
    void br05StreamsThatAreCutOpenTheBreaker() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.streaming(c("par"));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up), threeInARow(1))) {
            for (int i = 0; i < 3; i++) {
                assertThat(gateway.client().chat(Client.streamed()).done()).isFalse();
            }
            TestGateway.eventually(
                    "the breaker is open",
                    () -> gateway.client().chat(Client.streamed()).status() == 503);

            assertThat(up.requests().size()).isBetween(3, 4);
        }
    }

    @Test
    void mx03AFallbackThatSavesARequestIsNoSuccessOfARetry() {
        try (ScriptedUpstream bad = ScriptedUpstream.playing((request, wire) -> wire.whole(502, "text/html", HTML));
                ScriptedUpstream good = ScriptedUpstream.answering(200, HELLO);
                TestGateway gateway = TestGateway.start(TestConfig.chain(bad, good))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.header("x-sluice-attempts")).isEqualTo("4");
            assertThat(bad.requests()).hasSize(3);
            Ends.nothingIsHeld(gateway, 1, bad, good); // the answer leaves before it is counted
            assertThat(gateway.metric("sluice_requests_total")).isEqualTo(1);
            assertThat(gateway.metric("sluice_attempts_total")).isEqualTo(4);
            assertThat(gateway.metric("sluice_retries_exhausted_total")).isEqualTo(1);
            assertThat(gateway.metric("sluice_retries_succeeded_total")).isZero();
            assertThat(gateway.metric("sluice_fallbacks_succeeded_total")).isEqualTo(1);
            assertThat(gateway.metric("sluice_tokens_total")).isEqualTo(4);
        }
    }

    @Test
    void thePauseBeforeARetryIsNoOverhead() {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    if (request.headers().get("x-sluice-attempt").equals("1")) {
                        wire.whole(502, "text/html", HTML, "retry-after: 1");
                    } else {
                        wire.json(200, HELLO);
                    }
                });
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            DecisionRecord record = gateway.decision(answer);
            AttemptRecord first = record.attempts().get(0);
            AttemptRecord second = record.attempts().get(1);
            assertThat(first.next().waitMs()).isEqualTo(1_000);
            double restMs = record.durationMs() - first.totalMs() - second.totalMs();
            assertThat(record.overheadUs()).isLessThanOrEqualTo((long) ((restMs - 999) * 1_000));
            assertThat(Long.parseLong(answer.header("x-sluice-overhead-us")))
                    .isLessThanOrEqualTo((long) (record.durationMs() * 1_000) - 999_000);
        }
    }

    @Test
    void mx03ARetryThatSavesARequestIsNoFallback() {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    if (request.headers().get("x-sluice-attempt").equals("1")) {
                        wire.whole(502, "text/html", HTML);
                    } else {
                        wire.json(200, HELLO);
                    }
                });
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            assertThat(gateway.client().chat(Client.request()).status()).isEqualTo(200);
            Ends.nothingIsHeld(gateway, 1, up);

            assertThat(gateway.metric("sluice_retries_succeeded_total")).isEqualTo(1);
            assertThat(gateway.metric("sluice_retries_exhausted_total")).isZero();
            assertThat(gateway.metric("sluice_fallbacks_succeeded_total")).isZero();
        }
    }

    /**
     * Requirement A4: repeats within a request do not count towards the breaker, the first call of each target does, also of one
     * that only stands in for others.
     */
    @Test
    void aTargetThatOnlyStandsInIsFoundBadAndRepeatsCountOnce() throws Exception {
        try (ScriptedUpstream bad = ScriptedUpstream.playing((request, wire) -> wire.whole(502, "text/html", HTML));
                ScriptedUpstream standIn = ScriptedUpstream.answering(429, LIMITED);
                TestGateway gateway = TestGateway.start(TestConfig.chain(bad, standIn), threeInARow(1))) {
            gateway.client().chat(Client.request());
            Thread.sleep(200);
            Client.Answer second = gateway.client().chat(Client.request());
            assertThat(gateway.decision(second)
                            .input()
                            .ladder()
                            .get(0)
                            .targets()
                            .get(0)
                            .breaker())
                    .as("three repeats in one request are one failure")
                    .isEqualTo(BreakerState.CLOSED);

            gateway.client().chat(Client.request());
            TestGateway.eventually(
                    "both are open",
                    () -> gateway.client()
                            .chat(Client.request())
                            .header("x-sluice-attempts")
                            .equals("0"));
            assertThat(bad.requests().size())
                    .as("the third failure ends the repeats")
                    .isBetween(7, 9);
            assertThat(standIn.requests()).hasSize(3);
        }
    }
}
