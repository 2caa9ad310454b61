package io.sluice.control.shift;

import io.sluice.control.shift.ImpactDecider.Judgement;
import io.sluice.control.shift.ImpactDecider.Verdict;
import io.sluice.control.shift.ShiftInput.Candidate;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Moves a scenario's traffic (requirement F4):
 * <ol>
 *   <li>two troubles of the first rung together: EVALUATING, until they pass or a substitute is good enough
 *   <li>SHIFTING by {@link ShiftState#STEPS}, each held for its time and until the substitute has had calls, or four times as long
 *   <li>the substitute is worse than the impact table allows, at any time: all traffic is back at once, RESTING
 *   <li>the first rung is well again before all traffic has left it: it carries half of it or more, so all of it is back at once
 *   <li>HOLDING all traffic for a rest, then RETURNING: the first rung climbs by the same steps; where it is worse, all traffic is
 *       HOLDING again, for twice as long
 *   <li>after a rest that follows each end: OFF
 * </ol>
 * Pure; called about once a second for each scenario with traffic or a shift.
 */
final class ShiftDecider {
    /** A scenario with hardly any traffic may not wait for evidence for ever: so many holds of a step, then it goes on. */
    static final int PATIENCE_HOLDS = 4;

    /** A rest is doubled so often at most: five minutes become eighty. */
    static final int DOUBLINGS_MAX = 4;

    private static final int LAST = ShiftState.STEPS.size() - 1;

    private ShiftDecider() {}

    /** The state from now on; the same object where nothing changes. */
    static ShiftState decide(ShiftState state, ShiftInput input, long nowMs, ShiftSettings settings) {
        return switch (state.phase()) {
            case OFF -> off(state, input, nowMs, settings);
            case EVALUATING -> evaluating(state, input, nowMs);
            case SHIFTING -> shifting(state, input, nowMs, settings);
            case HOLDING -> holding(state, input, nowMs, settings);
            case RETURNING -> returning(state, input, nowMs, settings);
            case RESTING ->
                nowMs - state.sinceMs() < restMs(state, settings)
                        ? state
                        : state.moved(ShiftPhase.OFF, 0, "the rest is over", nowMs);
        };
    }

    private static ShiftState off(ShiftState state, ShiftInput input, long nowMs, ShiftSettings settings) {
        if (!input.enabled() || input.troubles().size() < TroubleDecider.JOINT) {
            return settled(state, input, nowMs, settings)
                    ? state.withSetbacks(0).because(List.of(), 0).moved(ShiftPhase.OFF, 0, "nothing is wrong", nowMs)
                    : state;
        }
        return state.because(input.troubles(), input.baselineP95Ms())
                .moved(ShiftPhase.EVALUATING, 0, "the first rung is in trouble: " + words(input), nowMs);
    }

    /**
     * Whether an earlier trouble may be forgotten: what was usual before it holds until the first rung is well, or has been without joint
     * trouble for as long as a new usual takes. Else a trouble that outlasts a rest would have become usual.
     */
    private static boolean settled(ShiftState state, ShiftInput input, long nowMs, ShiftSettings settings) {
        boolean remembers = state.setbacks() > 0 || state.baselineP95Ms() > 0;
        long learnMs = Baseline.STEPS * settings.baselineStep().toMillis();
        return remembers && (input.well() || nowMs - state.sinceMs() >= learnMs);
    }

    private static ShiftState evaluating(ShiftState state, ShiftInput input, long nowMs) {
        if (!input.enabled() || input.troubles().size() < TroubleDecider.JOINT) {
            return state.moved(ShiftPhase.OFF, 0, "the first rung's troubles have passed", nowMs);
        }
        Optional<Candidate> chosen = input.candidates().stream()
                .filter(each -> !each.latest().worse() && !each.lasting().worse())
                .findFirst()
                .or(() -> input.candidates().stream()
                        .filter(each -> !each.latest().worse())
                        .findFirst());
        if (chosen.isPresent()) {
            return state.withSubstitute(chosen.get().step())
                    .moved(
                            ShiftPhase.SHIFTING,
                            0,
                            "the first rung is in trouble: " + words(input) + "; the substitute: "
                                    + chosen.get().latest().why(),
                            nowMs);
        }
        String why = input.candidates().isEmpty()
                ? "the impact table accepts no rung of the ladder"
                : "no substitute is good enough: "
                        + input.candidates().stream()
                                .map(each -> each.step() + ": " + each.latest().why())
                                .collect(Collectors.joining("; "));
        // Figures in the words change all the time; the state is the same.
        boolean said =
                state.reason().startsWith("no substitute") || state.reason().startsWith("the impact table");
        return said ? state : state.moved(ShiftPhase.EVALUATING, 0, why, state.sinceMs());
    }

    private static ShiftState shifting(ShiftState state, ShiftInput input, long nowMs, ShiftSettings settings) {
        Judgement substitute = substitute(state, input);
        if (substitute.worse()) {
            return back(state, substitute, nowMs);
        }
        if (input.well()) {
            return state.moved(ShiftPhase.RESTING, 0, "the first rung is well again", nowMs);
        }
        if (!passes(state, substitute, nowMs, settings)) {
            return state;
        }
        boolean whole = state.step() + 1 == LAST;
        return whole
                ? state.moved(ShiftPhase.HOLDING, LAST, "all traffic has left the first rung", nowMs)
                : state.moved(ShiftPhase.SHIFTING, state.step() + 1, "the substitute: " + substitute.why(), nowMs);
    }

    private static ShiftState holding(ShiftState state, ShiftInput input, long nowMs, ShiftSettings settings) {
        Judgement substitute = substitute(state, input);
        if (substitute.worse()) {
            return back(state, substitute, nowMs);
        }
        return nowMs - state.sinceMs() < restMs(state, settings)
                ? state
                : state.moved(ShiftPhase.RETURNING, 0, "the first rung is tried again", nowMs);
    }

    private static ShiftState returning(ShiftState state, ShiftInput input, long nowMs, ShiftSettings settings) {
        Judgement substitute = substitute(state, input);
        if (substitute.worse()) {
            return back(state, substitute, nowMs);
        }
        if (input.primary().worse()) {
            return state.withSetbacks(state.setbacks() + 1)
                    .moved(
                            ShiftPhase.HOLDING,
                            LAST,
                            "the first rung is not well yet: " + input.primary().why(),
                            nowMs);
        }
        if (!passes(state, input.primary(), nowMs, settings)) {
            return state;
        }
        boolean whole = state.step() + 1 == LAST;
        return whole
                ? state.withSetbacks(0).moved(ShiftPhase.RESTING, 0, "the first rung is well again", nowMs)
                : state.moved(
                        ShiftPhase.RETURNING,
                        state.step() + 1,
                        "the first rung: " + input.primary().why(),
                        nowMs);
    }

    private static ShiftState back(ShiftState state, Judgement substitute, long nowMs) {
        return state.withSetbacks(state.setbacks() + 1)
                .moved(
                        ShiftPhase.RESTING,
                        0,
                        "the substitute " + state.substitute() + " is worse: " + substitute.why(),
                        nowMs);
    }

    /** A rung that is not accepted any more is as bad as one that is worse. */
    private static Judgement substitute(ShiftState state, ShiftInput input) {
        return input.candidates().stream()
                .filter(each -> input.enabled() && each.step().equals(state.substitute()))
                .findFirst()
                .map(Candidate::latest)
                .orElse(new Judgement(Verdict.WORSE, "the configuration accepts it no more"));
    }

    /** Whether the present step has lasted long enough, and who climbs has shown what it does. */
    private static boolean passes(ShiftState state, Judgement climber, long nowMs, ShiftSettings settings) {
        long holdMs = settings.hold().toMillis();
        long passedMs = nowMs - state.sinceMs();
        return passedMs >= holdMs && (climber.verdict() == Verdict.GOOD || passedMs >= PATIENCE_HOLDS * holdMs);
    }

    private static long restMs(ShiftState state, ShiftSettings settings) {
        return settings.rest().toMillis() << Math.min(DOUBLINGS_MAX, state.setbacks());
    }

    private static String words(ShiftInput input) {
        List<String> each = input.troubles().stream()
                .map(trouble -> switch (trouble) {
                    case LATENCY -> "its answers take far longer than usual";
                    case ERRORS -> "too many of its calls fail";
                    case QUALITY -> "too many of its answers are of no use";
                    case RESOURCES -> "its server has hardly any capacity left";
                })
                .toList();
        return String.join(", ", each);
    }
}
