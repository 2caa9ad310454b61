package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.chunk;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.tc;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.cases.Rig.Call;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.Sse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows TC01 to TC19 as far as one OpenAI-compatible provider can show them: what tool calls get wrong. */
class ToolCallCasesIT {
    private static final String TOOLS = "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":"
            + "{\"type\":\"object\",\"properties\":{}}}}]";

    private static Rig rig;

    @BeforeAll
    static void start() {
        rig = new Rig();
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    private static Answer ask() {
        Answer answer = rig.client().chat(Client.streamed(TOOLS));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("x-sluice-step")).isEqualTo("rung1");
        return answer;
    }

    private static void assertCalls(Answer answer, Call... expected) {
        assertThat(Rig.calls(answer.chunks())).containsExactly(expected);
        assertThat(answer.finishReason()).isEqualTo("tool_calls");
        assertThat(answer.done()).isTrue();
        assertThat(answer.text()).isEmpty();
        assertThat(rig.decision(answer).outcome()).isEqualTo("ok");
    }

    @Test
    void tc01ACallWithoutIndexGetsOne() {
        rig.streams(tc(null, "call_1", "f", "{\"a\":1}"), fin("tool_calls"), DONE);

        assertCalls(ask(), new Call(0, "call_1", "f", "{\"a\":1}"));
    }

    @Test
    void tc01ACallWithANullIndexGetsOne() {
        rig.streams(
                tc(0, "call_1", "f", "{\"a\":1}")
                        .replace("\"tool_calls\":[{\"index\":0", "\"tool_calls\":[{\"index\":null"),
                fin("tool_calls"),
                DONE);

        assertCalls(ask(), new Call(0, "call_1", "f", "{\"a\":1}"));
    }

    @Test
    void tc02TwoCallsWithoutIndexesAreTwo() {
        rig.streams(
                tc(null, "call_a", "f", "{\"x\":1}"), tc(null, "call_b", "g", "{\"y\":2}"), fin("tool_calls"), DONE);

        assertCalls(ask(), new Call(0, "call_a", "f", "{\"x\":1}"), new Call(1, "call_b", "g", "{\"y\":2}"));
    }

    @Test
    void tc03TwoCallsOfOneIndexAreTwo() {
        rig.streams(
                tc(0, "call_a", "read", "{\"p\":\"a\"}"),
                tc(0, "call_b", "read", "{\"p\":\"b\"}"),
                fin("tool_calls"),
                DONE);

        assertCalls(
                ask(), new Call(0, "call_a", "read", "{\"p\":\"a\"}"), new Call(1, "call_b", "read", "{\"p\":\"b\"}"));
    }

    @Test
    void tc04ACallWithoutIdGetsOneThatIsAcceptedBack() {
        rig.streams(tc(0, null, "f", "{\"a\":"), tc(0, null, null, "1}"), fin("tool_calls"), DONE);

        Answer answer = ask();

        List<Call> calls = Rig.calls(answer.chunks());
        assertThat(calls).hasSize(1);
        assertThat(calls.get(0).id()).isNotBlank();
        assertThat(calls.get(0).arguments()).isEqualTo("{\"a\":1}");
        rig.answers(200, Sse.whole("done", 9, 1));
        Answer next = rig.client()
                .chat(
                        "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\","
                                + "\"content\":null,\"tool_calls\":[{\"id\":\""
                                + calls.get(0).id()
                                + "\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}}]},"
                                + "{\"role\":\"tool\",\"tool_call_id\":\""
                                + calls.get(0).id() + "\",\"content\":\"ok\"}]}");
        assertThat(next.status()).as(next.body()).isEqualTo(200);
        assertThat(rig.sent().at("/messages/2/tool_call_id").asText())
                .isEqualTo(calls.get(0).id());
    }

    @Test
    void tc04TwoAnswersNeverShareAMadeUpId() {
        rig.streams(tc(0, null, "f", "{}"), fin("tool_calls"), DONE);

        String one = Rig.calls(ask().chunks()).get(0).id();
        String other = Rig.calls(ask().chunks()).get(0).id();

        assertThat(one).isNotEqualTo(other);
    }

    @Test
    void tc05AnEmptyIdContinuesItsCall() {
        rig.streams(tc(0, "call_1", "f", ""), tc(0, "", "", "{\"q\":"), tc(0, "", "", "1}"), fin("tool_calls"), DONE);

        assertCalls(ask(), new Call(0, "call_1", "f", "{\"q\":1}"));
    }

    @Test
    void tc06NullArgumentsAreNotTheTextNull() {
        rig.streams(
                chunk("{\"tool_calls\":[{\"index\":0,\"id\":\"call_x\",\"type\":\"function\"}]}", "null"),
                chunk("{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\",\"arguments\":null}}]}", "null"),
                chunk("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{}\"}}]}", "null"),
                fin("tool_calls"),
                DONE);

        assertCalls(ask(), new Call(0, "call_x", "f", "{}"));
    }

    @Test
    void tc08TheTailOfASecondCallUnderAnotherIndexIsNotJoinedToTheFirst() {
        rig.streams(
                tc(0, "a", "f", "{\"x\":1}"),
                tc(0, "b", "g", ""),
                tc(1, null, null, "{\"y\":2}"),
                fin("tool_calls"),
                DONE);

        assertCalls(ask(), new Call(0, "a", "f", "{\"x\":1}"), new Call(1, "b", "g", "{\"y\":2}"));
    }

    @Test
    void tc09InterleavedPiecesFindTheirCalls() {
        rig.streams(
                tc(0, "a", "f", "{\"x\":"),
                tc(1, "b", "g", "{\"y\":"),
                tc(0, null, null, "1}"),
                tc(1, null, null, "2}"),
                fin("tool_calls"),
                DONE);

        assertCalls(ask(), new Call(0, "a", "f", "{\"x\":1}"), new Call(1, "b", "g", "{\"y\":2}"));
    }

    /** Arguments as an object, as Ollama has them, in an otherwise OpenAI-like answer. */
    @Test
    void tc10ArgumentsThatAreAnObjectBecomeOneString() {
        rig.answers(
                200,
                "{\"id\":\"c1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m1\",\"choices\":[{\"index\":0,"
                        + "\"message\":{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"k\",\"type\":"
                        + "\"function\",\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]},\"finish_reason\":"
                        + "\"tool_calls\"}],\"usage\":" + Sse.usage(3, 1) + "}");

        Answer answer = rig.client().chat(Client.request(TOOLS));

        JsonNode arguments = answer.json().at("/choices/0/message/tool_calls/0/function/arguments");
        assertThat(arguments.isTextual()).isTrue();
        assertThat(arguments.asText()).isEqualTo("{\"a\":1}");
    }

    @ParameterizedTest
    @CsvSource({
        "stop, tool_calls",
        "end_turn, tool_calls",
        "tool_use, tool_calls",
        "length, length",
        "max_tokens, length"
    })
    void tc11OnlyOpenAiWordsReachTheClient(String sent, String seen) {
        rig.streams(tc(0, "k1", "f", "{\"a\":1}"), fin(sent), DONE);

        Answer answer = ask();

        assertThat(answer.finishReason()).isEqualTo(seen);
        assertThat(Rig.calls(answer.chunks())).containsExactly(new Call(0, "k1", "f", "{\"a\":1}"));
        assertThat(answer.done()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "stop, tool_calls",
        "end_turn, tool_calls",
        "tool_use, tool_calls",
        "length, length",
        "max_tokens, length"
    })
    void tc11OnlyOpenAiWordsReachTheClientOfAWholeAnswer(String sent, String seen) {
        rig.answers(
                200,
                "{\"id\":\"c1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m1\",\"choices\":[{\"index\":0,"
                        + "\"message\":{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"k\",\"type\":"
                        + "\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},\"finish_reason\":\""
                        + sent + "\"}],\"usage\":" + Sse.usage(3, 1) + "}");

        Answer answer = rig.client().chat(Client.request(TOOLS));

        assertThat(answer.json().at("/choices/0/finish_reason").asText()).isEqualTo(seen);
        assertThat(answer.json().at("/choices/0/message/tool_calls")).hasSize(1);
    }

    @Test
    void tc12NullContentBesideToolCallsKeepsTheWholeConversation() {
        String messages = "[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":null,"
                + "\"tool_calls\":[{\"id\":\"k1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
                + "{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":\"ok\"}]";
        rig.answers(200, Sse.whole("done", 3, 1));

        Answer answer = rig.client().chat("{\"model\":\"auto\",\"messages\":" + messages + "}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(rig.sent().get("messages")).isEqualTo(Rig.json(messages));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"content\":\"\",\"tool_calls\":null", "\"content\":\"\"", "\"content\":\"\",\"tool_calls\":[]"
            })
    void tc14EmptyAssistantMessagesAreNotTheGatewaysToRefuse(String members) {
        rig.answers(200, Sse.whole("done", 3, 1));

        Answer answer = rig.client()
                .chat(
                        "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\","
                                + members + "},{\"role\":\"user\",\"content\":\"go on\"}]}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(rig.sent().get("messages")).hasSize(3);
    }

    @Test
    void tc18ArgumentsCutByTheTokenLimitStayAsTheyAre() {
        String raw = "{\"commands\":[\"npm install\",\"npm test\"";
        rig.streams(tc(0, "k1", "run", raw), fin("length"), DONE);

        Answer answer = ask();

        assertThat(answer.finishReason()).isEqualTo("length");
        assertThat(Rig.calls(answer.chunks())).containsExactly(new Call(0, "k1", "run", raw));
    }

    @Test
    void tc19CutArgumentsNeverPassForACompleteCall() {
        String raw = "{\"path\":\"a\",\"text\":\"hel";
        rig.streams(tc(0, "k1", "write", raw), fin("tool_calls"), DONE);

        Answer answer = ask();

        assertThat(answer.finishReason()).isEqualTo("length");
        assertThat(Rig.calls(answer.chunks())).containsExactly(new Call(0, "k1", "write", raw));
    }

    /** The same for an answer that the gateway itself puts together: the caller wants it whole, the provider streams. */
    @Test
    void aStreamOfCallsInsteadOfADocumentBecomesOneMessage() {
        rig.plays((request, wire) -> wire.stream()
                .chunk(tc(0, "a", "f", "{\"x\":")
                        + tc(1, "b", "g", "{}")
                        + tc(0, null, null, "1}")
                        + fin("tool_calls")
                        + DONE)
                .end());

        JsonNode message = rig.client().chat(Client.request(TOOLS)).json().at("/choices/0/message");

        assertThat(message.get("content").isNull()).isTrue();
        assertThat(message.at("/tool_calls/0/id").asText()).isEqualTo("a");
        assertThat(message.at("/tool_calls/0/function/arguments").asText()).isEqualTo("{\"x\":1}");
        assertThat(message.at("/tool_calls/1/function/name").asText()).isEqualTo("g");
    }
}
