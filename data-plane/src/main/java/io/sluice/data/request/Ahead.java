package io.sluice.data.request;

import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import java.util.List;

/**
 * What stands behind an attempt in its plan: the facts that {@code AttemptDecider} asks about. Pure.
 *
 * @param first index of the first candidate that may help; the number of candidates where none does
 * @param here whether that one is on the attempt's own rung
 * @param belowMinRemainingMs least time for the first pool on a lower rung; -1 where there is none
 * @param text whether a text rung stands below
 */
record Ahead(int first, boolean here, long belowMinRemainingMs, boolean text) {
    /** Everything from candidate {@code next} on may help. */
    static Ahead of(Planned planned, int next, int rung) {
        return of(planned, next, rung, 0);
    }

    /**
     * Only targets with a window of more than {@code tokens} may help: the prompt did not fit (requirement A1). A text would
     * hide from the caller that the request itself has to change.
     */
    static Ahead withWindowAbove(int tokens, Planned planned, int next, int rung) {
        return of(planned, next, rung, tokens);
    }

    private static Ahead of(Planned planned, int next, int rung, int windowAbove) {
        List<Candidate> candidates = planned.plan().candidates();
        int first = candidates.size();
        long below = -1;
        boolean text = false;
        for (int i = candidates.size() - 1; i >= next; i--) {
            Candidate candidate = candidates.get(i);
            if (planned.identified().ladder().get(candidate.rung()) instanceof CompiledRung.Pool pool) {
                if (pool.pool().targets().get(candidate.target()).contextWindow() > windowAbove) {
                    first = i;
                    below = candidate.rung() > rung ? pool.minRemainingMs() : below;
                }
            } else if (windowAbove == 0) {
                first = i;
                text = true;
            }
        }
        boolean here = first < candidates.size() && candidates.get(first).rung() == rung;
        return new Ahead(first, here, below, text);
    }
}
