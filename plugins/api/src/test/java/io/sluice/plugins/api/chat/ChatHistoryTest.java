package io.sluice.plugins.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.context.ContextCut;
import io.sluice.tenants.context.ContextDecider;
import io.sluice.tenants.context.ContextInput;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChatHistoryTest {
    private static final String SYSTEM = "{\"role\":\"system\",\"content\":\"Be brief.\"}";
    private static final String CALL =
            "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"k1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}";

    private static String user(String text) {
        return "{\"role\":\"user\",\"content\":\"" + text + "\"}";
    }

    private static String assistant(String text) {
        return "{\"role\":\"assistant\",\"content\":\"" + text + "\"}";
    }

    private static String result(String id) {
        return "{\"role\":\"tool\",\"tool_call_id\":\"" + id + "\",\"content\":\"42\"}";
    }

    private static ChatRequest request(String... messages) {
        return Bodies.parsed(Bodies.messages("[" + String.join(",", messages) + "]"));
    }

    private static String lastTurns(int turnsMax, boolean leadingPairs, String... messages) {
        ChatHistory history = ChatHistory.of(request(messages), leadingPairs);
        ContextCut cut = ContextDecider.decide(history.input(turnsMax, 0));
        return new String(history.without(cut), StandardCharsets.UTF_8);
    }

    private static String messages(String... messages) {
        return Bodies.messages("[" + String.join(",", messages) + "]");
    }

    @Test
    void theOldestTurnsAreLeftOut() {
        assertThat(lastTurns(1, false, SYSTEM, user("a"), assistant("b"), user("c"), assistant("d"), user("e")))
                .isEqualTo(messages(SYSTEM, user("e")));
    }

    @Test
    void theRestKeepsEveryByte() {
        String sent = "{ \"x\" : 1.50,\n \"messages\" : [ " + SYSTEM + " ,\n" + user("a") + " , " + assistant("b")
                + "  ,  {\"y\":1e0,\"role\":\"user\",\"content\":\"\\u0041\"} ] , \"model\":\"m1\" } ";
        ChatHistory history = ChatHistory.of(Bodies.parsed(sent), false);

        assertThat(new String(history.without(new ContextCut(true, 1, 1)), StandardCharsets.UTF_8))
                .isEqualTo("{ \"x\" : 1.50,\n \"messages\" : [ " + SYSTEM
                        + " ,\n{\"y\":1e0,\"role\":\"user\",\"content\":\"\\u0041\"} ] , \"model\":\"m1\" } ");
    }

    @Test
    void instructionsStayWhereverTheyStand() {
        String later = "{\"role\":\"developer\",\"content\":\"Now in French.\"}";

        assertThat(lastTurns(1, false, SYSTEM, user("a"), later, assistant("b"), user("c")))
                .isEqualTo(messages(SYSTEM, later, user("c")));
    }

    @Test
    void markedExamplesStay() {
        String question = "{\"role\":\"user\",\"name\":\"example_user\",\"content\":\"2+2\"}";
        String answer = "{\"role\":\"assistant\",\"name\":\"example_assistant\",\"content\":\"4\"}";

        assertThat(lastTurns(1, false, SYSTEM, question, answer, user("a"), assistant("b"), user("c")))
                .isEqualTo(messages(SYSTEM, question, answer, user("c")));
    }

    @Test
    void leadingPairsStayWhereTheyAreExamples() {
        String[] talk = {SYSTEM, user("a"), assistant("b"), user("c")};

        assertThat(lastTurns(1, true, talk)).isEqualTo(messages(talk));
        assertThat(lastTurns(1, false, talk)).isEqualTo(messages(SYSTEM, user("c")));
    }

    @Test
    void userMessagesInARowAreOneTurn() {
        assertThat(lastTurns(1, false, user("a"), assistant("b"), user("a document"), user("a question")))
                .isEqualTo(messages(user("a document"), user("a question")));
    }

    @Test
    void aGreetingGoesWithTheFirstTurn() {
        assertThat(lastTurns(1, false, SYSTEM, assistant("Hello!"), user("a"), assistant("b"), user("c")))
                .isEqualTo(messages(SYSTEM, user("c")));
    }

    @Test
    void aCallAndItsResultGoTogether() {
        assertThat(lastTurns(1, false, user("a"), CALL, result("k1"), assistant("b"), user("c")))
                .isEqualTo(messages(user("c")));
    }

    @Test
    void theResultsOfTheNewestTurnKeepTheirCall() {
        assertThat(lastTurns(1, false, user("a"), assistant("b"), user("c"), CALL, result("k1")))
                .isEqualTo(messages(user("c"), CALL, result("k1")));
    }

    @Test
    void aResultBehindAnotherQuestionKeepsItsCall() {
        assertThat(lastTurns(1, false, user("a"), assistant("b"), user("c"), CALL, user("hurry"), result("k1")))
                .isEqualTo(messages(user("c"), CALL, user("hurry"), result("k1")));
    }

    @Test
    void aTurnWithAnOpenCallStays() {
        String[] talk = {user("a"), assistant("b"), user("c"), CALL, user("d"), assistant("e"), user("f")};

        assertThat(lastTurns(1, false, talk)).isEqualTo(messages(user("c"), CALL, user("f")));
    }

    @Test
    void anIdThatIsUsedAgainBelongsToItsNearestCall() {
        assertThat(lastTurns(1, false, user("a"), CALL, result("k1"), user("b"), CALL, result("k1")))
                .isEqualTo(messages(user("b"), CALL, result("k1")));
    }

    @Test
    void functionsAreCallsWithoutAnId() {
        String call =
                "{\"role\":\"assistant\",\"content\":null,\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"}}";
        String answer = "{\"role\":\"function\",\"name\":\"f\",\"content\":\"1\"}";

        assertThat(lastTurns(1, false, user("a"), call, answer, user("b"), call, user("c"), answer))
                .isEqualTo(messages(user("b"), call, user("c"), answer));
        assertThat(lastTurns(1, false, user("a"), call, user("b"), assistant("c"), user("d")))
                .isEqualTo(messages(user("a"), call, user("d")));
    }

    @Test
    void aConversationWithoutAUserHasOneTurn() {
        assertThat(lastTurns(1, false, SYSTEM, assistant("a"), assistant("b")))
                .isEqualTo(messages(SYSTEM, assistant("a"), assistant("b")));
    }

    @Test
    void anImageWeighsWhatItsEstimateSays() {
        String image = "{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://x/"
                + "y".repeat(10_000) + "\"}},{\"type\":\"image_url\",\"image_url\":\"https://x/z\"}]}";
        ContextInput input =
                ChatHistory.of(request(image, assistant("b"), user("c")), false).input(0, 2_000);

        assertThat(input.bytesMax()).isEqualTo(7_999);
        assertThat(input.turns().get(0)).isBetween(8_000L, 8_300L);
        assertThat(ContextDecider.decide(input)).isEqualTo(new ContextCut(true, 1, 1));
    }

    @Test
    void sizesAddUp() {
        ContextInput input = ChatHistory.of(request(SYSTEM, user("a"), assistant("b"), user("c")), false)
                .input(3, 0);

        int first = (user("a") + "," + assistant("b") + ",").length();
        assertThat(input)
                .isEqualTo(new ContextInput(
                        3,
                        0,
                        ("[" + SYSTEM + ",").length() + first + user("c").length() + 1,
                        List.of((long) first, (long) user("c").length())));
    }
}
