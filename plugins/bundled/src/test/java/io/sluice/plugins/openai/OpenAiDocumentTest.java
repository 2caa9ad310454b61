package io.sluice.plugins.openai;

import static io.sluice.plugins.openai.Wire.JSON;
import static io.sluice.plugins.openai.Wire.bytes;
import static io.sluice.plugins.openai.Wire.decode;
import static io.sluice.plugins.openai.Wire.document;
import static io.sluice.plugins.openai.Wire.usage;
import static io.sluice.plugins.openai.Wire.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.api.AnswerEvent.Completed;
import io.sluice.plugins.api.AnswerEvent.ContentDelta;
import io.sluice.plugins.api.AnswerEvent.Finished;
import io.sluice.plugins.api.AnswerEvent.Started;
import io.sluice.plugins.api.AnswerEvent.UsageReported;
import io.sluice.plugins.api.FinishReason;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.money.TokenUsage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whole answers: relayed as they are, mended where a strict client would stumble. */
class OpenAiDocumentTest {
    private static final String HI = "{\"role\":\"assistant\",\"content\":\"hi\"}";

    @Test
    void aWholeAnswerIsOneFrameWithItsOriginalBytes() {
        String body =
                "{ \"id\":\"c1\" ,\"created\":1,\"model\":\"m1\",\"x\":1.50e0,\"choices\":[{\"index\":0,\"message\":"
                        + HI + ",\"finish_reason\":\"stop\"}],\"usage\":" + usage(3, 1) + "}";

        Answer answer = document("\n\n" + body + "\n");

        assertThat(answer.frames()).hasSize(1);
        assertThat(answer.events())
                .containsExactly(
                        new Started("c1", 1, "m1"),
                        new ContentDelta(0, "hi"),
                        new Finished(0, FinishReason.STOP),
                        new UsageReported(new TokenUsage(3, 0, 0, 1, 0, false)),
                        new Completed());
        assertThat(answer.wires()).containsExactly(body);
    }

    @Test
    void sc11DigitsOfAMendedAnswerAreKept() {
        Answer answer =
                document(whole("{\"content\":\"hi\",\"n\":2512292042121000001,\"f\":0.10}", "\"stop\"", usage(3, 1)));

        assertThat(answer.wires().get(0)).contains("2512292042121000001", "\"f\":0.10", "\"role\":\"assistant\"");
    }

    @Test
    void blankLinesInFrontKeepTheConnectionAliveAndAreNoPartOfTheAnswer() {
        Answer answer = decode(
                false,
                200,
                Map.of("content-type", JSON),
                bytes("\n".repeat(50) + whole(HI, "\"stop\"", usage(3, 1))),
                10);

        assertThat(answer.completed()).isTrue();
        assertThat(answer.wires().get(0)).startsWith("{");
    }

    @Test
    void severalChoicesAreToldApart() {
        Answer answer = document("{\"id\":\"c1\",\"choices\":[{\"index\":0,\"message\":" + HI
                + ",\"finish_reason\":\"stop\"},{\"index\":1,\"message\":" + HI + ",\"finish_reason\":\"length\"}]}");

        assertThat(answer.events(Finished.class))
                .containsExactly(new Finished(0, FinishReason.STOP), new Finished(1, FinishReason.LENGTH));
        assertThat(answer.completed()).isTrue();
    }

    @Test
    void contentInPartsBecomesOneText() {
        Answer answer = document(whole(
                "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]}",
                "\"stop\"",
                usage(3, 1)));

        assertThat(answer.text()).isEqualTo("ab");
        assertThat(answer.wireTrees().get(0).at("/choices/0/message/content").textValue())
                .isEqualTo("ab");
    }

    @Test
    void aRefusalIsTextAndThinkingIsNot() {
        Answer answer = document(whole(
                "{\"role\":\"assistant\",\"content\":null,\"refusal\":\"no\",\"reasoning_content\":\"hm\"}",
                "\"stop\"",
                usage(3, 1)));

        assertThat(answer.text()).isEqualTo("no");
        assertThat(answer.reasoning()).isEqualTo("hm");
    }

    @Test
    void anAnswerWithoutFinishReasonIsNotComplete() {
        assertThat(document(whole(HI, "null", usage(3, 1))).failed().failure())
                .isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void aProviderThatRanOutOfResourcesSaysSoInTheFinishReason() {
        assertThat(document(whole(HI, "\"insufficient_system_resource\"", usage(3, 1)))
                        .failed()
                        .failure())
                .isEqualTo(FailureClass.OVERLOADED);
    }

    @Test
    void en05BytesThatAreNotUtf8AreReplaced() {
        byte[] body = whole("{\"role\":\"assistant\",\"content\":\"~\"}", "\"stop\"", usage(3, 1))
                .getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < body.length; i++) {
            body[i] = body[i] == '~' ? (byte) 0xC3 : body[i];
        }

        Answer answer = decode(false, 200, Map.of("content-type", JSON), body, Integer.MAX_VALUE);

        assertThat(answer.text()).isEqualTo("\uFFFD");
        assertThat(answer.wires().get(0)).contains("\uFFFD");
    }
}
