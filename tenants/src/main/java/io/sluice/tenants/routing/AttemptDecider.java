package io.sluice.tenants.routing;

import io.sluice.tenants.failure.FailureClass;

/**
 * Says what follows a failed attempt, from its class and what is left of the budgets, and nothing else (requirements A1, A2,
 * A5, A7). The rules, first match wins:
 * <ol>
 *   <li>the answer had begun: the failure is told, nothing is repeated
 *   <li>the class says that no other target helps: give up
 *   <li>the request may have had an effect and must not have it twice: give up
 *   <li>attempts and this pool's retry budget are left, a candidate is left on this rung and the time allows it: that one, at
 *       once; the last attempt is kept for a pool below that may be called
 *   <li>attempts and this pool's retry budget are left, the class allows the same target again and the time left after the
 *       wait allows it: the same; of the attempts one is kept for each pool below that may be called, for another one is more likely to
 *       answer than one that has just failed
 *   <li>attempts are left, a pool with retry budget stands below and the time allows it: that one
 *   <li>a text rung stands below: the text, which needs neither attempts nor time
 *   <li>give up
 * </ol>
 */
public final class AttemptDecider {
    private AttemptDecider() {}

    /**
     * What the choice depends on.
     *
     * @param failure class of the attempt that just ended
     * @param committed whether content was sent to the caller
     * @param attemptsUsed attempts so far, this one included
     * @param sameTargetRetries repeats of this target so far
     * @param remainingMs of the deadline
     * @param waitMs what a repeat of the same target has to wait: backoff or the provider's Retry-After
     * @param hereMinRemainingMs least time for another attempt on this rung
     * @param nextHere whether the next candidate that may help is on this rung; after CONTEXT_LENGTH only one with a larger
     *     window may help, and none a second time
     * @param belowMinRemainingMs least time for the first pool candidate below; -1 where there is none
     * @param poolsBelow how many lower rungs have candidates of pools that may be called
     * @param textBelow whether a text rung stands below
     * @param repeatable whether the request may be sent again: it only reads, or nothing of it has left for an upstream; an
     *     idempotency key is for the caller's repeats and changes nothing here
     * @param retryBudgetLeftHere whether this attempt's pool may be called once more by a request that has called it
     * @param retryBudgetLeftBelow the same of the first pool below; true for a pool that the request has not called yet
     */
    public record Input(
            FailureClass failure,
            boolean committed,
            int attemptsUsed,
            int attemptsMax,
            int sameTargetRetries,
            long remainingMs,
            long waitMs,
            long hereMinRemainingMs,
            boolean nextHere,
            long belowMinRemainingMs,
            int poolsBelow,
            boolean textBelow,
            boolean repeatable,
            boolean retryBudgetLeftHere,
            boolean retryBudgetLeftBelow) {
        /** Whether another verdict would follow if no pool had a retry budget. */
        public boolean stoppedByRetryBudget() {
            return !(retryBudgetLeftHere && retryBudgetLeftBelow) && decide(this) != decide(withRetryBudget());
        }

        private Input withRetryBudget() {
            return new Input(
                    failure,
                    committed,
                    attemptsUsed,
                    attemptsMax,
                    sameTargetRetries,
                    remainingMs,
                    waitMs,
                    hereMinRemainingMs,
                    nextHere,
                    belowMinRemainingMs,
                    poolsBelow,
                    textBelow,
                    repeatable,
                    true,
                    true);
        }
    }

    /** What to do next. */
    public enum Verdict {
        TELL_INCOMPLETE,
        NEXT_TARGET,
        SAME_TARGET,
        NEXT_RUNG,
        TEXT_RUNG,
        GIVE_UP
    }

    /** The verdict for {@code input}. */
    public static Verdict decide(Input input) {
        if (input.committed()) {
            return Verdict.TELL_INCOMPLETE;
        }
        if (!input.failure().otherTargetMayHelp() || !input.repeatable()) {
            return Verdict.GIVE_UP;
        }
        int attemptsLeft = input.attemptsMax() - input.attemptsUsed();
        boolean below = attemptsLeft > 0
                && input.belowMinRemainingMs() >= 0
                && input.retryBudgetLeftBelow()
                && input.remainingMs() >= input.belowMinRemainingMs();
        int kept = below ? input.poolsBelow() : 0;
        if (attemptsLeft > Math.min(1, kept)
                && input.retryBudgetLeftHere()
                && input.nextHere()
                && input.remainingMs() >= input.hereMinRemainingMs()) {
            return Verdict.NEXT_TARGET;
        }
        if (attemptsLeft > kept
                && input.retryBudgetLeftHere()
                && input.sameTargetRetries() < input.failure().sameTargetRetriesMax()
                && input.remainingMs() - input.waitMs() >= input.hereMinRemainingMs()) {
            return Verdict.SAME_TARGET;
        }
        if (below) {
            return Verdict.NEXT_RUNG;
        }
        return input.textBelow() ? Verdict.TEXT_RUNG : Verdict.GIVE_UP;
    }
}
