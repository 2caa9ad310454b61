package io.sluice.tenants.routing;

import io.sluice.tenants.failure.FailureClass;

/**
 * Says what follows a failed attempt, from its class and what is left of the budgets, and nothing else (requirements A1, A2,
 * A5, A7). The rules, first match wins:
 * <ol>
 *   <li>the answer had begun: the failure is told, nothing is repeated
 *   <li>the class says that no other target helps: give up
 *   <li>attempts are left, a candidate is left on this rung and the time allows it: that one, at once
 *   <li>attempts are left, the class allows the same target again and the time left after the wait allows it: the same
 *   <li>attempts are left, a pool stands below and the time allows it: that one
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
     * @param textBelow whether a text rung stands below
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
            boolean textBelow) {}

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
        if (!input.failure().otherTargetMayHelp()) {
            return Verdict.GIVE_UP;
        }
        boolean attemptsLeft = input.attemptsUsed() < input.attemptsMax();
        if (attemptsLeft && input.nextHere() && input.remainingMs() >= input.hereMinRemainingMs()) {
            return Verdict.NEXT_TARGET;
        }
        if (attemptsLeft
                && input.sameTargetRetries() < input.failure().sameTargetRetriesMax()
                && input.remainingMs() - input.waitMs() >= input.hereMinRemainingMs()) {
            return Verdict.SAME_TARGET;
        }
        if (attemptsLeft && input.belowMinRemainingMs() >= 0 && input.remainingMs() >= input.belowMinRemainingMs()) {
            return Verdict.NEXT_RUNG;
        }
        return input.textBelow() ? Verdict.TEXT_RUNG : Verdict.GIVE_UP;
    }
}
