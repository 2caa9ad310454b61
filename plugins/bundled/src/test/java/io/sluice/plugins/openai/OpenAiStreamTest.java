package io.sluice.plugins.openai;

import static io.sluice.plugins.openai.Wire.DONE;
import static io.sluice.plugins.openai.Wire.EVENT_STREAM;
import static io.sluice.plugins.openai.Wire.JSON;
import static io.sluice.plugins.openai.Wire.bytes;
import static io.sluice.plugins.openai.Wire.c;
import static io.sluice.plugins.openai.Wire.choice;
import static io.sluice.plugins.openai.Wire.decode;
import static io.sluice.plugins.openai.Wire.delta;
import static io.sluice.plugins.openai.Wire.event;
import static io.sluice.plugins.openai.Wire.fin;
import static io.sluice.plugins.openai.Wire.stream;
import static io.sluice.plugins.openai.Wire.usage;
import static io.sluice.plugins.openai.Wire.use;
import static io.sluice.plugins.openai.Wire.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.api.AnswerDecoder;
import io.sluice.plugins.api.AnswerEvent.Completed;
import io.sluice.plugins.api.AnswerEvent.ContentDelta;
import io.sluice.plugins.api.AnswerEvent.Finished;
import io.sluice.plugins.api.AnswerEvent.Started;
import io.sluice.plugins.api.AnswerEvent.UsageReported;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.FinishReason;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows ST and EN of the cases, and rows 76, 77 and 79 of the bad-input catalogue. */
class OpenAiStreamTest {
    @Test
    void st01UsageInALastChunkWithoutChoicesIsReportedAndNotRelayed() {
        Answer answer = stream(c("hi") + fin("stop") + use(26, 5) + DONE);

        assertThat(answer.events())
                .containsExactly(
                        new Started("c1", 1, "m1"),
                        new ContentDelta(0, "hi"),
                        new Finished(0, FinishReason.STOP),
                        new UsageReported(new TokenUsage(26, 0, 0, 5, 0, false)),
                        new Completed());
        assertThat(answer.wires()).hasSize(2);
        assertThat(answer.wireText()).isEqualTo("hi");
    }

    @Test
    void st02UsageOnTheFinishChunkIsReportedAndTakenOutOfTheRelayedChunk() {
        Answer answer = stream(c("hi")
                + event("{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":"
                        + usage(3, 1) + "}")
                + DONE);

        assertThat(answer.usage()).contains(new TokenUsage(3, 0, 0, 1, 0, false));
        assertThat(answer.wireTrees()).noneMatch(tree -> tree.has("usage"));
        assertThat(answer.wireFinishes()).containsExactly("stop");
    }

    @Test
    void st03AStreamWithFinishReasonButWithoutDoneIsComplete() {
        assertThat(stream(c("a") + fin("stop")).completed()).isTrue();
    }

    @Test
    void st04AStreamThatEndsWithoutFinishReasonHasFailed() {
        Answer answer = stream(c("par"));

        assertThat(answer.text()).isEqualTo("par");
        assertThat(answer.failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        assertThat(answer.finishes()).isEmpty();
    }

    @Test
    void st04DoneWithoutFinishReasonIsNoCompleteAnswerEither() {
        assertThat(stream(c("par") + DONE).failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void st05DoneEndsTheAnswerBeforeTheConnectionEnds() {
        List<AnswerFrame> frames = new ArrayList<>();
        AnswerDecoder decoder = Wire.decoder(true);
        decoder.head(200, Wire.headers(Map.of("content-type", EVENT_STREAM)));

        decoder.data(Buffer.buffer(c("a") + fin("stop") + DONE), frames::add);

        assertThat(new Answer(frames).completed()).isTrue();
    }

    @Test
    void st06LinesMayEndInCrlf() {
        assertLikeLf("\r\n");
    }

    @Test
    void row76LinesMayEndInCr() {
        assertLikeLf("\r");
    }

    private static void assertLikeLf(String lineEnd) {
        String lf = c("a") + c("b") + fin("stop") + use(3, 2) + DONE;

        Answer answer = stream(lf.replace("\n", lineEnd));

        assertThat(answer.events()).isEqualTo(stream(lf).events());
        assertThat(answer.wires()).isEqualTo(stream(lf).wires());
    }

    @Test
    void st06EachEventOfACrlfStreamIsForwardedWhenItIsComplete() {
        List<AnswerFrame> frames = new ArrayList<>();
        AnswerDecoder decoder = Wire.decoder(true);
        decoder.head(200, Wire.headers(Map.of("content-type", EVENT_STREAM)));

        decoder.data(Buffer.buffer(c("a").replace("\n", "\r\n")), frames::add);

        assertThat(new Answer(frames).text()).isEqualTo("a");
    }

    @Test
    void st08TheBlankAfterDataIsOptionalAndDataLinesAreJoined() {
        Answer answer = stream("data:{\"id\":\"c1\",\"choices\":[{\"index\":0,\n"
                + "data:\"delta\":{\"content\":\"hi\"},\"finish_reason\":null}]}\n\n"
                + fin("stop") + "data:[DONE]\n\n");

        assertThat(answer.text()).isEqualTo("hi");
        assertThat(answer.wireText()).isEqualTo("hi");
        assertThat(answer.completed()).isTrue();
    }

    @Test
    void st09CommentsAreDropped() {
        Answer answer = stream(": OPENROUTER PROCESSING\n\n".repeat(2) + c("a") + fin("stop") + DONE);

        assertThat(answer.wires()).hasSize(2);
        assertThat(answer.completed()).isTrue();
    }

    @Test
    void st10KeepAlivesSentAsDataAreSkipped() {
        Answer answer =
                stream("data: : keepalive\n\ndata: \n\n:\n\nevent: ping\ndata: {}\n\ndata: [1]\n\ndata: ping\n\n"
                        + c("a") + fin("stop") + DONE);

        assertThat(answer.text()).isEqualTo("a");
        assertThat(answer.wires()).hasSize(2);
        assertThat(answer.completed()).isTrue();
    }

    @Test
    void st12AHalfEventIsNeverForwarded() {
        Answer answer = stream(c("x") + "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"he");

        assertThat(answer.wireText()).isEqualTo("x");
        assertThat(answer.failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void st13AnErrorObjectInTheStreamIsAFailureNotAnEmptyAnswer() {
        Answer answer = stream(event("{\"error\":{\"message\":\"quota exceeded\",\"type\":\"insufficient_quota\","
                        + "\"code\":\"insufficient_quota\"}}")
                + DONE);

        assertThat(answer.failed().failure()).isEqualTo(FailureClass.QUOTA_EXHAUSTED);
        assertThat(answer.failed().message()).isEqualTo("quota exceeded");
        assertThat(answer.frames()).hasSize(1);
    }

    @Test
    void st15ABareJsonErrorOutsideTheFramingIsRead() {
        Answer answer =
                stream(c("ab") + "{\"error\":{\"code\":503,\"message\":\"overloaded\",\"status\":\"UNAVAILABLE\"}}");

        assertThat(answer.text()).isEqualTo("ab");
        assertThat(answer.failed().failure()).isEqualTo(FailureClass.OVERLOADED);
        assertThat(answer.failed().status()).isEqualTo(503);
        assertThat(answer.failed().message()).isEqualTo("overloaded");
    }

    @Test
    void st15ABareJsonErrorInsteadOfAnyEventIsRead() {
        Answer answer = stream("{\"error\":{\"code\":503,\n \"message\":\"overloaded\"}}\n");

        assertThat(answer.failed().failure()).isEqualTo(FailureClass.OVERLOADED);
    }

    @Test
    void st17ADocumentInsteadOfAStreamIsDecodedToBeRendered() {
        Answer answer = decode(
                true,
                200,
                Map.of("content-type", JSON),
                bytes(whole("{\"role\":\"assistant\",\"content\":\"hi\"}", "\"stop\"", usage(3, 1))),
                Integer.MAX_VALUE);

        assertThat(answer.text()).isEqualTo("hi");
        assertThat(answer.finishes()).containsExactly("stop");
        assertThat(answer.usage()).contains(new TokenUsage(3, 0, 0, 1, 0, false));
        assertThat(answer.completed()).isTrue();
        assertThat(answer.wires()).isEmpty();
    }

    @Test
    void st17AStreamInsteadOfADocumentIsDecodedToBeRendered() {
        Answer answer = decode(
                false,
                200,
                Map.of("content-type", EVENT_STREAM),
                bytes(c("hi") + c(" you") + fin("stop") + DONE),
                Integer.MAX_VALUE);

        assertThat(answer.text()).isEqualTo("hi you");
        assertThat(answer.completed()).isTrue();
        assertThat(answer.wires()).isEmpty();
    }

    @Test
    void st19EmptyToolCallListsAndMissingFinishReasonsAreNothing() {
        StringBuilder body = new StringBuilder();
        for (String letter : List.of("a", "b", "c")) {
            body.append(event("{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + letter
                    + "\",\"tool_calls\":[]}}]}"));
        }

        Answer answer = stream(body + fin("stop") + DONE);

        assertThat(answer.text()).isEqualTo("abc");
        assertThat(answer.wireText()).isEqualTo("abc");
        assertThat(answer.wireTrees())
                .noneMatch(tree -> tree.at("/choices/0/delta").has("tool_calls"));
        assertThat(answer.finishes()).containsExactly("stop");
    }

    @Test
    void st20TextInTheFinishChunkIsKept() {
        Answer answer =
                stream(c("the ") + choice("\"delta\":{\"content\":\"END\"},\"finish_reason\":\"length\"") + DONE);

        assertThat(answer.text()).isEqualTo("the END");
        assertThat(answer.wireText()).isEqualTo("the END");
        assertThat(answer.finishes()).containsExactly("length");
    }

    @Test
    void st22AnEventOfThreeMillionCharactersArrivesWhole() {
        String text = "x".repeat(3_000_000);

        Answer answer =
                decode(true, 200, Map.of("content-type", EVENT_STREAM), bytes(c(text) + fin("stop") + DONE), 16_384);

        assertThat(answer.text()).isEqualTo(text);
        assertThat(answer.wireText()).isEqualTo(text);
        assertThat(answer.completed()).isTrue();
    }

    @Test
    void row76ALineWithoutEndFailsAtTheDocumentedLimit() {
        AnswerDecoder decoder = Wire.decoder(true);
        List<AnswerFrame> frames = new ArrayList<>();
        decoder.head(200, Wire.headers(Map.of("content-type", EVENT_STREAM)));
        Buffer piece = Buffer.buffer("data: " + "x".repeat(1 << 20));

        for (int i = 0; i < 10 && frames.isEmpty(); i++) {
            decoder.data(piece, frames::add);
        }

        assertThat(new Answer(frames).failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        assertThat(new Answer(frames).failed().message()).contains(Integer.toString(SseParser.EVENT_BYTES_MAX));
    }

    @Test
    void row76AMarkAndUnknownFieldsAndNulAreTolerated() {
        Answer answer = stream("\uFEFFid: 7\nretry: -1\nevent: chunk\nnonsense\n\0\n" + c("a") + fin("stop") + DONE);

        assertThat(answer.text()).isEqualTo("a");
        assertThat(answer.completed()).isTrue();
    }

    @Test
    void row76OnlyCommentsAreNoAnswer() {
        assertThat(stream(": a\n\n: b\n\n").failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void row77DataAfterDoneIsIgnored() {
        Answer answer = stream(c("a") + fin("stop") + DONE + DONE + c("b"));

        assertThat(answer.text()).isEqualTo("a");
        assertThat(answer.completed()).isTrue();
    }

    @Test
    void row77DoneAtOnceIsAFailure() {
        assertThat(stream(DONE + c("a")).failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void row79NullDeltaMissingChoicesAndOtherIdsAreTolerated() {
        Answer answer = stream(c("a")
                + choice("\"delta\":null,\"finish_reason\":null")
                + event("{\"id\":\"c1\",\"object\":\"chat.completion.chunk\"}")
                + c("b").replace("\"c1\"", "\"other\"")
                + fin("stop")
                + DONE);

        assertThat(answer.text()).isEqualTo("ab");
        assertThat(answer.wireTrees()).allMatch(tree -> tree.path("id").asText().equals("c1"));
        assertThat(answer.wireTrees())
                .allMatch(tree -> tree.at("/choices/0/delta").isObject());
        assertThat(answer.completed()).isTrue();
    }

    @Test
    void row79TwoChoicesMayInterleaveAndBothMustFinish() {
        String two = c("a") + c("x").replace("\"index\":0", "\"index\":7") + fin("stop");

        Answer complete = stream(two + fin("length").replace("\"index\":0", "\"index\":7") + DONE);

        assertThat(complete.events(ContentDelta.class))
                .containsExactly(new ContentDelta(0, "a"), new ContentDelta(7, "x"));
        assertThat(complete.completed()).isTrue();
        assertThat(stream(two + DONE).failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void row79AnImpossibleIndexIsAFailure() {
        assertThat(stream(c("a").replace("\"index\":0", "\"index\":-1"))
                        .failed()
                        .failure())
                .isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void brokenJsonWithinAStreamIsAFailureBecauseTextMayBeLost() {
        Answer answer = stream(c("a") + "data: {\"id\":\"c1\",\"choi\n\n" + c("b") + fin("stop") + DONE);

        assertThat(answer.failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        assertThat(answer.text()).isEqualTo("a");
    }

    @Test
    void thinkingIsToldApartFromTextUnderBothItsNames() {
        Answer answer = stream(delta("{\"role\":\"assistant\",\"reasoning_content\":\"th\"}")
                + delta("{\"reasoning\":\"ink\"}")
                + delta("{\"reasoning\":\"!\",\"reasoning_content\":\"!\"}")
                + delta("{\"content\":\"a\",\"reasoning\":null}")
                + fin("stop")
                + DONE);

        assertThat(answer.reasoning()).isEqualTo("think!");
        assertThat(answer.text()).isEqualTo("a");
    }

    @Test
    void plainChunksAreRelayedByteByByte() {
        String chunk =
                "{ \"id\" : \"c1\", \"choices\":[{\"index\":0,\"delta\":{\"content\":\"\\u00e9\"},\"logprobs\":{\"a\":-0.10e1},"
                        + "\"finish_reason\":null}],\"x\":1.0}";

        Answer answer = stream(c("a") + event(chunk) + fin("stop") + DONE);

        assertThat(answer.wires()).element(1).isEqualTo(chunk);
        assertThat(answer.text()).isEqualTo("aé");
    }

    @Test
    void mendedChunksKeepUnknownMembersAndTheTextOfNumbers() {
        Answer answer = stream(event("{\"id\":\"c1\",\"big\":2512292042121000001,\"f\":1.50e+2,\"choices\":[{\"delta\":"
                        + "{\"content\":\"a\"},\"logprobs\":{\"p\":-1.0}}]}")
                + fin("stop")
                + DONE);

        assertThat(answer.wires())
                .element(0)
                .asString()
                .contains("\"big\":2512292042121000001", "\"f\":1.50e+2", "\"p\":-1.0", "\"index\":0");
    }

    @Test
    void aRoleThatStrictClientsRefuseIsMended() {
        Answer answer = stream(delta("{\"role\":\"model\",\"content\":\"a\"}") + fin("stop") + DONE);

        assertThat(answer.wireTrees().get(0).at("/choices/0/delta/role").asText())
                .isEqualTo("assistant");
    }

    @Test
    void azuresFirstChunkWithoutChoicesIsNotTheBeginning() {
        Answer answer = stream(event("{\"id\":\"\",\"model\":\"\",\"choices\":[],\"prompt_filter_results\":[{}]}")
                + c("a")
                + fin("stop")
                + DONE);

        assertThat(answer.events()).first().isEqualTo(new Started("c1", 1, "m1"));
        assertThat(answer.wires()).hasSize(2);
    }

    @Test
    void en01CharactersCutByteByByteAreIntact() {
        String text = "北京🌍é";

        Answer answer = decode(true, 200, Map.of("content-type", EVENT_STREAM), bytes(c(text) + fin("stop") + DONE), 1);

        assertThat(answer.text()).isEqualTo(text);
        assertThat(answer.wireText()).isEqualTo(text);
    }

    @Test
    void en04AStreamWithoutCharsetIsUtf8() {
        assertThat(stream(c("✅ ok") + fin("stop") + DONE).text()).isEqualTo("✅ ok");
        assertThat(Wire.document(whole("{\"role\":\"assistant\",\"content\":\"✅ ok\"}", "\"stop\"", usage(3, 1)))
                        .text())
                .isEqualTo("✅ ok");
    }

    @Test
    void en05BytesThatAreNotUtf8BecomeReplacementCharacters() {
        byte[] body = (c("a") + c("<") + fin("stop") + DONE).getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < body.length; i++) {
            body[i] = body[i] == '<' ? (byte) 0xFF : body[i];
        }

        Answer answer = decode(true, 200, Map.of("content-type", EVENT_STREAM), body, Integer.MAX_VALUE);

        assertThat(answer.text()).isEqualTo("a\uFFFD");
        assertThat(answer.wireText()).isEqualTo("a\uFFFD");
        assertThat(answer.completed()).isTrue();
    }
}
