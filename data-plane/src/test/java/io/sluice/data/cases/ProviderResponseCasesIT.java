package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.chunk;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.tc;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.ScriptedUpstream.Script;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.upstream.UpstreamLimits;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows 68 to 82 of the bad-input catalogue: what providers answer. Row 84 is in {@link UpstreamTlsIT}. */
class ProviderResponseCasesIT {
    private static Rig rig;

    @BeforeAll
    static void start() {
        rig = new Rig();
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    @BeforeEach
    void heal() {
        rig.heal();
    }

    /** Something with status 200 that is no answer. */
    @SuppressWarnings("ImmutableEnumChecker") // every script is a lambda without state
    private enum NoAnswer {
        PAGE((request, wire) -> wire.whole(200, "text/html", "<html>secret-page</html>")),
        PAGE_LABELLED_AS_JSON((request, wire) -> wire.json(200, "<html>secret-page</html>")),
        PAGE_LABELLED_AS_STREAM((request, wire) -> wire.whole(200, "text/event-stream", "<html>secret-page</html>")),
        EMPTY((request, wire) -> wire.json(200, "")),
        BLANKS((request, wire) -> wire.json(200, " \n\n ")),
        CUT_JSON(
                (request, wire) -> wire.json(200, Sse.whole("secret-page", 1, 1).substring(0, 150))),
        PICTURE((request, wire) -> wire.whole(200, "image/png", Sse.whole("secret-page", 1, 1))),
        NO_CONTENT((request, wire) -> wire.raw("HTTP/1.1 204 X\r\n\r\n")),
        EMPTY_OBJECT((request, wire) -> wire.json(200, "{}")),
        ARRAY((request, wire) -> wire.json(200, "[1,2]")),
        NUMBER((request, wire) -> wire.json(200, "42")),
        NO_CHOICES((request, wire) -> wire.json(200, "{\"id\":\"c1\",\"choices\":[]}")),
        TWO_DOCUMENTS((request, wire) -> wire.json(200, Sse.whole("secret-page", 1, 1) + "{\"secret-page\":1}"));

        private final Script script;

        NoAnswer(Script script) {
            this.script = script;
        }
    }

    @ParameterizedTest
    @EnumSource
    void row68AnAnswerThatIsNoneIsAFailureOfTheProvider(NoAnswer kind) {
        rig.plays(kind.script);

        Answer whole = rig.ask(Rig.ALONE);
        Answer stream = rig.askStream(Rig.ALONE);
        Answer rescued = rig.askStream();

        for (Answer refused : List.of(whole, stream)) {
            assertThat(refused.status()).as(refused.body()).isEqualTo(502);
            assertThat(refused.code()).isEqualTo("upstream_failed");
            assertThat(refused.body()).doesNotContain("secret-page").doesNotContain("html");
            assertThat(Rig.firstAttempt(rig.decision(refused)).failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        }
        assertThat(rescued.text()).isEqualTo(Rig.SPARE);
    }

    /** In a stream nothing was sent yet, so the next target answers there too. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\n\t"})
    void rf18AnEmptyAnswerIsGivenByTheNextTarget(String text) {
        rig.answers(200, Sse.whole(text, 9, 0));
        Answer whole = rig.ask();
        rig.streams(chunk("{\"role\":\"assistant\"}", null), c(text), c(text), fin("stop"), use(9, 0), DONE);
        Answer stream = rig.askStream();
        Answer refused = rig.askStream(Rig.ALONE);

        for (Answer rescued : List.of(whole, stream)) {
            assertThat(rescued.status()).isEqualTo(200);
            assertThat(rescued.body()).contains(Rig.SPARE);
            assertThat(Rig.firstAttempt(rig.decision(rescued)).failure()).isEqualTo(FailureClass.SEMANTIC);
            assertThat(Rig.firstAttempt(rig.decision(rescued)).usage().promptTotal())
                    .isEqualTo(9);
        }
        assertThat(stream.text()).isEqualTo(Rig.SPARE);
        assertThat(refused.status()).isEqualTo(502);
    }

    @Test
    void row68AnEmptyAnswerWithoutTokensIsUselessNotASuccess() {
        rig.answers(200, Sse.whole("", 0, 0));

        Answer refused = rig.ask(Rig.ALONE);

        assertThat(refused.status()).isEqualTo(502);
        assertThat(Rig.firstAttempt(rig.decision(refused)).failure()).isEqualTo(FailureClass.SEMANTIC);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"error\":{\"message\":\"no money\",\"type\":\"insufficient_quota\",\"code\":\"insufficient_quota\"}} | QUOTA_EXHAUSTED",
                "{\"error\":\"overloaded\"} | OVERLOADED",
                "{\"object\":\"error\",\"message\":\"boom\",\"code\":500} | UPSTREAM_INTERNAL",
                "{\"error\":{\"message\":\"slow down\",\"code\":429}} | RATE_LIMITED",
                "{\"error\":{\"message\":\"CUDA out of memory\"}} | OUT_OF_MEMORY"
            })
    void row69AnErrorUnderStatus200IsAnError(String body, FailureClass failure) {
        rig.answers(200, body);

        Answer refused = rig.ask(Rig.ALONE);

        assertThat(refused.status()).as(refused.body()).isGreaterThanOrEqualTo(502);
        assertThat(Rig.firstAttempt(rig.decision(refused)).failure()).isEqualTo(failure);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"86400", "-1", "abc", "Thu, 01 Jan 1970 00:00:00 GMT", "0", "99999999999999999999", "1e9", ""})
    void row71AnAbsurdRetryAfterIsClampedAndTheFallbackAnswers(String value) {
        try (Rig own = new Rig()) {
            own.answers(
                    429,
                    "{\"error\":{\"message\":\"slow\",\"code\":\"rate_limit_exceeded\"}}",
                    "Retry-After: " + value);

            Answer rescued = own.ask();
            Answer refused = own.ask(Rig.ALONE);

            assertThat(rescued.status()).isEqualTo(200);
            assertThat(rescued.header("x-sluice-degraded")).isEqualTo("rate_limited");
            assertThat(refused.status()).as(refused.body()).isEqualTo(503);
            assertThat(refused.code()).isEqualTo("no_healthy_target");
            assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 60);
            assertThat(Long.parseLong(refused.header("retry-after-ms"))).isBetween(1L, 60_000L);
            assertThat(own.upstream().requests()).hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void row72A5xxAfterContentIsToldAndNeverRepeated() {
        Answer answer = rig.streams(
                        c("ab"), "data: {\"error\":{\"message\":\"bad gateway\",\"code\":502}}\n\n", c("c"), DONE)
                .askStream();

        assertThat(answer.text()).isEqualTo("ab");
        assertThat(answer.done()).isFalse();
        assertThat(answer.payloads()).hasSize(2);
        assertThat(rig.upstream().requests()).hasSize(1);
        assertThat(rig.fallback().requests()).isEmpty();
        assertThat(rig.decision(answer).cost().micros()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void row73ARedirectIsNeverFollowed(int status) {
        String elsewhere = rig.fallback().baseUrl() + "/chat/completions";
        rig.answers(status, "{}", "Location: " + elsewhere);

        Answer refused = rig.ask(Rig.ALONE);

        assertThat(refused.status()).as(refused.body()).isEqualTo(502);
        assertThat(refused.header("location")).isNull();
        assertThat(refused.body()).doesNotContain(elsewhere);
        assertThat(rig.fallback().requests()).isEmpty();
        assertThat(Rig.firstAttempt(rig.decision(refused)).failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void row73ARedirectToTheMetadataAddressIsNeverFollowed() {
        rig.answers(302, "{}", "Location: http://169.254.169.254/latest/meta-data/");

        assertThat(rig.ask(Rig.ALONE).status()).isEqualTo(502);
        assertThat(rig.ask().json().at("/choices/0/message/content").asText()).isEqualTo(Rig.SPARE);
    }

    @Test
    void row74HeadersOfTheProviderStayBehind() {
        rig.answers(
                200,
                Sse.whole("hi", 1, 1),
                "Set-Cookie: session=1",
                "X-Internal: host-7",
                "Server: secret/1",
                "x-request-id: theirs",
                "x-sluice-model: forged",
                "Access-Control-Allow-Origin: http://evil.example");

        Answer answer = rig.ask();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.response().headers().map().toString())
                .doesNotContain("session=1", "host-7", "secret/1", "theirs", "forged", "evil.example");
    }

    private enum BadHead {
        LONG_VALUE("X-Long: " + "a".repeat(100_000) + "\r\n"),
        MANY("X-Many: 1\r\n".repeat(5_000)),
        NO_COLON("this is no header\r\n"),
        NUL("X-Nul: a\u0000b\r\n"),
        LENGTH_NEGATIVE("Content-Length: -5\r\n"),
        LENGTH_WORD("Content-Length: five\r\n");

        private final String lines;

        BadHead(String lines) {
            this.lines = lines;
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void row74AHeadThatIsTooLongOrBrokenIsAFailureOfTheProvider(BadHead head) {
        rig.plays((request, wire) -> {
            wire.raw("HTTP/1.1 200 X\r\nContent-Type: application/json\r\n" + head.lines
                    + (head.name().startsWith("LENGTH") ? "" : "Content-Length: 0\r\n") + "\r\n");
            wire.close();
        });

        Answer refused = rig.ask(Rig.ALONE);

        assertThat(refused.status()).as(refused.body()).isEqualTo(502);
        assertThat(refused.code()).isEqualTo("upstream_failed");
    }

    /** Either reading of such an answer is allowed; the next one must not be mistaken for its rest. */
    @Test
    void row74LengthAndChunksTogetherNeverMixTwoAnswers() {
        String body = Sse.whole("hi", 1, 1);
        rig.plays((request, wire) -> {
            wire.raw("HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 7\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n");
            wire.chunk(body).end();
        });

        for (int i = 0; i < 5; i++) {
            Answer answer = rig.ask();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().at("/choices/0/message/content").asText()).isIn("hi", Rig.SPARE);
        }
    }

    @Test
    void row75AWholeAnswerWithoutEndIsCutAtTheLimit() {
        UpstreamLimits normal = UpstreamLimits.DEFAULT;
        UpstreamLimits tight = new UpstreamLimits(
                1 << 20,
                normal.headerBytesMax(),
                normal.connectMs(),
                normal.connectionsMax(),
                normal.keepAliveS(),
                normal.lingerMs());
        try (Rig small = new Rig(new TestGateway.Options().upstream(tight))) {
            String piece = " ".repeat(1 << 16);
            small.plays((request, wire) -> {
                wire.head(200, "application/json").chunk("{\"id\":\"c1\",\"x\":");
                for (int i = 0; i < 10_000; i++) {
                    wire.chunk(piece);
                }
            });

            Answer refused = small.ask(Rig.ALONE);

            assertThat(refused.status()).isEqualTo(502);
            DecisionRecord record = small.decision(refused);
            assertThat(Rig.firstAttempt(record).failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
            small.settled();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void row75AnAnswerThatTricklesEndsAtTheDeadline(boolean streamed) throws InterruptedException {
        rig.plays((request, wire) -> {
            wire.head(200, streamed ? "text/event-stream" : "application/json").chunk(" ");
            wire.hang(20_000);
        });

        Answer refused = streamed
                ? rig.askStream("x-business-scenario", "alone", "x-deadline-ms", "700")
                : rig.ask("x-business-scenario", "alone", "x-deadline-ms", "700");

        assertThat(refused.status()).as(refused.body()).isEqualTo(504);
        assertThat(refused.code()).isEqualTo("deadline_exceeded");
        assertThat(rig.upstream().requests().get(0).clientLeftWithin(5_000)).isTrue();
        rig.settled();
    }

    @Test
    void row76ALineWithoutEndBecomesAnErrorEventAtTheLimit() throws InterruptedException {
        String piece = "a".repeat(1 << 17);
        rig.plays((request, wire) -> {
            wire.stream().chunk(c("x") + "data: ");
            for (int i = 0; i < 10_000; i++) {
                wire.chunk(piece);
            }
        });

        Answer answer = rig.askStream();

        assertThat(answer.text()).isEqualTo("x");
        assertThat(answer.done()).isFalse();
        assertThat(answer.payloads()).last().asString().startsWith("{\"error\"");
        assertThat(rig.upstream().requests().get(0).clientLeftWithin(5_000)).isTrue();
        rig.settled();
    }

    @ParameterizedTest(name = "oddity {index}")
    @ValueSource(
            strings = {
                "\uFEFF",
                ": only a comment\n\n",
                "event: strange\n",
                "retry: -1\n\n",
                "id: 7\n\n",
                "unknown: field\n\n",
                "\n\n\n\n",
                "data\n\n",
                "data:\ndata:\n\n",
                "\u0000\n"
            })
    void row76LegalOdditiesOfEventStreamsReachNoClient(String oddity) {
        Answer answer = rig.streams(oddity + c("a"), oddity.replace("\uFEFF", "") + fin("stop"), use(26, 5), DONE)
                .askStream();

        assertThat(answer.text()).isEqualTo("a");
        assertThat(answer.payloads()).hasSize(3);
        assertThat(answer.body().lines()).allMatch(line -> line.isEmpty() || line.startsWith("data: "));
        assertThat(rig.decision(answer).cost()).hasToString("0.000036");
    }

    @Test
    void row76OnlyCommentsAreNoAnswer() {
        Answer answer = rig.streams(": a\n\n", ": b\n\n").askStream();

        assertThat(answer.text()).isEqualTo(Rig.SPARE);
    }

    @Test
    void row77WhatComesAfterDoneIsIgnored() {
        Answer answer = rig.streams(
                        c("a"), fin("stop"), DONE, c("late"), DONE, "data: {\"error\":{\"message\":\"x\"}}\n\n")
                .askStream();

        assertThat(answer.text()).isEqualTo("a");
        assertThat(answer.payloads()).hasSize(3).last().isEqualTo("[DONE]");
    }

    @Test
    void row77DoneAtOnceIsNoAnswer() {
        Answer answer = rig.streams(DONE, c("late"), fin("stop"), DONE).askStream();

        assertThat(answer.text()).isEqualTo(Rig.SPARE);
    }

    @Test
    void row77DoneWithoutFinishReasonIsIncomplete() {
        Answer answer = rig.streams(c("a"), DONE).askStream();

        assertThat(answer.text()).isEqualTo("a");
        assertThat(answer.done()).isFalse();
        assertThat(rig.decision(answer).outcome()).isEqualTo("incomplete");
    }

    @Test
    void row78AUsageOfNothingBesideTextIsNotBelieved() {
        Answer answer =
                rig.streams(c("x".repeat(400)), fin("stop"), use(10, 0), DONE).askStream();

        assertThat(Rig.firstAttempt(rig.decision(answer)).usage().estimated()).isTrue();
        assertThat(Rig.firstAttempt(rig.decision(answer)).usage().outputTotal()).isEqualTo(100);
    }

    @Test
    void row78CachedTokensAbovePromptTokensAreIgnored() {
        String usage = "{\"prompt_tokens\":100,\"completion_tokens\":10,\"total_tokens\":110,"
                + "\"prompt_tokens_details\":{\"cached_tokens\":5000}}";
        Answer answer = rig.answers(200, Sse.whole("hi", 1, 1).replace(Sse.usage(1, 1), usage))
                .ask();

        assertThat(rig.decision(answer).cost()).hasToString("0.00012");
    }

    @Test
    void row79OddChunksThatMeanSomethingAreTolerated() {
        Answer answer = rig.streams(
                        "data: {\"id\":\"c1\",\"choices\":[],\"prompt_filter_results\":[]}\n\n",
                        "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":null,\"finish_reason\":null}]}\n\n",
                        c("a"),
                        c("b").replace("\"id\":\"c1\"", "\"id\":\"other\"")
                                .replace("\"model\":\"m1\"", "\"model\":\"m9\""),
                        fin("stop"),
                        DONE)
                .askStream();

        assertThat(answer.text()).isEqualTo("ab");
        assertThat(answer.done()).isTrue();
        assertThat(answer.chunks().stream()
                        .map(each -> each.path("id").asText())
                        .distinct())
                .hasSize(1);
    }

    @Test
    void row79InterleavedChoicesStayApart() {
        String second = c("B").replace("\"index\":0", "\"index\":1");
        Answer answer = rig.streams(
                        c("A"),
                        second,
                        c("a"),
                        second.toLowerCase(Locale.ROOT),
                        fin("stop"),
                        fin("length").replace("\"index\":0", "\"index\":1"),
                        DONE)
                .askStream();

        assertThat(answer.done()).isTrue();
        assertThat(answer.chunks())
                .filteredOn(chunk -> chunk.at("/choices/0/index").asInt() == 1)
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"c1\",\"choices\":\"x\"}",
                "{\"id\":\"c1\",\"choices\":[7]}",
                "{\"id\":\"c1\",\"choices\":[{\"index\":-1,\"delta\":{\"content\":\"a\"}}]}",
                "{\"id\":\"c1\",\"choices\":[{\"index\":1000000,\"delta\":{\"content\":\"a\"}}]}",
                "{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":",
                "{\"id\":7,\"choices\":null}",
                "{\"choices\":[{\"index\":\"a\",\"delta\":[]}]}"
            })
    void row79ChunksThatMeanNothingNeverBreakTheGateway(String chunk) {
        Answer answer = rig.streams("data: " + chunk + "\n\n", DONE).askStream();

        assertThat(answer.text()).isEqualTo(Rig.SPARE);
        rig.settled();
    }

    @Test
    void row80ArgumentsOfFiveMegabytesArrive() {
        String arguments = "{\"a\":\"" + "x".repeat(5_000_000) + "\"}";

        Answer answer = rig.streams(tc(0, "k1", "f", arguments), fin("tool_calls"), DONE)
                .askStream();

        assertThat(Rig.calls(answer.chunks()))
                .hasSize(1)
                .allSatisfy(call -> assertThat(call.arguments()).hasSize(arguments.length()));
    }

    @Test
    void row80MoreThanAThousandCallsEndTheAnswer() {
        StringBuilder calls = new StringBuilder();
        for (int i = 0; i <= 1_000; i++) {
            calls.append(tc(i, "k" + i, "f", "{}"));
        }

        Answer answer = rig.streams(calls.toString(), fin("tool_calls"), DONE).askStream();

        assertThat(answer.done()).isFalse();
        assertThat(answer.payloads()).last().asString().startsWith("{\"error\"");
        assertThat(rig.decision(answer).outcome()).isEqualTo("incomplete");
    }

    @Test
    void row80CallsWithOneIdAreGivenTwo() {
        Answer answer = rig.streams(
                        chunk(
                                "{\"tool_calls\":[{\"index\":0,\"id\":\"k\",\"type\":\"function\",\"function\":{\"name\":\"f\","
                                        + "\"arguments\":\"{}\"}},{\"index\":1,\"id\":\"k\",\"type\":\"function\","
                                        + "\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}]}",
                                "null"),
                        fin("tool_calls"),
                        DONE)
                .askStream();

        List<Rig.Call> calls = Rig.calls(answer.chunks());
        assertThat(calls).extracting(Rig.Call::name).containsExactly("f", "g");
        assertThat(calls).extracting(Rig.Call::id).doesNotHaveDuplicates().doesNotContainNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 413, 422, 500})
    void row81AProvidersWordsAboutKeysAndHostsReachNobody(int status) {
        String leak = "max_tokens is too large, key sk-live-abc123abc123abc123 at http://u:pw@vllm-7.internal/x, "
                + "10.1.2.3:8000, [fe80::1]:80, vllm-7.internal:8000, File \\\"/opt/app/server.py\\\", line 7";
        rig.answers(status, "{\"error\":{\"message\":\"" + leak + "\",\"type\":\"x\"}}");

        Answer refused = rig.ask(Rig.ALONE);

        assertThat(refused.body())
                .doesNotContain("sk-live", "u:pw", "vllm-7", "10.1.2.3", "fe80", "8000", "/opt", "server.py");
        assertThat(refused.status()).isNotIn(401, 403);
        if (status == 400) {
            assertThat(refused.body()).contains("max_tokens is too large");
        }
    }

    @Test
    void row81WordsAboutTheRequestStayAsTheyAre() {
        String words = "messages.0.content: at most 5:1 or 16:9, see n/a and and/or; ids a:b; temperature 1.5/2";
        rig.answers(400, "{\"error\":{\"message\":\"" + words + "\",\"type\":\"invalid_request_error\"}}");

        assertThat(rig.ask(Rig.ALONE).json().at("/error/message").asText()).contains(words);
    }

    @Test
    void row82CompressionIsNotAskedForAndNotUnpacked() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(new byte[10 << 20]);
        }
        rig.plays((request, wire) -> {
            wire.raw("HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: "
                    + packed.size() + "\r\n\r\n");
            wire.raw(packed.toByteArray());
        });

        Answer refused = rig.ask(Rig.ALONE);

        assertThat(refused.status()).isEqualTo(502);
        assertThat(rig.upstream().requests().get(0).headers()).containsEntry("accept-encoding", "identity");
    }

    @Test
    void row82AWrongContentEncodingIsAFailureOfTheProvider() {
        rig.answers(200, Sse.whole("hi", 1, 1), "Content-Encoding: br");

        assertThat(rig.ask(Rig.ALONE).status()).isEqualTo(502);
        assertThat(rig.ask().status()).isEqualTo(200);
    }

    /** Requirement A1: a proxy's own statuses are network trouble unless a code says overload. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "502 | {} | NETWORK",
                "503 | {} | NETWORK",
                "504 | {} | NETWORK",
                "503 | <html>no server</html> | NETWORK",
                "503 | {\"error\":{\"message\":\"no healthy upstream\"}} | NETWORK",
                "503 | {\"error\":{\"message\":\"x\",\"code\":\"server_is_overloaded\"}} | OVERLOADED",
                "529 | {} | OVERLOADED",
                "500 | {} | UPSTREAM_INTERNAL",
                "429 | {} | RATE_LIMITED",
                "402 | {} | QUOTA_EXHAUSTED",
                "401 | {} | AUTH",
                "403 | {} | AUTH",
                "400 | {} | BAD_REQUEST",
                "500 | {\"error\":{\"message\":\"CUDA out of memory\"}} | OUT_OF_MEMORY"
            })
    void a1EveryStatusHasItsClass(int status, String body, FailureClass failure) {
        rig.answers(status, body);

        Answer refused = rig.ask(Rig.ALONE);

        assertThat(Rig.firstAttempt(rig.decision(refused)).failure()).isEqualTo(failure);
        assertThat(refused.status()).isNotIn(401, 402, 403, 429);
        JsonNode error = refused.json().get("error");
        assertThat(error.has("message") && error.has("type") && error.has("param") && error.has("code"))
                .isTrue();
    }

    /** An error whose body is cut or never comes is still the error that its status says. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anErrorStatusCountsThoughItsBodyIsCut(boolean hangs) {
        rig.plays((request, wire) -> {
            wire.raw("HTTP/1.1 429 X\r\nContent-Type: application/json\r\nContent-Length: 500\r\nRetry-After: 2\r\n\r\n"
                    + "{\"error\":{\"mess");
            if (hangs) {
                wire.hang(20_000);
            }
            wire.close();
        });

        Answer refused = rig.ask("x-business-scenario", "alone", "x-deadline-ms", "800");

        assertThat(Rig.firstAttempt(rig.decision(refused)).failure()).isEqualTo(FailureClass.RATE_LIMITED);
        assertThat(refused.header("retry-after")).isEqualTo("2");
    }

    /** A whole document whose end came counts, however the connection ended. */
    @Test
    void aWholeDocumentCountsThoughItsConnectionBreaks() {
        byte[] body = Sse.whole("hi", 26, 5).getBytes(StandardCharsets.UTF_8);
        rig.plays((request, wire) -> {
            wire.head(200, "application/json").chunk(new String(body, StandardCharsets.UTF_8));
            wire.close();
        });

        Answer answer = rig.ask();

        assertThat(answer.response().body()).isEqualTo(body);
        assertThat(rig.decision(answer).attempts()).hasSize(1);
    }
}
