package io.sluice.tenants.routing;

import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RoutePlan.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * Orders the targets of a ladder for one request. Within a rung, targets are drawn by the power of two choices: two are drawn
 * by effective weight, and the first goes first unless the second would have no more work in flight per unit of weight with
 * this call than the first has without it. So an idle pool shares its traffic exactly by weight, a busy one also by load, and
 * a target of little weight gets little in both. The same input always gives the same plan, whatever the machine: only IEEE
 * arithmetic and a fixed generator are used.
 */
public final class RouteDecider {
    private RouteDecider() {}

    /** The plan for {@code input}. Constant time in the number of tenants; linear in the targets of the ladder. */
    public static RoutePlan decide(RouteInput input) {
        Start start = StartDecider.decide(input.start(), input.kind());
        RoutePlan plan = decide(input, start);
        // Neither a drill nor a shift is a reason to refuse what could be answered; a shift is none to answer with a
        // text either.
        boolean passes = start != null
                && ((start.drilled() && plan.refused() != null)
                        || (start.shifted() && !takes(input, plan, start.shift().rung())));
        return passes ? decide(input, start.lettingPass()) : plan;
    }

    /** Whether a target of the rung is tried, not only as the last hope of a request that has no other. */
    private static boolean takes(RouteInput input, RoutePlan plan, int rung) {
        return plan.candidates().stream()
                .anyMatch(candidate -> candidate.rung() == rung
                        && candidate.target() >= 0
                        && input.ladder()
                                        .get(rung)
                                        .targets()
                                        .get(candidate.target())
                                        .breaker()
                                != BreakerState.RETURNING);
    }

    private static RoutePlan decide(RouteInput input, Start start) {
        List<Candidate> candidates = new ArrayList<>();
        List<Excluded> excluded = new ArrayList<>();
        SplitMix random = new SplitMix(input.seed());
        BandRule band = BandRule.of(input);
        for (int rung = 0; rung < input.ladder().size(); rung++) {
            RungFacts facts = input.ladder().get(rung);
            Reason above = start == null ? null : start.exclusion(rung);
            if (above != null) {
                excluded.add(new Excluded(rung, -1, above));
            } else if (rung > 0 && !input.kind().mayDescend()) {
                excluded.add(new Excluded(rung, -1, Reason.KIND_FORBIDS_DESCENT));
            } else if (input.request().needsStructure() && facts.onlyTexts()) {
                excluded.add(new Excluded(rung, -1, Reason.NEEDS_STRUCTURE));
            } else if (band != null && band.exclusion(rung, facts) != null) {
                excluded.add(new Excluded(rung, -1, band.exclusion(rung, facts)));
            } else if (facts.pool() == null) {
                candidates.add(new Candidate(rung, -1, 1));
            } else {
                order(input, rung, facts.targets(), random, candidates, excluded);
            }
        }
        if (onlyTexts(candidates)) {
            askReturning(input.ladder(), candidates, excluded);
        }
        Refusal refusal = onlyTexts(candidates) ? refusal(excluded) : null;
        if (refusal == null || (!atFault(refusal) && !candidates.isEmpty())) {
            return new RoutePlan(candidates, excluded, null, start);
        }
        candidates.forEach(text -> excluded.add(new Excluded(text.rung(), text.target(), Reason.REQUEST_AT_FAULT)));
        return new RoutePlan(List.of(), excluded, refusal, start);
    }

    private static boolean onlyTexts(List<Candidate> candidates) {
        for (int i = 0; i < candidates.size(); i++) {
            if (candidates.get(i).target() >= 0) {
                return false;
            }
        }
        return true;
    }

    private static void order(
            RouteInput input,
            int rung,
            List<TargetFacts> targets,
            SplitMix random,
            List<Candidate> candidates,
            List<Excluded> excluded) {
        double[] weights = new double[targets.size()];
        int left = 0;
        for (int i = 0; i < weights.length; i++) {
            Reason reason = exclusion(input.request(), targets.get(i), input.budget() != null);
            if (reason == null) {
                weights[i] = targets.get(i).effectiveWeight();
                left++;
            } else {
                excluded.add(new Excluded(rung, i, reason));
            }
        }
        for (; left > 0; left--) {
            int chosen = draw(weights, random, -1);
            if (left > 1) {
                int other = draw(weights, random, chosen);
                chosen = relieves(targets, weights, other, chosen) ? other : chosen;
            }
            candidates.add(new Candidate(rung, chosen, weights[chosen]));
            weights[chosen] = 0;
        }
    }

    /**
     * No model is left for the request: the first target on the ladder that is out for nothing but its breaker, and may be asked
     * all the same, is. Ejection never empties a pool for longer than a probe's interval.
     */
    private static void askReturning(List<RungFacts> ladder, List<Candidate> candidates, List<Excluded> excluded) {
        for (int i = 0; i < excluded.size(); i++) {
            Excluded out = excluded.get(i);
            if (out.reason() == Reason.BREAKER_OPEN) {
                TargetFacts target = ladder.get(out.rung()).targets().get(out.target());
                if (target.breaker() == BreakerState.RETURNING && target.inFlight() < target.concurrencyMax()) {
                    excluded.remove(i);
                    int before = (int) candidates.stream()
                            .filter(text -> text.rung() < out.rung())
                            .count();
                    candidates.add(before, new Candidate(out.rung(), out.target(), target.effectiveWeight()));
                    return;
                }
            }
        }
    }

    /** Whether the caller has to mend the request, so that a text would only hide that. */
    private static boolean atFault(Refusal refusal) {
        return refusal == Refusal.CONTEXT_LENGTH_EXCEEDED || refusal == Refusal.INVALID_REQUEST;
    }

    /**
     * Why {@code target} can not serve {@code request}; null where it can.
     *
     * @param capped whether a spend cap applies
     */
    static Reason exclusion(RequestFacts request, TargetFacts target, boolean capped) {
        if (target.weight() <= 0) {
            return Reason.DRAINED;
        }
        if (capped && !target.priced()) {
            return Reason.UNPRICED;
        }
        if (target.promptTokens(request) > target.contextWindow()) {
            return Reason.WINDOW_TOO_SMALL;
        }
        if (request.needsTools() && !target.tools()) {
            return Reason.NO_TOOLS;
        }
        if (request.needsVision() && !target.vision()) {
            return Reason.NO_VISION;
        }
        if (request.needsJsonSchema() && !target.jsonSchema()) {
            return Reason.NO_JSON_SCHEMA;
        }
        if (target.quotaMs() > 0) {
            return Reason.NO_QUOTA;
        }
        if (target.breaker() == BreakerState.OPEN || target.breaker() == BreakerState.RETURNING) {
            return Reason.BREAKER_OPEN;
        }
        if (!(target.factor() > 0)) { // also where a figure is not a number
            return Reason.UNHEALTHY;
        }
        return target.inFlight() >= target.limit() ? Reason.SATURATED : null;
    }

    /** Whether {@code other} with one call more is no busier, per unit of weight, than {@code chosen} is now. */
    private static boolean relieves(List<TargetFacts> targets, double[] weights, int other, int chosen) {
        return (targets.get(other).inFlight() + 1) * weights[chosen]
                <= targets.get(chosen).inFlight() * weights[other];
    }

    /** An index drawn by weight, never {@code except}. */
    private static int draw(double[] weights, SplitMix random, int except) {
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += i == except ? 0 : weights[i];
        }
        double mark = random.nextUnit() * sum;
        int last = -1;
        for (int i = 0; i < weights.length; i++) {
            if (i != except && weights[i] > 0) {
                last = i;
                mark -= weights[i];
                if (mark < 0) {
                    return i;
                }
            }
        }
        return last;
    }

    /**
     * What the caller is told when no target is left: too long a prompt where that is why every target is out, an impossible
     * wish where no target has the ability, else no healthy target. The first two are the caller's to mend: a text rung would
     * hide that.
     */
    private static Refusal refusal(List<Excluded> excluded) {
        List<Reason> reasons = excluded.stream()
                .map(Excluded::reason)
                .filter(reason -> reason != Reason.KIND_FORBIDS_DESCENT
                        && reason != Reason.NEEDS_STRUCTURE
                        && reason != Reason.DRAINED)
                .toList();
        if (reasons.contains(Reason.BUDGET_RESTRICTS) || reasons.contains(Reason.BUDGET_EXHAUSTED)) {
            return Refusal.BUDGET_EXHAUSTED;
        }
        if (!reasons.isEmpty() && reasons.stream().allMatch(reason -> reason == Reason.UNPRICED)) {
            return Refusal.MODEL_NOT_PRICED;
        }
        if (reasons.isEmpty() || !reasons.stream().allMatch(RouteDecider::lasting)) {
            return Refusal.NO_HEALTHY_TARGET;
        }
        return reasons.stream().allMatch(reason -> reason == Reason.WINDOW_TOO_SMALL)
                ? Refusal.CONTEXT_LENGTH_EXCEEDED
                : Refusal.INVALID_REQUEST;
    }

    private static boolean lasting(Reason reason) {
        return switch (reason) {
            case WINDOW_TOO_SMALL, NO_TOOLS, NO_VISION, NO_JSON_SCHEMA -> true;
            case DRAINED,
                    UNHEALTHY,
                    BREAKER_OPEN,
                    NO_QUOTA,
                    SATURATED,
                    SWITCHED_OFF,
                    DRILLED,
                    SHIFTED,
                    KIND_FORBIDS_DESCENT,
                    NEEDS_STRUCTURE,
                    REQUEST_AT_FAULT,
                    UNPRICED,
                    BUDGET_CONSERVES,
                    BELOW_FLOOR,
                    BUDGET_RESTRICTS,
                    BUDGET_EXHAUSTED -> false;
        };
    }

    /**
     * The probability of each target of one rung to be tried first, in the order of {@code targets}; 0 where it is out.
     * Exact: the sum over all ordered pairs of draws.
     *
     * @param capped whether a spend cap applies
     */
    public static double[] probabilities(RequestFacts request, List<TargetFacts> targets, boolean capped) {
        double[] weights = new double[targets.size()];
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = exclusion(request, targets.get(i), capped) == null
                    ? targets.get(i).effectiveWeight()
                    : 0;
            sum += weights[i];
        }
        double[] first = new double[weights.length];
        for (int i = 0; i < weights.length; i++) {
            double rest = sum - weights[i];
            if (weights[i] > 0 && rest <= 0) {
                first[i] = 1;
            }
            for (int j = 0; j < weights.length && rest > 0; j++) {
                if (i != j && weights[i] > 0 && weights[j] > 0) {
                    double pair = weights[i] / sum * weights[j] / rest;
                    first[relieves(targets, weights, j, i) ? j : i] += pair;
                }
            }
        }
        return first;
    }

    /** Sebastiano Vigna's splitmix64 (public domain): the whole state is one long, so a seed in a record is enough. */
    private static final class SplitMix {
        private long state;

        SplitMix(long seed) {
            state = seed;
        }

        /** Uniform in [0, 1), 53 bits. */
        double nextUnit() {
            state += 0x9E3779B97F4A7C15L;
            long z = state;
            z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
        }
    }
}
