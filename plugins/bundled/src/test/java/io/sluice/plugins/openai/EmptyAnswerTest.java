package io.sluice.plugins.openai;

import static io.sluice.plugins.openai.Wire.DONE;
import static io.sluice.plugins.openai.Wire.c;
import static io.sluice.plugins.openai.Wire.delta;
import static io.sluice.plugins.openai.Wire.document;
import static io.sluice.plugins.openai.Wire.fin;
import static io.sluice.plugins.openai.Wire.stream;
import static io.sluice.plugins.openai.Wire.usage;
import static io.sluice.plugins.openai.Wire.use;
import static io.sluice.plugins.openai.Wire.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.api.AnswerEvent.ContentDelta;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.money.TokenUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requirement A5 and case RF18: what says nothing is no answer, unless tokens of an answer prove that a model meant it. */
class EmptyAnswerTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"content\":\"\"",
                "\"content\":null",
                "\"content\":\" \\n\\t\\u2003\"",
                "\"content\":[]",
                "\"content\":[{\"type\":\"text\",\"text\":\"\"}]",
                "\"content\":\"\",\"tool_calls\":[]",
                "\"content\":\"\",\"refusal\":\"\",\"reasoning_content\":\"\\n\"",
                "\"content\":\"\",\"audio\":null",
                "\"role\":\"assistant\""
            })
    void whatSaysNothingIsUselessWhereNoTokensOfAnAnswerProveIt(String message) {
        for (String usage : new String[] {usage(9, 0), usage(0, 0), "null", "{\"prompt_tokens\":9}"}) {
            Answer whole = document(whole("{" + message + "}", "\"stop\"", usage));
            Answer stream = stream(delta("{" + message + "}")
                    + fin("stop")
                    + Wire.event("{\"id\":\"c1\",\"choices\":[],\"usage\":" + usage + "}")
                    + DONE);

            for (Answer answer : new Answer[] {whole, stream}) {
                assertThat(answer.failed().failure()).as(usage).isEqualTo(FailureClass.SEMANTIC);
            }
            assertThat(whole.wireTrees()).isEmpty();
        }
    }

    /** It is not free because it is of no use. */
    @Test
    void whatAnEmptyAnswerUsedIsReported() {
        TokenUsage prompt = new TokenUsage(9, 0, 0, 0, 0, false);

        assertThat(document(whole("{\"content\":\"\"}", "\"stop\"", usage(9, 0)))
                        .usage())
                .contains(prompt);
        assertThat(stream(c("") + fin("stop") + use(9, 0) + DONE).usage()).contains(prompt);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"content\":null,\"refusal\":\"no\"",
                "\"content\":\"\",\"reasoning_content\":\"hm\"",
                "\"content\":\"\",\"reasoning\":\"hm\"",
                "\"content\":null,\"audio\":{\"id\":\"a\",\"data\":\"AA==\"}",
                "\"content\":\"\",\"images\":[{\"type\":\"image_url\"}]",
                "\"content\":\" x \"",
                "\"content\":null,\"tool_calls\":[{\"index\":0,\"id\":\"t\",\"type\":\"function\","
                        + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]"
            })
    void whatSaysAnythingElseThanTextIsNotEmpty(String message) {
        for (String usage : new String[] {usage(9, 0), "null"}) {
            Answer whole = document(whole("{\"role\":\"assistant\"," + message + "}", "\"stop\"", usage));
            Answer stream = stream(delta("{\"role\":\"assistant\"," + message + "}")
                    + fin("stop")
                    + Wire.event("{\"id\":\"c1\",\"choices\":[],\"usage\":" + usage + "}")
                    + DONE);

            assertThat(whole.completed()).isTrue();
            assertThat(stream.completed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1,2]", "[null]", "[[\"a\"]]", "{\"a\":1}", "5", "true"})
    void contentThatIsNoTextIsNotTakenForAnEmptyOne(String content) {
        String message = "{\"role\":\"assistant\",\"content\":" + content + "}";
        Answer whole = document(whole(message, "\"stop\"", usage(9, 5)));
        Answer stream = stream(delta(message) + fin("stop") + use(9, 5) + DONE);

        assertThat(whole.failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        assertThat(stream.failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"message\":null", ",\"message\":\"hi\"", ",\"message\":[]"})
    void aChoiceWithoutMessageIsNoAnswerUnlessAFilterTookIt(String member) {
        String answer = "{\"id\":\"c1\",\"choices\":[{\"index\":0,\"finish_reason\":\"%s\"" + member + "}],\"usage\":"
                + usage(9, 5) + "}";

        assertThat(document(answer.formatted("stop")).failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        assertThat(document(answer.formatted("content_filter")).completed()).isTrue();
    }

    /** Nothing of it is sent before it is known whether more comes. */
    @Test
    void leadingBlanksOfAStreamBearNoContentYet() {
        assertThat(new ContentDelta(0, "\n\n").bearsContent()).isFalse();
        assertThat(stream(c("\n\n") + c("a") + c("\n") + fin("stop") + DONE).text())
                .isEqualTo("\n\na\n");
    }

    @Test
    void blanksWithTokensOfAnAnswerAreOne() {
        assertThat(document(whole("{\"role\":\"assistant\",\"content\":\"\\n\"}", "\"stop\"", usage(9, 1)))
                        .completed())
                .isTrue();
        assertThat(stream(c("\n") + fin("stop") + use(9, 1) + DONE).completed()).isTrue();
    }
}
