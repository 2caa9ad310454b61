package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.RungTally;
import io.sluice.tenants.routing.RequestFacts;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RungFacts;
import io.sluice.tenants.routing.Start;
import io.sluice.tenants.routing.StartInput.RunningDrill;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrillOutcomeTest {
    /** One pool above two static rungs. */
    private static final RouteInput INPUT = new RouteInput(
            1,
            1,
            "chat",
            RequestKind.READ,
            new RequestFacts("auto", 10, 0, false, false, false, false, false),
            7,
            List.of(
                    new RungFacts("premium", "|pool", 0, 200, List.of()),
                    new RungFacts("answers", null, 0, 0, List.of()),
                    new RungFacts("apology", null, 0, 0, List.of())));

    private static DrillTally tally(int rung, boolean passedOver, String answeredBy) {
        RunningDrill drill = new RunningDrill("monthly", rung, 1, 0.5, 1_000, 2_000);
        return DrillOutcome.tally(
                new TenantId("acme"), INPUT, new Start(0, null, drill, passedOver), List.of(), answeredBy, 12);
    }

    @Test
    void theRungThatAnsweredIsCounted() {
        DrillTally tally = tally(1, false, "answers");
        assertThat(tally.rungs())
                .extracting(RungTally::step, RungTally::requests, RungTally::answered)
                .containsExactly(tuple("answers", 1L, 1L));
        assertThat(tally.step()).isEqualTo("answers");
        assertThat(tally.from()).isEqualTo(Instant.ofEpochMilli(1_000));
        assertThat(tally.answered()).isEqualTo(1);
    }

    @Test
    void aStaticRungThatHadNoAnswerIsCountedAsTried() {
        assertThat(tally(1, false, "apology").rungs())
                .extracting(RungTally::step, RungTally::requests, RungTally::answered)
                .containsExactly(tuple("answers", 1L, 0L), tuple("apology", 1L, 1L));
    }

    @Test
    void aRungAboveTheDrillWasNotAsked() {
        assertThat(tally(2, false, "apology").rungs())
                .extracting(RungTally::step)
                .containsExactly("apology");
    }

    @Test
    void aRequestThatNobodyAnsweredProvesNothing() {
        DrillTally tally = tally(1, false, null);
        assertThat(tally.answered()).isZero();
        assertThat(tally.rungs()).isEmpty();
    }

    @Test
    void aRequestThatWentItsNormalWaySaysNothingOfTheRungs() {
        DrillTally tally = tally(1, true, "premium");
        assertThat(tally.passedOver()).isEqualTo(1);
        assertThat(tally.rungs()).isEmpty();
    }
}
