package io.sluice.plugins.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.routing.RungEdit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a rung gives up, byte by byte. */
class ChatEditTest {
    private static final String USER = "{\"role\":\"user\",\"content\":\"now\"}";
    private static final String SYSTEM = "{\"role\":\"system\",\"content\":\"be kind\",\"x\":1.50}";
    private static final String TWO_EXAMPLES = example(1) + ", " + example(2);

    private static String example(int n) {
        return "{\"role\":\"system\",\"name\":\"example_user\",\"content\":\"q" + n + "\"},"
                + "{\"role\":\"system\",\"name\":\"example_assistant\",\"content\":\"a" + n + "\"}";
    }

    private static String body(String messages, String... more) {
        return "{\"model\":\"auto\" , \"messages\":[" + messages + "]" + String.join("", more) + "} ";
    }

    private static ChatEdit.Edited edited(String body, RungEdit edit) {
        return ChatEdit.apply(Bodies.parsed(body), edit, 1_000);
    }

    private static String text(ChatEdit.Edited edited) {
        return edited.request().body().toString();
    }

    private static RungEdit shorter(double factor) {
        return new RungEdit(factor, -1, false, null, null, false);
    }

    private static RungEdit examples(int max, boolean leadingPairs) {
        return new RungEdit(1, max, leadingPairs, null, null, false);
    }

    private static RungEdit prompt(boolean instead) {
        return new RungEdit(1, -1, false, "brief", "Say \"yes\".", instead);
    }

    @Test
    void aRungWithoutChangesPassesTheVeryRequest() {
        ChatRequest request = Bodies.parsed(body(USER));
        assertThat(ChatEdit.apply(request, RungEdit.NONE, 1_000).request()).isSameAs(request);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|gpt-4o|,\"max_tokens\":1000",
                "|llama-3|,\"max_tokens\":1000",
                "|gpt-5-mini|,\"max_completion_tokens\":1000",
                "|openai/gpt-6.1-sol|,\"max_completion_tokens\":1000",
                "|o4-mini|,\"max_completion_tokens\":1000",
                ",\"max_tokens\":null|gpt-5|,\"max_tokens\":1000",
                ",\"max_tokens\":1001|gpt-4o|,\"max_tokens\":1000",
                ",\"max_completion_tokens\":90000|gpt-4o|,\"max_completion_tokens\":1000"
            })
    void aLimitIsSetWhereThereIsNoneAndLoweredWhereItIsBeyondTheModels(String asked, String model, String left) {
        ChatRequest limited = ChatEdit.limited(Bodies.parsed(body(USER, asked == null ? "" : asked)), 1_000, model);

        assertThat(limited.body().toString()).isEqualTo(body(USER, left));
        assertThat(limited.facts()).isEqualTo(withoutEstimate(Bodies.parsed(body(USER, left)), limited));
    }

    private static ChatFacts withoutEstimate(ChatRequest again, ChatRequest limited) {
        ChatFacts facts = again.facts();
        return new ChatFacts(
                facts.model(),
                facts.streamed(),
                facts.includeUsage(),
                facts.maxTokens(),
                facts.choices(),
                limited.facts().promptTokens(),
                facts.messages(),
                facts.tools(),
                facts.images(),
                facts.serverToolCalls(),
                facts.jsonSchema(),
                facts.structured(),
                facts.endUser(),
                limited.facts().promptBytesMax(),
                facts.continuesTools());
    }

    @Test
    void aLimitOfTheCallersThatTheModelKnowsStands() {
        ChatRequest request = Bodies.parsed(body(USER, ",\"max_tokens\":1000"));
        assertThat(ChatEdit.limited(request, 1_000, "gpt-5")).isSameAs(request);
    }

    @ParameterizedTest
    @CsvSource({"'',1000", "',\"max_tokens\":5',5", "',\"max_tokens\":5000',1000", "',\"n\":3',3000"})
    void theLongestAnswerIsKnownBeforeTheLimitIsSet(String asked, long tokens) {
        assertThat(ChatEdit.outputTokensMax(Bodies.parsed(body(USER, asked)).facts(), 1_000))
                .isEqualTo(tokens);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ",\"max_tokens\":200|0.5|,\"max_tokens\":100",
                ",\"max_tokens\":201|0.5|,\"max_tokens\":100",
                ",\"max_completion_tokens\": 200 |0.25|,\"max_completion_tokens\": 50",
                ",\"max_tokens\":1|0.1|,\"max_tokens\":1",
                ",\"max_tokens\":null|0.5|,\"max_tokens\":500",
                ",\"max_tokens\":null,\"max_completion_tokens\":9|0.5|,\"max_tokens\":null,\"max_completion_tokens\":4",
                ",\"max_tokens\":90000|0.5|,\"max_tokens\":500",
                ",\"seed\":7|0.5|,\"seed\":7,\"max_tokens\":500",
            })
    void theAnswersLimitIsMultiplied(String sent, double factor, String expected) {
        assertThat(text(edited(body(USER, sent), shorter(factor))).strip())
                .isEqualTo(body(USER, expected).strip());
    }

    @Test
    void theEditedRequestKnowsItsNewLimit() {
        ChatRequest shorter =
                edited(body(USER, ",\"max_tokens\":200"), shorter(0.5)).request();
        assertThat(shorter.facts().maxTokens()).isEqualTo(100);
    }

    @Test
    void anAppendedLimitIsAMemberLikeAnyOther() {
        ChatRequest shorter = edited(body(USER), shorter(0.5)).request();
        assertThat(shorter.edit().set("max_tokens", "9").toBuffer().toString())
                .isEqualTo(body(USER, ",\"max_tokens\":9"));
    }

    @Test
    void theFirstExamplesAreKept() {
        ChatEdit.Edited edited = edited(body(SYSTEM + "," + TWO_EXAMPLES + "," + USER), examples(1, false));
        assertThat(text(edited)).isEqualTo(body(SYSTEM + "," + example(1) + ", " + USER));
        assertThat(edited.givenUp()).containsExactly("fewer-examples");
        assertThat(edited.request().facts().messages()).isEqualTo(4);
    }

    @Test
    void noExampleIsKeptWhereNoneMayBe() {
        assertThat(text(edited(body(TWO_EXAMPLES + "," + USER), examples(0, false))))
                .isEqualTo(body(USER));
    }

    @Test
    void fewExamplesLoseNothing() {
        ChatEdit.Edited edited = edited(body(TWO_EXAMPLES + "," + USER), examples(2, false));
        assertThat(text(edited)).isEqualTo(body(TWO_EXAMPLES + "," + USER));
        assertThat(edited.givenUp()).isEmpty();
    }

    @Test
    void aConversationIsNoExampleUnlessTheScenarioSaysSo() {
        String talk = USER + ",{\"role\":\"assistant\",\"content\":\"yes\"}," + USER;
        assertThat(text(edited(body(talk), examples(0, false)))).isEqualTo(body(talk));
        assertThat(text(edited(body(talk), examples(0, true)))).isEqualTo(body(USER));
    }

    @Test
    void toolCallsAreNeverTouched() {
        String talk = USER + ",{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\","
                + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
                + "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"1\"}," + USER;
        assertThat(text(edited(body(talk), examples(0, true)))).isEqualTo(body(talk));
    }

    @Test
    void theLastQuestionIsNoExampleEvenWhereAnAnswerFollows() {
        String talk = USER + ",{\"role\":\"assistant\",\"content\":\"as I\"}";
        assertThat(text(edited(body(talk), examples(0, true)))).isEqualTo(body(talk));
    }

    @Test
    void aPromptStandsBeforeTheCallersOwn() {
        ChatEdit.Edited edited = edited(body(SYSTEM + "," + USER), prompt(false));
        assertThat(text(edited))
                .isEqualTo(body("{\"role\":\"system\",\"content\":\"Say \\\"yes\\\".\"}," + SYSTEM + "," + USER));
        assertThat(edited.givenUp()).containsExactly("brief-prompt");
    }

    @Test
    void aPromptTakesThePlaceOfTheCallersFirst() {
        assertThat(text(edited(body(SYSTEM + "," + USER), prompt(true))))
                .isEqualTo(body(SYSTEM.replace("\"be kind\"", "\"Say \\\"yes\\\".\"") + "," + USER));
    }

    @Test
    void aPromptLeadsWhereTheCallerHasNone() {
        assertThat(text(edited(body(USER), prompt(true))))
                .isEqualTo(body("{\"role\":\"system\",\"content\":\"Say \\\"yes\\\".\"}," + USER));
    }

    @Test
    void allAtOnceIsToldAtOnce() {
        RungEdit all = new RungEdit(0.5, 0, false, "brief", "Hi", true);
        assertThat(edited(body(SYSTEM + "," + example(1) + "," + USER), all).givenUp())
                .isEqualTo(List.of("shorter-answer", "brief-prompt", "fewer-examples"));
    }

    @Test
    void theQuestionIsTheLastUsersText() {
        String parts = "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"wo\\u00e4\"},"
                + "{\"type\":\"text\",\"text\":\"b\"}]}";
        String answer = "{\"role\":\"assistant\",\"content\":\"c\"}";
        assertThat(Bodies.parsed(body(USER + "," + parts + "," + answer)).question())
                .isEqualTo("woä\nb\n");
    }

    @Test
    void aDocumentIsNoQuestion() {
        String longText = "x".repeat(ChatRequest.QUESTION_BYTES_MAX);
        assertThat(Bodies.parsed(body(USER.replace("now", longText))).question())
                .isEmpty();
    }
}
