package io.sluice.data.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.upstream.FaultedBody.Step;
import io.sluice.plugins.api.fault.FaultAnswers;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultedBodyTest {
    private static final String STREAM = "data: 1\n\ndata: 2\n\ndata: 3\n\n";
    private static final Step ENDED = new Step.Ended();

    @Test
    void cutsAStreamAtEachEventIndexHoweverItCame() {
        for (int k = 0; k <= 3; k++) {
            for (int size = 1; size <= STREAM.length(); size++) {
                List<Step> steps = play(new Fault(FaultKind.CUT, 0, 0, k), true, STREAM, size);

                assertThat(text(steps)).as("%s events in pieces of %s", k, size).isEqualTo(STREAM.substring(0, 9 * k));
                assertThat(steps.get(steps.size() - 1))
                        .isEqualTo(new Step.Broken(FailureClass.NETWORK, "cut: on purpose"));
            }
        }
    }

    @Test
    void aCutBehindTheLastEventNeverComes() {
        List<Step> steps = play(new Fault(FaultKind.CUT, 0, 0, 4), true, STREAM, 100);

        assertThat(text(steps)).isEqualTo(STREAM);
        assertThat(steps).endsWith(ENDED);
    }

    @Test
    void aTruncatedStreamEndsInGoodOrder() {
        assertThat(play(new Fault(FaultKind.TRUNCATED, 0, 0, 1), true, STREAM, 100))
                .containsExactly(new Step.Bytes(Buffer.buffer("data: 1\n\n"), 0), ENDED);
    }

    @Test
    void anErrorWithinAStreamIsAnEvent() {
        assertThat(text(play(Fault.of(FaultKind.ERROR_IN_STREAM), true, STREAM, 5)))
                .isEqualTo("data: 1\n\ndata: " + FaultAnswers.ERROR_WITHIN + "\n\n");
    }

    @Test
    void aHangingStreamSaysNothingMore() {
        assertThat(play(new Fault(FaultKind.HANG, 0, 0, 2), true, STREAM, 100))
                .hasSize(2)
                .doesNotContain(ENDED);
    }

    @Test
    void aSlowBodyWaitsBeforeEachEvent() {
        assertThat(play(new Fault(FaultKind.SLOW_BODY, 0, 40, -1), true, STREAM, 100))
                .extracting(Step::delayMs)
                .containsExactly(40L, 40L, 40L, 0L);
    }

    @Test
    void aSlowAnswerWaitsOnce() {
        assertThat(play(new Fault(FaultKind.SLOW, 0, 40, -1), true, STREAM, 10))
                .extracting(Step::delayMs)
                .containsExactly(40L, 0L, 0L, 0L);
    }

    @Test
    void halfOfAWholeAnswerIsCutOrEnds() {
        assertThat(play(Fault.of(FaultKind.CUT), false, "{\"a\":1}!", 3))
                .containsExactly(
                        new Step.Bytes(Buffer.buffer("{\"a\""), 0),
                        new Step.Broken(FailureClass.NETWORK, "cut: on purpose"));
        assertThat(play(Fault.of(FaultKind.BAD_JSON), false, "{\"a\":1}!", 3))
                .containsExactly(new Step.Bytes(Buffer.buffer("{\"a\""), 0), ENDED);
    }

    @Test
    void usageIsReplacedOrLeftOutAndTheRestStaysAsItIs() {
        String whole = "{\"id\":\"x\",\"n\":1.50,\"usage\":{\"prompt_tokens\":3}}";

        assertThat(text(play(Fault.of(FaultKind.WRONG_USAGE), false, whole, 7)))
                .isEqualTo("{\"id\":\"x\",\"n\":1.50,\"usage\":" + FaultAnswers.WRONG_USAGE + "}");
        assertThat(text(play(Fault.of(FaultKind.NO_USAGE), true, "data: " + whole + "\n\ndata: [DONE]\n\n", 7)))
                .isEqualTo("data: {\"id\":\"x\",\"n\":1.50}\n\ndata: [DONE]\n\n");
    }

    @Test
    void whatIsTooLongToBeHeldPassesAsItIs() {
        FaultedBody body = new FaultedBody(Fault.of(FaultKind.CUT), false, 4);

        assertThat(body.piece(Buffer.buffer("12345"))).containsExactly(new Step.Bytes(Buffer.buffer("12345"), 0));
        assertThat(body.end()).containsExactly(ENDED);
    }

    private static List<Step> play(Fault fault, boolean streamed, String text, int pieceSize) {
        FaultedBody body = new FaultedBody(fault, streamed, 1_000);
        List<Step> steps = new ArrayList<>();
        for (int from = 0; from < text.length(); from += pieceSize) {
            steps.addAll(body.piece(Buffer.buffer(text.substring(from, Math.min(text.length(), from + pieceSize)))));
        }
        steps.addAll(body.end());
        return steps;
    }

    private static String text(List<Step> steps) {
        StringBuilder text = new StringBuilder();
        for (Step step : steps) {
            if (step instanceof Step.Bytes bytes) {
                text.append(bytes.bytes());
            }
        }
        return text.toString();
    }
}
