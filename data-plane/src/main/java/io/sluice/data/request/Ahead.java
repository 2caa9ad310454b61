package io.sluice.data.request;

import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import java.util.List;
import java.util.function.Predicate;

/**
 * What stands behind an attempt in its plan: the facts that {@code AttemptDecider} asks about. Pure.
 *
 * @param first index of the first candidate that may help; the number of candidates where none does
 * @param here whether that one is on the attempt's own rung
 * @param below index of the first candidate of a pool on a lower rung; -1 where there is none
 * @param belowMinRemainingMs least time for that one; -1 where there is none
 * @param poolsBelow lower rungs with candidates that may help, of pools that have retry budget left
 * @param belowCallable whether that one's pool has retry budget left; pools that have none are passed over for others
 * @param text whether a static rung stands below: a text, or one that may have an answer
 */
record Ahead(
        int first,
        boolean here,
        int below,
        long belowMinRemainingMs,
        int poolsBelow,
        boolean belowCallable,
        boolean text) {
    /**
     * After {@code run} failed: everything from candidate {@code next} on may help. Where the prompt was too long for it only a
     * larger window may, once (requirement A1), and no text, which would hide from the caller that the request itself has to
     * change.
     *
     * @param attempts that were over before it
     * @param callable whether a pool's retry budget lets this request call it
     */
    static Ahead after(
            FailureClass failure,
            AttemptRun run,
            Attempts attempts,
            Planned planned,
            int next,
            Predicate<CompiledPool> callable) {
        int rung = run.candidate().rung();
        if (failure != FailureClass.CONTEXT_LENGTH) {
            return of(planned, next, rung, callable, 0);
        }
        boolean before = attempts.anyFailedWith(FailureClass.CONTEXT_LENGTH);
        return of(
                planned,
                next,
                rung,
                callable,
                before ? Integer.MAX_VALUE : run.target().contextWindow());
    }

    private static Ahead of(Planned planned, int next, int rung, Predicate<CompiledPool> callable, int windowAbove) {
        List<Candidate> candidates = planned.plan().candidates();
        int first = candidates.size();
        int open = -1;
        int spent = -1;
        int pools = 0;
        int counted = -1;
        boolean text = false;
        for (int i = candidates.size() - 1; i >= next; i--) {
            Candidate candidate = candidates.get(i);
            if (planned.identified().ladder().get(candidate.rung()) instanceof CompiledRung.Pool pool) {
                if (pool.pool().targets().get(candidate.target()).contextWindow() > windowAbove) {
                    first = i;
                    if (candidate.rung() > rung) {
                        boolean may = callable.test(pool.pool());
                        open = may ? i : open;
                        spent = may ? spent : i;
                        pools += may && candidate.rung() != counted ? 1 : 0;
                        counted = may ? candidate.rung() : counted;
                    }
                }
            } else if (windowAbove == 0) {
                first = i;
                text = true;
            }
        }
        boolean here = first < candidates.size() && candidates.get(first).rung() == rung;
        int below = open < 0 ? spent : open;
        long least = below < 0
                ? -1
                : ((CompiledRung.Pool) planned.identified()
                                .ladder()
                                .get(candidates.get(below).rung()))
                        .minRemainingMs();
        return new Ahead(first, here, below, least, pools, open >= 0 || spent < 0, text);
    }
}
