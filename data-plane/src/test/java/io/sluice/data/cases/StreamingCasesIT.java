package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows ST01 to ST22: what streams get wrong. */
class StreamingCasesIT {
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

    private static void assertComplete(Answer answer, String text) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("content-type")).startsWith("text/event-stream");
        assertThat(answer.text()).isEqualTo(text);
        assertThat(answer.payloads()).filteredOn("[DONE]"::equals).hasSize(1);
        assertThat(answer.payloads()).last().isEqualTo("[DONE]");
        assertThat(rig.decision(answer).outcome()).isEqualTo("ok");
    }

    private static void assertBrokeOffAfter(Answer answer, String text) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo(text);
        assertThat(answer.finishReason()).isNull();
        assertThat(answer.done()).isFalse();
        List<JsonNode> chunks = answer.chunks();
        assertThat(chunks).filteredOn(chunk -> chunk.has("error")).hasSize(1);
        assertThat(chunks.get(chunks.size() - 1).at("/error/message").asText()).contains("incomplete");
        assertThat(rig.decision(answer).outcome()).isEqualTo("incomplete");
    }

    @Test
    void st01UsageThatTheClientDidNotAskForIsChargedAndNotShown() {
        Answer answer = rig.streams(c("hi"), fin("stop"), use(26, 5), DONE).askStream();

        assertComplete(answer, "hi");
        assertThat(answer.finishReason()).isEqualTo("stop");
        assertThat(answer.chunks()).allSatisfy(chunk -> {
            assertThat(chunk.path("choices")).isNotEmpty();
            assertThat(chunk.path("usage").isObject()).isFalse();
        });
        DecisionRecord record = rig.decision(answer);
        AttemptRecord attempt = Rig.firstAttempt(record);
        assertThat(attempt.usage().promptTotal()).isEqualTo(26);
        assertThat(attempt.usage().outputTotal()).isEqualTo(5);
        assertThat(attempt.usage().estimated()).isFalse();
        assertThat(record.cost()).hasToString("0.000036");
        assertThat(rig.sent().at("/stream_options/include_usage").asBoolean()).isTrue();
    }

    @Test
    void st02UsageOnTheFinishChunkBecomesOneChunkWithoutChoicesBeforeDone() {
        String finish = "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],"
                + "\"usage\":" + Sse.usage(3, 1) + "}\n\n";
        rig.streams(c("hi"), finish, DONE);

        Answer answer = rig.client().chat(Client.streamed("\"stream_options\":{\"include_usage\":true}"));

        assertComplete(answer, "hi");
        List<JsonNode> chunks = answer.chunks();
        JsonNode last = chunks.get(chunks.size() - 1);
        assertThat(last.get("choices")).isEmpty();
        assertThat(last.at("/usage/prompt_tokens").asInt()).isEqualTo(3);
        assertThat(last.at("/usage/completion_tokens").asInt()).isEqualTo(1);
        assertThat(last.at("/usage/total_tokens").asInt()).isEqualTo(4);
        assertThat(chunks.subList(0, chunks.size() - 1)).allSatisfy(chunk -> {
            assertThat(chunk.path("choices")).isNotEmpty();
            assertThat(chunk.path("usage").isObject()).isFalse();
        });
    }

    @Test
    void st03AMissingDoneIsAddedAndTheCallIsASuccess() {
        Answer answer = rig.streams(c("a"), fin("stop")).askStream();

        assertComplete(answer, "a");
        DecisionRecord record = rig.decision(answer);
        assertThat(Rig.firstAttempt(record).failure()).isNull();
        assertThat(record.cost().micros()).isPositive();
    }

    @Test
    void st04AStreamCutBeforeItsFinishReasonIsNeverDressedUpAsComplete() {
        Answer answer = rig.streams(c("par")).askStream();

        assertBrokeOffAfter(answer, "par");
        AttemptRecord attempt = Rig.firstAttempt(rig.decision(answer));
        assertThat(attempt.failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        assertThat(attempt.usage().outputTotal()).isEqualTo(1);
        assertThat(attempt.usage().estimated()).isTrue();
        assertThat(attempt.cost().micros()).isPositive();
    }

    @Test
    void st04AStreamCutBeforeItsFirstContentFallsBack() {
        Answer answer = rig.streams(Sse.chunk("{\"role\":\"assistant\",\"content\":\"\"}", "null"))
                .askStream();

        assertComplete(answer, Rig.SPARE);
        assertThat(answer.header("x-sluice-step")).isEqualTo("rung2");
    }

    @Test
    void st05DoneEndsTheAnswerThoughTheUpstreamStaysOpen() throws InterruptedException {
        rig.plays((request, wire) -> {
            wire.stream().chunk(c("a") + fin("stop") + DONE);
            wire.hang(30_000);
        });

        Answer answer = rig.askStream();

        assertComplete(answer, "a");
        assertThat(rig.decision(answer).durationMs()).isLessThan(2_000);
        rig.settled();
        assertThat(rig.upstream().requests().get(0).clientLeftWithin(5_000)).isTrue();
    }

    @ParameterizedTest(name = "line end {index}")
    @ValueSource(strings = {"\r\n", "\r", "\n"})
    void st06EveryLineEndWorksAndEachEventIsForwardedWhenItComes(String lineEnd) {
        CountDownLatch firstSeen = new CountDownLatch(1);
        rig.plays((request, wire) -> {
            wire.stream().chunk(c("a").replace("\n", lineEnd));
            firstSeen.await(10, TimeUnit.SECONDS);
            wire.chunk((fin("stop") + use(26, 5) + DONE).replace("\n", lineEnd)).end();
        });

        try (Live live = new Live(rig.client(), Client.streamed())) {
            live.until("\"content\":\"a\"");
            assertThat(firstSeen.getCount()).isEqualTo(1);
            firstSeen.countDown();
            live.untilEnd();

            assertThat(live.payloads()).hasSize(3).last().isEqualTo("[DONE]");
            assertThat(Rig.firstAttempt(rig.decision(live.header("x-request-id")))
                            .usage()
                            .promptTotal())
                    .isEqualTo(26);
        }
    }

    @ParameterizedTest(name = "line end {index}")
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void st08TheBlankIsOptionalAndDataFieldsOfOneEventAreJoinedToOneLine(String lineEnd) {
        String event = "data:{\"id\":\"c1\",\"choices\":[{\"index\":0,\ndata:\"delta\":{\"content\":\"%s\"},\n"
                + "data: \"finish_reason\":null}]}\n\n";

        Answer answer = rig.streams(
                        event.formatted("h").replace("\n", lineEnd),
                        event.formatted("i").replace("\n", lineEnd),
                        event.formatted("\u00E9").replace("\n", lineEnd),
                        fin("stop"),
                        "data:[DONE]\n\n")
                .askStream();

        assertComplete(answer, "hi\u00E9");
        assertThat(answer.body().lines()).allMatch(line -> line.isEmpty() || line.startsWith("data: "));
    }

    @Test
    void st09CommentsOfTheUpstreamNeverBecomeData() {
        String comment = ": OPENROUTER PROCESSING\n\n";

        Answer answer = rig.streams(comment, comment, c("a"), fin("stop"), DONE).askStream();

        assertComplete(answer, "a");
        assertThat(answer.payloads()).hasSize(3);
    }

    @Test
    void st10KeepAlivesThatAreNoJsonAreSkipped() {
        Answer answer = rig.streams(
                        "data: : keepalive\n\n",
                        "data: \n\n",
                        ":\n\n",
                        "event: ping\ndata: {}\n\n",
                        c("a"),
                        "data: : keepalive\n\n",
                        "event: ping\ndata: {}\n\n",
                        fin("stop"),
                        DONE)
                .askStream();

        assertComplete(answer, "a");
        assertThat(answer.payloads()).hasSize(3);
        assertThat(rig.decision(answer).attempts()).hasSize(1);
    }

    /** Also wire check 18. */
    @Test
    void st11KeepAlivesAreCommentsBetweenWholeEvents() {
        rig.plays((request, wire) -> {
            String split = c("b");
            wire.stream().chunk(c("a") + split.substring(0, 30));
            wire.hang(12_000);
            wire.chunk(split.substring(30) + fin("stop") + DONE).end();
        });

        Answer answer = rig.askStream("x-business-scenario", "patient");

        assertComplete(answer, "ab");
        assertThat(answer.body()).contains("\n\n: keep-alive\n\ndata: ");
        assertThat(answer.body().lines())
                .allMatch(line -> line.isEmpty() || line.startsWith("data: ") || line.equals(": keep-alive"));
    }

    @Test
    void st12AHalfEventIsNeverGluedToTheErrorEvent() {
        CountDownLatch seen = new CountDownLatch(1);
        rig.plays((request, wire) -> {
            wire.stream().chunk(c("x") + "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"he");
            seen.await(10, TimeUnit.SECONDS);
            wire.reset();
        });

        try (Live live = new Live(rig.client(), Client.streamed())) {
            live.until("\"content\":\"x\"");
            seen.countDown();
            live.untilEnd();

            assertThat(live.payloads()).hasSize(2).allSatisfy(Rig::json);
            assertThat(live.payloads()).last().asString().startsWith("{\"error\":{");
            assertThat(live.body()).doesNotContain("\"he");
        }
    }

    @Test
    void st13AnErrorObjectInA200StreamRunsTheFallback() {
        Answer answer = rig.streams(quotaError(), DONE).askStream();

        assertComplete(answer, Rig.SPARE);
        assertThat(Rig.firstAttempt(rig.decision(answer)).failure()).isEqualTo(FailureClass.QUOTA_EXHAUSTED);
    }

    @Test
    void st13AnErrorObjectInA200StreamIsNoEmptySuccess() {
        Answer answer = rig.streams(quotaError(), DONE).askStream(Rig.ALONE);

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.code()).isEqualTo("upstream_failed");
        assertThat(answer.body()).contains("QUOTA_EXHAUSTED");
        assertThat(rig.decision(answer).outcome()).isEqualTo("upstream_failed");
    }

    private static String quotaError() {
        return "data: {\"error\":{\"message\":\"quota exceeded\",\"type\":\"insufficient_quota\","
                + "\"code\":\"insufficient_quota\"}}\n\n";
    }

    @Test
    void st15ABareJsonErrorAfterTheFramingNamesTheOverload() {
        Answer answer = rig.streams(
                        c("ab"), "{\"error\":{\"code\":503,\"message\":\"overloaded\",\"status\":\"UNAVAILABLE\"}}")
                .askStream();

        assertBrokeOffAfter(answer, "ab");
        assertThat(answer.body()).contains("OVERLOADED").contains("503");
        assertThat(Rig.firstAttempt(rig.decision(answer)).failure()).isEqualTo(FailureClass.OVERLOADED);
    }

    @Test
    void st16AnUpstreamThatFailsBeforeAnyByteIsNotA200() {
        Answer answer = rig.answers(502, "").askStream(Rig.ALONE);

        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.code()).isEqualTo("upstream_failed");
    }

    @Test
    void st16AnUpstreamThatRefusesTheConnectionIsNotA200() {
        ScriptedUpstream gone = ScriptedUpstream.streaming(c("a"));
        gone.close();
        try (TestGateway gateway = TestGateway.start(TestConfig.pool(gone))) {
            Answer answer = gateway.client().chat(Client.streamed());

            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.code()).isEqualTo("upstream_failed");
            assertThat(answer.body()).doesNotContain("127.0.0.1").doesNotContain(Integer.toString(gone.port()));
        }
    }

    @Test
    void st17ADocumentInsteadOfAStreamIsStreamed() {
        Answer answer = rig.answers(200, Sse.whole("hi", 3, 1)).askStream();

        assertComplete(answer, "hi");
        assertThat(answer.finishReason()).isEqualTo("stop");
        assertThat(answer.chunks())
                .allMatch(chunk -> chunk.path("object").asText().equals("chat.completion.chunk"));
        assertThat(Rig.firstAttempt(rig.decision(answer)).usage().promptTotal()).isEqualTo(3);
        assertThat(Rig.firstAttempt(rig.decision(answer)).usage().outputTotal()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-None: 1", "Accept-Encoding: gzip", "Accept: application/json", "Connection: close"})
    void st18NoChunkIsHeldBack(String header) {
        CountDownLatch[] seen = {new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1)};
        rig.plays((request, wire) -> {
            wire.stream();
            for (int i = 0; i < seen.length; i++) {
                wire.chunk(c("piece" + i));
                seen[i].await(10, TimeUnit.SECONDS);
            }
            wire.chunk(fin("stop") + DONE).end();
        });

        try (Live live = new Live(rig.client(), Client.streamed(), header)) {
            for (int i = 0; i < seen.length; i++) {
                live.until("piece" + i);
                seen[i].countDown();
            }
            live.untilEnd();

            assertThat(live.header("content-type")).startsWith("text/event-stream");
            assertThat(live.header("content-encoding")).isNull();
            assertThat(live.payloads()).hasSize(5);
        }
    }

    @Test
    void st19EmptyToolCallListsDoNotSwallowText() {
        String[] pieces = new String[5];
        for (int i = 0; i < 3; i++) {
            pieces[i] = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + "abc".charAt(i)
                    + "\",\"tool_calls\":[]}}]}\n\n";
        }
        pieces[3] = fin("stop");
        pieces[4] = DONE;

        Answer answer = rig.streams(pieces).askStream();

        assertComplete(answer, "abc");
        assertThat(answer.finishReason()).isEqualTo("stop");
        assertThat(Rig.calls(answer.chunks())).isEmpty();
    }

    @Test
    void st20TextInTheFinishChunkIsKept() {
        Answer answer = rig.streams(
                        c("the "),
                        "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"END\"},"
                                + "\"finish_reason\":\"length\"}]}\n\n",
                        DONE)
                .askStream();

        assertComplete(answer, "the END");
        assertThat(answer.finishReason()).isEqualTo("length");
    }

    @Test
    void st22AnEventOfThreeMillionCharactersArrivesWhole() {
        String text = "x".repeat(3_000_000);

        Answer answer = rig.streams(c(text), fin("stop"), DONE).askStream();

        assertThat(answer.text()).hasSize(text.length());
        assertThat(answer.done()).isTrue();
    }

    /** One byte per HTTP chunk, every line end, with multibyte text: the client must not see a difference. */
    @ParameterizedTest(name = "line end {index}")
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void theWayTheNetworkCutsAStreamChangesNothing(String lineEnd) {
        String stream = c("he\"l") + ": note\n\n" + c("l\u00F6 \uD83C\uDF0D") + fin("stop") + use(26, 5) + DONE;
        Answer atOnce = rig.streams(stream).askStream();
        byte[] bytes = stream.replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8);
        rig.plays((request, wire) -> {
            wire.stream();
            for (byte each : bytes) {
                wire.raw(new byte[] {'1', '\r', '\n', each, '\r', '\n'});
            }
            wire.end();
        });

        Answer byteByByte = rig.askStream();

        assertComplete(byteByByte, "he\"ll\u00F6 \uD83C\uDF0D");
        assertThat(byteByByte.payloads()).isEqualTo(atOnce.payloads());
        assertThat(rig.decision(byteByByte).cost()).hasToString("0.000036");
    }
}
