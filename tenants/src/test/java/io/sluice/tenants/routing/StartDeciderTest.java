package io.sluice.tenants.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RoutePlan.Reason;
import io.sluice.tenants.routing.StartInput.ActiveSwitch;
import io.sluice.tenants.routing.StartInput.RunningDrill;
import io.sluice.tenants.routing.StartInput.RunningShift;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StartDeciderTest {
    private static final long NOW = 1_000;
    private static final ActiveSwitch ON = new ActiveSwitch("off-peak", 1, NOW + 1);
    private static final RunningDrill DRILL = new RunningDrill("monthly", 1, 0.5, 0.4, NOW, NOW + 1);

    @Test
    void withoutSwitchesAndDrillsARequestStartsAtTheFirstRung() {
        assertThat(StartDecider.decide(null, RequestKind.READ)).isNull();
        assertThat(decide(RequestKind.READ, List.of(), List.of())).isNull();
    }

    @Test
    void aSwitchEndsAtItsVeryInstant() {
        ActiveSwitch over = new ActiveSwitch("off-peak", 1, NOW);
        assertThat(decide(RequestKind.READ, List.of(ON), List.of()).switchId()).isEqualTo("off-peak");
        assertThat(decide(RequestKind.READ, List.of(over), List.of())).isNull();
    }

    @Test
    void ofSeveralSwitchesTheLowestRungCounts() {
        ActiveSwitch lower = new ActiveSwitch("outage", 2, NOW + 1);
        Start start = decide(RequestKind.READ, List.of(ON, lower), List.of());
        assertThat(start.switchId()).isEqualTo("outage");
        assertThat(start.switchRung()).isEqualTo(2);
    }

    @Test
    void aSwitchHoldsForEveryKind() {
        assertThat(decide(RequestKind.WRITE, List.of(ON), List.of()).switchId()).isEqualTo("off-peak");
        assertThat(decide(RequestKind.COMPLIANCE, List.of(ON), List.of()).switchId())
                .isEqualTo("off-peak");
    }

    @Test
    void onlyReadRequestsAreDrilled() {
        assertThat(decide(RequestKind.READ, List.of(), List.of(DRILL)).drill()).isEqualTo(DRILL);
        assertThat(decide(RequestKind.WRITE, List.of(), List.of(DRILL))).isNull();
        assertThat(decide(RequestKind.COMPLIANCE, List.of(), List.of(DRILL))).isNull();
    }

    @Test
    void aDrillTakesWhatFallsBelowItsShareWhileItRuns() {
        assertThat(decide(RequestKind.READ, List.of(), List.of(running(0.5, NOW, NOW + 1))))
                .isNull();
        assertThat(decide(RequestKind.READ, List.of(), List.of(running(0.49, NOW + 1, NOW + 2))))
                .isNull();
        assertThat(decide(RequestKind.READ, List.of(), List.of(running(0.49, NOW - 1, NOW))))
                .isNull();
        assertThat(decide(RequestKind.READ, List.of(), List.of(running(0.49, NOW, NOW + 1))))
                .isNotNull();
    }

    @Test
    void ofSeveralDrillsTheFirstThatTakesTheRequestCounts() {
        RunningDrill other = new RunningDrill("other", 2, 1, 0.9, NOW, NOW + 1);
        RunningDrill passes = new RunningDrill("passes", 1, 0.1, 0.9, NOW, NOW + 1);
        assertThat(decide(RequestKind.READ, List.of(), List.of(passes, other, DRILL))
                        .drill()
                        .id())
                .isEqualTo("other");
    }

    @Test
    void aRequestThatASwitchSentFurtherDownIsNotDrilled() {
        ActiveSwitch lower = new ActiveSwitch("outage", 2, NOW + 1);
        assertThat(decide(RequestKind.READ, List.of(lower), List.of(DRILL)).drill())
                .isNull();
    }

    @Test
    void theSameTraceAlwaysFallsAtTheSamePlaceOfADrill() {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        assertThat(StartDecider.unit(trace, "monthly"))
                .isEqualTo(StartDecider.unit(trace, "monthly"))
                .isNotEqualTo(StartDecider.unit(trace, "weekly"))
                .isCloseTo(PINNED_UNIT, within(1e-15));
    }

    /** Records that were written keep their meaning only as long as this stays as it is. */
    private static final double PINNED_UNIT = 0.47950474535936183;

    @Test
    void countedUpTraceIdsSpreadEvenly() {
        long taken = IntStream.range(0, 10_000)
                .filter(i -> StartDecider.unit(String.format("%032x", i), "monthly") < 0.1)
                .count();
        // five standard deviations of 10,000 draws at 0.1
        assertThat(taken).isBetween(850L, 1_150L);
    }

    @Test
    void rungsAboveASwitchAreOut() {
        RoutePlan plan = plan(RequestKind.READ, List.of(ON), List.of(), pool(1), pool(1), text());
        assertThat(plan.candidates())
                .extracting(Candidate::rung, Candidate::target)
                .containsExactly(tuple(1, 0), tuple(2, -1));
        assertThat(plan.excluded()).containsExactly(new Excluded(0, -1, Reason.SWITCHED_OFF));
        assertThat(plan.start().switchId()).isEqualTo("off-peak");
    }

    @Test
    void aWriteRequestWhoseRungIsSwitchedOffIsRefused() {
        RoutePlan plan = plan(RequestKind.WRITE, List.of(ON), List.of(), pool(1), pool(1), text());
        assertThat(plan.refused()).isEqualTo(Refusal.NO_HEALTHY_TARGET);
        assertThat(plan.candidates()).isEmpty();
        assertThat(plan.start().switchId()).isEqualTo("off-peak");
    }

    @Test
    void rungsAboveADrillAreOut() {
        RoutePlan plan = plan(RequestKind.READ, List.of(), List.of(DRILL), pool(1), pool(1), text());
        assertThat(plan.candidates()).extracting(Candidate::rung).containsExactly(1, 2);
        assertThat(plan.excluded()).containsExactly(new Excluded(0, -1, Reason.DRILLED));
        assertThat(plan.start().drill()).isEqualTo(DRILL);
    }

    @Test
    void aDrillOfTheFirstRungChangesNothingButIsTold() {
        RunningDrill first = new RunningDrill("monthly", 0, 1, 0.4, NOW, NOW + 1);
        RoutePlan plan = plan(RequestKind.READ, List.of(), List.of(first), pool(1), pool(1));
        assertThat(plan.candidates()).extracting(Candidate::rung).containsExactly(0, 1);
        assertThat(plan.start().drill()).isEqualTo(first);
    }

    @Test
    void aDrillLetsPassWhatNoRungBelowCouldTake() {
        RoutePlan plan = plan(RequestKind.READ, List.of(), List.of(DRILL), pool(1), pool(0));
        assertThat(plan.candidates()).extracting(Candidate::rung).containsExactly(0);
        assertThat(plan.start().passedOver()).isTrue();
    }

    @Test
    void aSwitchBelowWhichNothingCanAnswerIsARefusalAlsoInADrill() {
        RunningDrill lower = new RunningDrill("monthly", 2, 1, 0.4, NOW, NOW + 1);
        RoutePlan plan = plan(RequestKind.READ, List.of(ON), List.of(lower), pool(1), pool(0), pool(0));
        assertThat(plan.refused()).isEqualTo(Refusal.NO_HEALTHY_TARGET);
        assertThat(plan.start().passedOver()).isTrue();
    }

    @Test
    void aShiftTakesReadRequestsThatFallBelowItsShare() {
        assertThat(shifted(RequestKind.READ, 0.24).shift().rung()).isEqualTo(1);
        assertThat(shifted(RequestKind.READ, 0.25)).isNull();
        assertThat(shifted(RequestKind.WRITE, 0)).isNull();
        assertThat(shifted(RequestKind.COMPLIANCE, 0)).isNull();
    }

    @Test
    void aShiftOfAllRequestsTakesEveryOne() {
        StartInput all = new StartInput(NOW, List.of(), List.of(), new RunningShift(1, 1, Math.nextDown(1.0), 9));
        assertThat(StartDecider.decide(all, RequestKind.READ).shifted()).isTrue();
    }

    @Test
    void aSwitchThatSendsAsFarDownComesBeforeAShift() {
        StartInput input = new StartInput(NOW, List.of(ON), List.of(), new RunningShift(1, 1, 0, 9));
        Start start = StartDecider.decide(input, RequestKind.READ);
        assertThat(start.switchId()).isEqualTo("off-peak");
        assertThat(start.shift()).isNull();
    }

    @Test
    void aShiftGoesOnBelowASwitch() {
        StartInput input = new StartInput(NOW, List.of(ON), List.of(), new RunningShift(2, 1, 0, 9));
        Start start = StartDecider.decide(input, RequestKind.READ);
        assertThat(start.exclusion(0)).isEqualTo(Reason.SWITCHED_OFF);
        assertThat(start.exclusion(1)).isEqualTo(Reason.SHIFTED);
        assertThat(start.exclusion(2)).isNull();
    }

    @Test
    void aRequestThatTakesPartInADrillIsNotShifted() {
        StartInput input = new StartInput(NOW, List.of(), List.of(DRILL), new RunningShift(1, 1, 0, 9));
        Start start = StartDecider.decide(input, RequestKind.READ);
        assertThat(start.drill()).isEqualTo(DRILL);
        assertThat(start.shift()).isNull();
    }

    @Test
    void rungsAboveAShiftAreOut() {
        RoutePlan plan = shiftedPlan(pool(1), pool(1), text());
        assertThat(plan.candidates()).extracting(Candidate::rung).containsExactly(1, 2);
        assertThat(plan.excluded()).containsExactly(new Excluded(0, -1, Reason.SHIFTED));
        assertThat(plan.start().passedOver()).isFalse();
    }

    @Test
    void aShiftLetsPassWhatItsRungCanNotTakeAlsoWhereATextWouldAnswer() {
        RoutePlan plan = shiftedPlan(pool(1), pool(0), text());
        assertThat(plan.candidates()).extracting(Candidate::rung).containsExactly(0, 2);
        assertThat(plan.start().passedOver()).isTrue();
        assertThat(plan.start().shift().rung()).isEqualTo(1);
    }

    @Test
    void aShiftLetsPassWhereItsRungIsOnlyAskedWhetherItIsBack() {
        TargetFacts returning =
                new TargetFacts("p/m", 1, 1, 1, BreakerState.RETURNING, 0, 64, 64, 8_000, 1_000, true, true, true);
        RungFacts below = new RungFacts("pool", "|pool", 0, 200, List.of(returning));
        RoutePlan plan = shiftedPlan(pool(1), below);
        assertThat(plan.candidates()).extracting(Candidate::rung).containsExactly(0);
        assertThat(plan.start().passedOver()).isTrue();
    }

    private static Start shifted(RequestKind kind, double unit) {
        return StartDecider.decide(new StartInput(NOW, List.of(), List.of(), new RunningShift(1, 0.25, unit, 9)), kind);
    }

    private static RoutePlan shiftedPlan(RungFacts... ladder) {
        return RouteDecider.decide(new RouteInput(
                1,
                1,
                "s",
                RequestKind.READ,
                new RequestFacts("auto", 10, 0, false, false, false, false, false),
                7,
                List.of(ladder),
                new StartInput(NOW, List.of(), List.of(), new RunningShift(1, 1, 0, 9))));
    }

    private static org.assertj.core.groups.Tuple tuple(int rung, int target) {
        return org.assertj.core.groups.Tuple.tuple(rung, target);
    }

    private static RunningDrill running(double unit, long fromMs, long untilMs) {
        return new RunningDrill("monthly", 1, 0.5, unit, fromMs, untilMs);
    }

    private static Start decide(RequestKind kind, List<ActiveSwitch> switches, List<RunningDrill> drills) {
        return StartDecider.decide(new StartInput(NOW, switches, drills), kind);
    }

    private static RoutePlan plan(
            RequestKind kind, List<ActiveSwitch> switches, List<RunningDrill> drills, RungFacts... ladder) {
        return RouteDecider.decide(new RouteInput(
                1,
                1,
                "s",
                kind,
                new RequestFacts("auto", 10, 0, false, false, false, false, false),
                7,
                List.of(ladder),
                new StartInput(NOW, switches, drills)));
    }

    /** One target; of weight 0 it is drained. */
    private static RungFacts pool(int weight) {
        TargetFacts target =
                new TargetFacts("p/m", weight, 1, 1, BreakerState.CLOSED, 0, 64, 64, 8_000, 1_000, true, true, true);
        return new RungFacts("pool", "|pool", 0, 200, List.of(target));
    }

    private static RungFacts text() {
        return new RungFacts("text", null, 0, 0, List.of());
    }
}
