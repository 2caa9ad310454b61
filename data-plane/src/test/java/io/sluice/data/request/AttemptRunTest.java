package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.upstream.CallEnd;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.chat.ChatLimits;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.SnapshotCompiler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an attempt counts for, however it ended. The prompt has 100 tokens; {@code -1} stands for an attempt that is free. */
class AttemptRunTest {
    private static final int PROMPT = 100;
    private static final int OUTPUT_MAX = 70;

    /** Of the model in {@link TestConfig}. */
    private static final int MODEL_OUTPUT_MAX = 16_384;

    private static final ChatRequestParser PARSER = new ChatRequestParser(ChatLimits.DEFAULT);

    private final CompiledRung.Pool rung = rung();

    private static CompiledRung.Pool rung() {
        try (ScriptedUpstream unused = ScriptedUpstream.answering(200, "{}")) {
            return (CompiledRung.Pool) new SnapshotCompiler()
                    .compile(TestConfig.pool(unused))
                    .tenants()
                    .get(TestConfig.T1)
                    .scenarios()
                    .get("chat")
                    .ladder()
                    .get(0);
        }
    }

    private static ChatRequest parsed(String body) {
        return PARSER.parse(body.getBytes(StandardCharsets.UTF_8)).fold(chat -> chat, refused -> {
            throw new AssertionError(refused);
        });
    }

    private static ChatRequest chat(boolean streamed) {
        String limit = "\"max_tokens\":" + OUTPUT_MAX;
        return parsed(streamed ? Client.streamed(limit) : Client.request(limit));
    }

    private AttemptRun run(Fault fault, ChatRequest chat) {
        AttemptRun run = new AttemptRun(
                1,
                null,
                rung,
                rung.pool().targets().get(0),
                null,
                Lane.REALTIME,
                false,
                null,
                false,
                0,
                null,
                fault,
                null);
        run.ask(chat, false);
        return run;
    }

    private static CallEnd end(FailureClass failure, int status, boolean sent, boolean unfinished) {
        return new CallEnd(failure, status, "why", 0, sent, unfinished, -1, 0, 10);
    }

    private static TokenUsage estimated(int output) {
        return output < 0 ? TokenUsage.NONE : new TokenUsage(PROMPT, 0, 0, output, 0, true);
    }

    /** Of a whole answer nothing was seen; of a stream nothing, or four tokens of text. */
    @ParameterizedTest(name = "{0}, status {1}, sent {2}, unfinished {3}")
    @CsvSource({
        // failure, status, sent, unfinished; whole, stream, stream after four tokens
        "           , 200, true , false,  0,  0, 4",
        "NETWORK            ,   0, false, false, -1, -1, 4",
        "NETWORK            ,   0, true , false, -1, -1, 4",
        "NETWORK            , 502, true , false, -1, -1, 4",
        "NETWORK            , 200, true , true , 70,  0, 4",
        "UPSTREAM_INTERNAL  , 500, true , false, -1, -1, 4",
        "UPSTREAM_INTERNAL  , 200, true , false, -1, -1, 4",
        "UPSTREAM_INTERNAL  , 200, true , true , 70,  0, 4",
        "RATE_LIMITED       , 429, true , false, -1, -1, 4",
        "SEMANTIC           , 200, true , false, -1, -1, 4",
        "TIMEOUT_FIRST_TOKEN,   0, false, false, -1, -1, 4",
        "TIMEOUT_FIRST_TOKEN,   0, true , true , 70,  0, 4",
        "TIMEOUT_TOTAL      , 200, true , true , 70,  0, 4",
        "CANCELLED          ,   0, false, false, -1, -1, 4",
        "CANCELLED          ,   0, true , true , 70,  0, 4",
        "CANCELLED          , 200, true , true , 70,  0, 4",
        "CANCELLED          , 500, true , false, -1, -1, 4",
    })
    void countsWhatAProviderMayChargeForAndNothingWhereItRefusedFailedOrDroppedTheCall(
            FailureClass failure,
            int status,
            boolean sent,
            boolean unfinished,
            int whole,
            int streamed,
            int streamedText) {
        CallEnd end = end(failure, status, sent, unfinished);
        AttemptRun text = run(null, chat(true));
        text.note(new AnswerFrame(List.of(new AnswerEvent.ContentDelta(0, "x".repeat(13))), null));

        assertThat(run(null, chat(false)).usage(PROMPT, end)).isEqualTo(estimated(whole));
        assertThat(run(null, chat(true)).usage(PROMPT, end)).isEqualTo(estimated(streamed));
        assertThat(text.usage(PROMPT, end)).isEqualTo(estimated(streamedText));
    }

    @Test
    void anUnfinishedWholeAnswerWithoutALimitCountsAsLongAsTheModelWrites() {
        CallEnd left = end(FailureClass.CANCELLED, 0, true, true);

        assertThat(run(null, parsed(Client.request())).usage(PROMPT, left)).isEqualTo(estimated(MODEL_OUTPUT_MAX));
        assertThat(run(null, parsed(Client.request("\"max_tokens\":10", "\"n\":3")))
                        .usage(PROMPT, left))
                .isEqualTo(estimated(30));
    }

    @Test
    void whatTheProviderReportedCountsHoweverTheCallEnded() {
        AttemptRun run = run(null, chat(false));
        TokenUsage reported = new TokenUsage(26, 0, 0, 5, 0, false);
        run.note(new AnswerFrame(List.of(new AnswerEvent.UsageReported(reported)), null));

        assertThat(run.usage(PROMPT, end(FailureClass.CANCELLED, 200, true, true)))
                .isEqualTo(reported);
        assertThat(run.usage(PROMPT, end(FailureClass.SEMANTIC, 200, true, false)))
                .isEqualTo(reported);
    }

    private static AnswerFrame text(int bytes) {
        return new AnswerFrame(List.of(new AnswerEvent.ContentDelta(0, "x".repeat(bytes))), null);
    }

    private static AnswerFrame told(int output, int textBytes) {
        return new AnswerFrame(
                List.of(
                        new AnswerEvent.ContentDelta(0, "x".repeat(textBytes)),
                        new AnswerEvent.UsageReported(new TokenUsage(26, 0, 0, output, 0, false))),
                null);
    }

    /** Case US14, in the dialect of OpenAI: figures are a running total, and where they stop before the answer does, they are not all. */
    @Test
    void whatFollowsTheProvidersFiguresCountsBesideThem() {
        AttemptRun early = run(null, chat(true));
        early.note(told(1, 4));
        early.note(text(400));
        AttemptRun last = run(null, chat(true));
        last.note(told(1, 4));
        last.note(text(400));
        last.note(told(120, 0));
        AttemptRun each = run(null, chat(true));
        for (int output = 1; output <= 3; output++) {
            each.note(told(output, 4));
        }
        CallEnd end = end(null, 200, true, false);

        assertThat(early.usage(PROMPT, end)).isEqualTo(new TokenUsage(26, 0, 0, 101, 0, true));
        assertThat(early.usage(PROMPT, end(FailureClass.CANCELLED, 200, true, true)))
                .isEqualTo(new TokenUsage(26, 0, 0, 101, 0, true));
        assertThat(last.usage(PROMPT, end)).isEqualTo(new TokenUsage(26, 0, 0, 120, 0, false));
        assertThat(each.usage(PROMPT, end)).isEqualTo(new TokenUsage(26, 0, 0, 3, 0, false));
    }

    @Test
    void figuresThatCanNotBeTrueLeaveThoseBeforeThemAndMakeThemAnEstimate() {
        AttemptRun run = run(null, chat(true));
        run.note(told(10, 40));
        run.note(text(40));
        TokenUsage absurd = new TokenUsage(26, 0, 0, TokenUsage.TOKENS_MAX, 0, false);
        run.note(new AnswerFrame(List.of(new AnswerEvent.UsageReported(absurd)), null));

        assertThat(run.usage(PROMPT, end(null, 200, true, false))).isEqualTo(new TokenUsage(26, 0, 0, 20, 0, true));
    }

    private static AnswerFrame reports(int searches) {
        return new AnswerFrame(
                List.of(new AnswerEvent.UsageReported(new TokenUsage(26, 0, 0, 5, 0, false), null, searches)), null);
    }

    @ParameterizedTest
    @CsvSource({"false, -1, 0", "false, 2, 2", "true, -1, 1", "true, 0, 0", "true, 3, 3"})
    void searchesCountAsReportedElseAsAskedFor(boolean asked, int reported, int counted) {
        AttemptRun run = run(null, asked ? parsed(Client.request("\"web_search_options\":{}")) : chat(false));
        run.note(reports(reported));

        assertThat(run.usage(PROMPT, end(null, 200, true, false)).serverToolCalls())
                .isEqualTo(counted);
    }

    @Test
    void aSearchIsMadeBeforeAnAnswerThatIsCutOffAndNotBeforeOneThatIsRefused() {
        AttemptRun run = run(null, parsed(Client.request("\"web_search_options\":{}")));

        assertThat(run.usage(PROMPT, end(FailureClass.CANCELLED, 0, true, true)).serverToolCalls())
                .isEqualTo(1);
        assertThat(run.usage(PROMPT, end(FailureClass.RATE_LIMITED, 429, true, false)))
                .isEqualTo(TokenUsage.NONE);
    }

    @Test
    void aReportThatIsNotBelievedTellsOfNoSearchesEither() {
        AttemptRun run = run(null, chat(false));
        TokenUsage absurd = new TokenUsage(TokenUsage.TOKENS_MAX, 0, 0, 5, 0, false);
        run.note(new AnswerFrame(List.of(new AnswerEvent.UsageReported(absurd, null, 900)), null));

        assertThat(run.usage(PROMPT, end(null, 200, true, false)).serverToolCalls())
                .isZero();
    }

    @Test
    void aFaultThatStoodInForTheProviderIsFreeAlsoWhenTheCallerLeaves() {
        CallEnd left = end(FailureClass.CANCELLED, 0, true, true);

        assertThat(run(Fault.of(FaultKind.HANG), chat(false)).usage(PROMPT, left))
                .isEqualTo(TokenUsage.NONE);
        assertThat(run(Fault.of(FaultKind.CUT), chat(false)).usage(PROMPT, left))
                .isEqualTo(estimated(OUTPUT_MAX));
    }
}
