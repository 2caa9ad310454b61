package io.sluice.control.shift;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.shift.ImpactDecider.Judgement;
import io.sluice.control.shift.ImpactDecider.Verdict;
import io.sluice.control.shift.ShiftInput.Candidate;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import io.sluice.tenants.shift.Trouble;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShiftDeciderTest {
    private static final ShiftSettings SETTINGS = ShiftSettings.DEFAULT;
    private static final Judgement GOOD = new Judgement(Verdict.GOOD, "good");
    private static final Judgement WORSE = new Judgement(Verdict.WORSE, "bad");
    private static final Judgement UNKNOWN = new Judgement(Verdict.UNKNOWN, "few");
    private static final List<Trouble> JOINT = List.of(Trouble.LATENCY, Trouble.ERRORS);
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;

    private ShiftState state = ShiftState.fresh(0);
    private long now;

    private static Candidate candidate(String step, Judgement latest) {
        return new Candidate(step, latest, latest);
    }

    private static ShiftInput trouble(Judgement substitute) {
        return new ShiftInput(true, JOINT, false, UNKNOWN, 1_000, List.of(candidate("second", substitute)));
    }

    /** The substitute is well, and of the first rung so much is known. */
    private static ShiftInput primary(Judgement primary) {
        return new ShiftInput(true, List.of(), false, primary, 1_000, List.of(candidate("second", GOOD)));
    }

    private void decide(ShiftInput input) {
        state = ShiftDecider.decide(state, input, now, SETTINGS);
    }

    /** Once a second for so long. */
    private void pass(long millis, ShiftInput input) {
        for (long end = now + millis; now < end; now += SECOND) {
            decide(input);
        }
    }

    private void untilHolding() {
        while (state.phase() != ShiftPhase.HOLDING) {
            pass(SECOND, trouble(GOOD));
        }
    }

    @Test
    void oneTroubleAloneShiftsNothing() {
        for (Trouble each : Trouble.values()) {
            decide(new ShiftInput(true, List.of(each), false, UNKNOWN, 1_000, List.of(candidate("second", GOOD))));
            assertThat(state.phase()).isEqualTo(ShiftPhase.OFF);
        }
    }

    @Test
    void nothingIsShiftedWhereNobodyAllowsIt() {
        decide(new ShiftInput(false, JOINT, false, UNKNOWN, 1_000, List.of(candidate("second", GOOD))));
        assertThat(state).isEqualTo(ShiftState.fresh(0));
    }

    @Test
    void twoTroublesAreEvaluatedThenOnePercentIsShifted() {
        decide(trouble(GOOD));
        assertThat(state.phase()).isEqualTo(ShiftPhase.EVALUATING);
        assertThat(state.troubles()).isEqualTo(JOINT);
        assertThat(state.baselineP95Ms()).isEqualTo(1_000);
        assertThat(state.share()).isZero();

        decide(trouble(GOOD));
        assertThat(state.phase()).isEqualTo(ShiftPhase.SHIFTING);
        assertThat(state.substitute()).isEqualTo("second");
        assertThat(state.share()).isEqualTo(0.01);
        assertThat(state.reason())
                .startsWith(
                        "the first rung is in trouble: its answers take far longer than usual, too many of its calls fail");
    }

    @Test
    void aTroubleThatPassesWhileItIsEvaluatedShiftsNothing() {
        decide(trouble(WORSE));
        decide(trouble(WORSE));
        assertThat(state.phase()).isEqualTo(ShiftPhase.EVALUATING);
        assertThat(state.reason()).isEqualTo("no substitute is good enough: second: bad");
        decide(primary(UNKNOWN));
        assertThat(state.phase()).isEqualTo(ShiftPhase.OFF);
    }

    @Test
    void theFirstCandidateThatIsNotWorseIsTaken() {
        ShiftInput input = new ShiftInput(
                true,
                JOINT,
                false,
                UNKNOWN,
                1_000,
                List.of(candidate("second", WORSE), new Candidate("third", GOOD, WORSE), candidate("fourth", UNKNOWN)));
        decide(input);
        decide(input);
        assertThat(state.substitute()).isEqualTo("fourth");
    }

    @Test
    void whoWasWorseSomeTimeAgoIsBetterThanNobody() {
        ShiftInput input =
                new ShiftInput(true, JOINT, false, UNKNOWN, 1_000, List.of(new Candidate("second", UNKNOWN, WORSE)));
        decide(input);
        decide(input);
        assertThat(state.substitute()).isEqualTo("second");
    }

    @Test
    void trafficMovesByTheStepsThirtySecondsEach() {
        List<Double> shares = new ArrayList<>();
        decide(trouble(GOOD));
        decide(trouble(GOOD));
        while (state.phase() == ShiftPhase.SHIFTING) {
            shares.add(state.share());
            double before = state.share();
            now += 29_999;
            decide(trouble(GOOD));
            assertThat(state.share()).isEqualTo(before);
            now += 1;
            decide(trouble(GOOD));
        }
        assertThat(shares).containsExactly(0.01, 0.05, 0.10, 0.25, 0.50);
        assertThat(state.phase()).isEqualTo(ShiftPhase.HOLDING);
        assertThat(state.share()).isEqualTo(1);
    }

    @Test
    void aSubstituteWithoutCallsIsWaitedForUpToTwoMinutes() {
        decide(trouble(GOOD));
        decide(trouble(GOOD));
        now = 119_999;
        decide(trouble(UNKNOWN));
        assertThat(state.share()).isEqualTo(0.01);
        now = 120_000;
        decide(trouble(UNKNOWN));
        assertThat(state.share()).isEqualTo(0.05);
    }

    @Test
    void aWorseSubstituteBringsAllBackAtOnceFromEveryStep() {
        for (int step = 0; step < 5; step++) {
            state = ShiftState.fresh(0).withSubstitute("second").moved(ShiftPhase.SHIFTING, step, "why", now);
            now += 1;
            decide(trouble(WORSE));
            assertThat(state.share()).isZero();
            assertThat(state.phase()).isEqualTo(ShiftPhase.RESTING);
            assertThat(state.reason()).isEqualTo("the substitute second is worse: bad");
        }
    }

    @Test
    void aSubstituteThatIsAcceptedNoMoreBringsAllBack() {
        untilHolding();
        decide(new ShiftInput(true, JOINT, false, UNKNOWN, 1_000, List.of()));
        assertThat(state.phase()).isEqualTo(ShiftPhase.RESTING);
        assertThat(state.reason()).contains("the configuration accepts it no more");
    }

    @Test
    void aFirstRungThatIsWellAgainBeforeAllHasLeftGetsAllBack() {
        decide(trouble(GOOD));
        decide(trouble(GOOD));
        decide(new ShiftInput(true, List.of(), true, GOOD, 1_000, List.of(candidate("second", GOOD))));
        assertThat(state.phase()).isEqualTo(ShiftPhase.RESTING);
        assertThat(state.setbacks()).isZero();
    }

    @Test
    void aTroubleLessDoesNotEndAShift() {
        decide(trouble(GOOD));
        decide(trouble(GOOD));
        pass(
                31 * SECOND,
                new ShiftInput(
                        true,
                        List.of(Trouble.ERRORS),
                        false,
                        GOOD,
                        1_000,
                        trouble(GOOD).candidates()));
        assertThat(state.share()).isEqualTo(0.05);
    }

    @Test
    void nothingIsShiftedAgainWhileItRests() {
        decide(trouble(GOOD));
        decide(trouble(GOOD));
        decide(trouble(WORSE));
        long since = now;
        pass(10 * MINUTE - SECOND, trouble(GOOD));
        assertThat(state.phase()).isEqualTo(ShiftPhase.RESTING);
        now = since + 10 * MINUTE;
        decide(trouble(GOOD));
        assertThat(state.phase()).isEqualTo(ShiftPhase.OFF);
    }

    @Test
    void afterFiveMinutesTheFirstRungClimbsByTheSameSteps() {
        untilHolding();
        long since = state.sinceMs();
        pass(since + 5 * MINUTE - now, primary(UNKNOWN));
        assertThat(state.phase()).isEqualTo(ShiftPhase.HOLDING);
        decide(primary(UNKNOWN));
        List<Double> shares = new ArrayList<>();
        while (state.phase() == ShiftPhase.RETURNING) {
            shares.add(Math.round(state.share() * 100) / 100.0);
            double before = state.share();
            pass(30 * SECOND, primary(GOOD));
            assertThat(state.share()).isEqualTo(before);
            decide(primary(GOOD));
        }
        assertThat(shares).containsExactly(0.99, 0.95, 0.90, 0.75, 0.50);
        assertThat(state.phase()).isEqualTo(ShiftPhase.RESTING);
        assertThat(state.share()).isZero();
    }

    @Test
    void aFirstRungThatIsStillBadIsLeftAtOnceAndTriedAgainAfterTwiceTheTime() {
        untilHolding();
        pass(5 * MINUTE + 2 * SECOND, primary(UNKNOWN));
        assertThat(state.phase()).isEqualTo(ShiftPhase.RETURNING);
        decide(primary(WORSE));
        assertThat(state.phase()).isEqualTo(ShiftPhase.HOLDING);
        assertThat(state.share()).isEqualTo(1);
        long since = state.sinceMs();
        now = since + 10 * MINUTE - 1;
        decide(primary(UNKNOWN));
        assertThat(state.phase()).isEqualTo(ShiftPhase.HOLDING);
        now = since + 10 * MINUTE;
        decide(primary(UNKNOWN));
        assertThat(state.phase()).isEqualTo(ShiftPhase.RETURNING);
    }

    @Test
    void theTimeBetweenTriesIsDoubledFourTimesAtMost() {
        state = ShiftState.fresh(0).withSubstitute("second").withSetbacks(30).moved(ShiftPhase.HOLDING, 5, "why", 0);
        now = 80 * MINUTE - 1;
        decide(primary(UNKNOWN));
        assertThat(state.phase()).isEqualTo(ShiftPhase.HOLDING);
        now = 80 * MINUTE;
        decide(primary(UNKNOWN));
        assertThat(state.phase()).isEqualTo(ShiftPhase.RETURNING);
    }

    @Test
    void setbacksAreForgivenWhenTheFirstRungIsWell() {
        state = ShiftState.fresh(0).withSetbacks(3);
        decide(primary(GOOD));
        assertThat(state.setbacks()).isEqualTo(3);
        decide(new ShiftInput(true, List.of(), true, GOOD, 1_000, List.of()));
        assertThat(state.setbacks()).isZero();
    }

    @Test
    void theVersionGrowsWithEachChangeAndOnlyThen() {
        ShiftState before = state;
        decide(primary(GOOD));
        assertThat(state).isSameAs(before);
        decide(trouble(GOOD));
        decide(trouble(GOOD));
        assertThat(state.version()).isEqualTo(before.version() + 2);
    }
}
