package io.sluice.plugins.openai;

import static io.sluice.plugins.openai.Wire.DONE;
import static io.sluice.plugins.openai.Wire.delta;
import static io.sluice.plugins.openai.Wire.document;
import static io.sluice.plugins.openai.Wire.fin;
import static io.sluice.plugins.openai.Wire.stream;
import static io.sluice.plugins.openai.Wire.tc;
import static io.sluice.plugins.openai.Wire.usage;
import static io.sluice.plugins.openai.Wire.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.api.AnswerEvent.ToolCallDelta;
import io.sluice.plugins.openai.Answer.Call;
import io.sluice.tenants.failure.FailureClass;
import org.junit.jupiter.api.Test;

/** Rows TC of the cases and row 80 of the bad-input catalogue, as the gateway and as a client of the relayed stream see them. */
class OpenAiToolCallsTest {
    private static final String END = fin("tool_calls") + DONE;

    private static void assertCalls(Answer answer, Call... calls) {
        assertThat(answer.calls()).containsExactly(calls);
        assertThat(answer.wireCalls()).containsExactly(calls);
        assertThat(answer.finishes()).containsExactly("tool_calls");
        assertThat(answer.wireFinishes()).containsExactly("tool_calls");
        assertThat(answer.completed()).isTrue();
    }

    @Test
    void tc01ACallWithoutIndexGetsIndexZero() {
        assertCalls(stream(tc(null, "call_1", "f", "{\"a\":1}") + END), new Call("call_1", "f", "{\"a\":1}"));
        assertCalls(
                stream(tc(0, "call_1", "f", "{\"a\":1}").replace("\"index\":0,\"id\"", "\"index\":null,\"id\"") + END),
                new Call("call_1", "f", "{\"a\":1}"));
    }

    @Test
    void tc02TwoCallsWithoutIndexStayApart() {
        assertCalls(
                stream(tc(null, "call_a", "f", "{\"x\":1}") + tc(null, "call_b", "g", "{\"y\":2}") + END),
                new Call("call_a", "f", "{\"x\":1}"),
                new Call("call_b", "g", "{\"y\":2}"));
    }

    @Test
    void tc03TwoCallsOfOneIndexStayApart() {
        assertCalls(
                stream(tc(0, "call_a", "read", "{\"p\":\"a\"}") + tc(0, "call_b", "read", "{\"p\":\"b\"}") + END),
                new Call("call_a", "read", "{\"p\":\"a\"}"),
                new Call("call_b", "read", "{\"p\":\"b\"}"));
    }

    @Test
    void tc03TwoCallsOfOneIndexAndNameWithoutIdsStayApart() {
        Answer answer = stream(tc(0, null, "f", "{\"x\":1}") + tc(0, null, "f", "{\"y\":2}") + END);

        assertThat(answer.calls()).extracting(Call::arguments).containsExactly("{\"x\":1}", "{\"y\":2}");
    }

    @Test
    void tc04ACallWithoutIdGetsOneStableId() {
        Answer answer = stream(tc(0, null, "f", "{\"a\":") + tc(0, null, null, "1}") + END);

        String id = answer.calls().get(0).id();
        assertThat(id).startsWith("call_").hasSizeGreaterThan(20);
        assertCalls(answer, new Call(id, "f", "{\"a\":1}"));
        assertThat(stream(tc(0, null, "f", "{}") + END).calls().get(0).id()).isNotEqualTo(id);
    }

    @Test
    void tc05EmptyIdsAndNamesContinueTheCall() {
        assertCalls(
                stream(tc(0, "call_1", "f", "") + tc(0, "", "", "{\"q\":") + tc(0, "", "", "1}") + END),
                new Call("call_1", "f", "{\"q\":1}"));
    }

    @Test
    void tc06NameAndArgumentsMayComeLater() {
        assertCalls(
                stream(delta("{\"tool_calls\":[{\"index\":0,\"id\":\"call_x\",\"type\":\"function\"}]}")
                        + delta("{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"f\",\"arguments\":null}}]}")
                        + tc(0, null, null, "{}")
                        + END),
                new Call("call_x", "f", "{}"));
    }

    @Test
    void tc08ATailWithAnotherIndexFindsItsCall() {
        assertCalls(
                stream(tc(0, "a", "f", "{\"x\":1}") + tc(0, "b", "g", "") + tc(1, null, null, "{\"y\":2}") + END),
                new Call("a", "f", "{\"x\":1}"),
                new Call("b", "g", "{\"y\":2}"));
    }

    @Test
    void tc08ATailThatBelongsToNoCallIsAnErrorAndNotAGuess() {
        Answer answer = stream(tc(0, "a", "f", "{\"x\":1}") + tc(3, null, null, "{\"y\":2}") + END);

        assertThat(answer.failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        assertThat(answer.calls()).containsExactly(new Call("a", "f", "{\"x\":1}"));
    }

    @Test
    void tc09InterleavedPiecesFindTheirCalls() {
        assertCalls(
                stream(tc(0, "a", "f", "{\"x\":")
                        + tc(1, "b", "g", "{\"y\":")
                        + tc(0, null, null, "1}")
                        + tc(1, null, null, "2}")
                        + END),
                new Call("a", "f", "{\"x\":1}"),
                new Call("b", "g", "{\"y\":2}"));
    }

    @Test
    void tc09AllPiecesOfOneChunkAreTaken() {
        assertCalls(
                stream(delta(
                                "{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},"
                                        + "{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}]}")
                        + END),
                new Call("a", "f", "{}"),
                new Call("b", "g", "{}"));
    }

    @Test
    void tc10ArgumentsAsAnObjectBecomeAString() {
        assertCalls(
                stream(delta("{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":"
                                + "{\"a\":1.50,\"id\":2512292042121000001}}}]}")
                        + END),
                new Call("a", "f", "{\"a\":1.50,\"id\":2512292042121000001}"));
    }

    @Test
    void tc10InAWholeAnswerToo() {
        Answer answer = document(whole(
                "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}},"
                        + "{\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}",
                "\"stop\"",
                usage(5, 2)));

        assertThat(answer.calls()).extracting(Call::name).containsExactly("f", "f");
        assertThat(answer.calls()).extracting(Call::arguments).containsExactly("{\"a\":1}", "{}");
        assertThat(answer.finishes()).containsExactly("tool_calls");
        assertThat(answer.wireTrees()
                        .get(0)
                        .at("/choices/0/message/tool_calls/0/function/arguments")
                        .textValue())
                .isEqualTo("{\"a\":1}");
        assertThat(answer.wireTrees()
                        .get(0)
                        .at("/choices/0/message/tool_calls/1/function/arguments")
                        .textValue())
                .isEqualTo("{}");
        assertThat(answer.wireTrees()
                        .get(0)
                        .at("/choices/0/message/tool_calls/0/id")
                        .textValue())
                .isEqualTo(answer.calls().get(0).id());
        assertThat(answer.wireTrees().get(0).at("/choices/0/finish_reason").textValue())
                .isEqualTo("tool_calls");
    }

    @Test
    void tc11AStopAfterACallIsToolCallsInWhateverWords() {
        for (String word : new String[] {"stop", "end_turn", "tool_use"}) {
            assertCalls(stream(tc(0, "a", "f", "{}") + fin(word) + DONE), new Call("a", "f", "{}"));
        }
    }

    @Test
    void tc11LengthAfterACallStaysLength() {
        for (String word : new String[] {"length", "max_tokens"}) {
            Answer answer = stream(tc(0, "a", "f", "{}") + fin(word) + DONE);

            assertThat(answer.finishes()).containsExactly("length");
            assertThat(answer.wireFinishes()).containsExactly("length");
        }
    }

    @Test
    void tc11ToolCallsWithoutAnyCallIsAStop() {
        Answer answer = stream(Wire.c("a") + END);

        assertThat(answer.finishes()).containsExactly("stop");
    }

    @Test
    void tc18ArgumentsCutByTheLimitArriveRawWithLength() {
        String raw = "{\"commands\":[\"npm install\",\"npm test\"";

        Answer answer = stream(tc(0, "k1", "run", raw) + fin("length") + DONE);

        assertThat(answer.calls()).containsExactly(new Call("k1", "run", raw));
        assertThat(answer.wireCalls()).containsExactly(new Call("k1", "run", raw));
        assertThat(answer.finishes()).containsExactly("length");
    }

    @Test
    void tc19ArgumentsThatAreNoJsonTurnToolCallsIntoLength() {
        String raw = "{\"path\":\"a\",\"text\":\"hel";

        Answer answer = stream(tc(0, "k1", "write", raw) + END);

        assertThat(answer.wireCalls()).containsExactly(new Call("k1", "write", raw));
        assertThat(answer.finishes()).containsExactly("length");
        assertThat(answer.wireFinishes()).containsExactly("length");
    }

    @Test
    void row80ACallWithoutArgumentsGetsAnEmptyObject() {
        assertCalls(stream(tc(0, "a", "now", "") + END), new Call("a", "now", "{}"));
    }

    @Test
    void row80DuplicateIdsOfTwoIndexesAreMadeDifferent() {
        Answer answer = stream(tc(0, "x", "f", "{}") + tc(1, "x", "g", "{}") + END);

        assertThat(answer.calls()).extracting(Call::name).containsExactly("f", "g");
        assertThat(answer.calls().get(0).id())
                .isNotEqualTo(answer.calls().get(1).id());
        assertThat(answer.wireCalls()).isEqualTo(answer.calls());
    }

    @Test
    void row80MoreCallsThanTheCapAreAFailure() {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i <= ToolCalls.CALLS_MAX; i++) {
            body.append(tc(i, "id" + i, "f", "{}"));
        }

        Answer answer = stream(body + END);

        assertThat(answer.failed().message()).contains("1000 tool calls");
    }

    @Test
    void row80FiveMegabytesOfArgumentsPass() {
        String text = "y".repeat(1_000_000);
        StringBuilder body = new StringBuilder(tc(0, "a", "f", "{\"t\":\""));
        for (int i = 0; i < 5; i++) {
            body.append(tc(0, null, null, text));
        }

        Answer answer = stream(body + tc(0, null, null, "\"}") + END);

        assertThat(answer.calls().get(0).arguments()).hasSize(5_000_008);
        assertThat(answer.finishes()).containsExactly("tool_calls");
    }

    @Test
    void aCallThatNeverGetsANameIsAFailure() {
        Answer answer = stream(tc(0, "a", null, "{}") + END);

        assertThat(answer.failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        assertThat(answer.events(ToolCallDelta.class)).isEmpty();
    }

    @Test
    void repeatedIdsAndNamesAreToldOnce() {
        assertCalls(stream(tc(0, "a", "f", "{\"q\":") + tc(0, "a", "f", "1}") + END), new Call("a", "f", "{\"q\":1}"));
    }

    @Test
    void theDeprecatedSingleCallIsRelayedAndCountsAsContent() {
        Answer answer = stream(
                delta("{\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"}}") + fin("function_call") + DONE);

        assertThat(answer.events(ToolCallDelta.class)).hasSize(1);
        assertThat(answer.wireTrees()
                        .get(0)
                        .at("/choices/0/delta/function_call/name")
                        .textValue())
                .isEqualTo("f");
        assertThat(answer.wireFinishes()).containsExactly("function_call");
    }
}
