package io.sluice.tenants.failure;

/**
 * The one class of a failed attempt. The class alone decides what follows: whether the same target is tried again, whether
 * another one may be, whether health suffers, whether the breaker counts it, and what the caller is told when it was the
 * last. This table is the only place that says so (requirement A1).
 */
public enum FailureClass {
    /** Refused, reset or unreachable, or a proxy's 502/503/504. Two repeats: short network trouble passes within 300 ms. */
    NETWORK(2, true, true, BreakerEffect.COUNT, false, Refusal.UPSTREAM_FAILED),
    /** The provider's own 500, or an answer that is no answer (HTML, cut JSON). One repeat. */
    UPSTREAM_INTERNAL(1, true, true, BreakerEffect.COUNT, false, Refusal.UPSTREAM_FAILED),
    /** The server ran out of GPU memory: repeating makes it worse. */
    OUT_OF_MEMORY(0, true, true, BreakerEffect.OPEN, true, Refusal.UPSTREAM_FAILED),
    /** 429: the target wants fewer calls, so it gets none for a while. */
    RATE_LIMITED(0, true, true, BreakerEffect.COUNT, false, Refusal.NO_HEALTHY_TARGET),
    /** The provider account is out of money or quota: nothing will pass before its reset. */
    QUOTA_EXHAUSTED(0, true, true, BreakerEffect.OPEN, true, Refusal.UPSTREAM_FAILED),
    /** The prompt does not fit this model; one target with a larger window may be tried, a text never helps. */
    CONTEXT_LENGTH(0, true, false, BreakerEffect.NONE, false, Refusal.CONTEXT_LENGTH_EXCEEDED),
    /** The provider's safety filter refused the prompt or the answer. */
    CONTENT_FILTER(0, false, false, BreakerEffect.NONE, false, Refusal.CONTENT_FILTER),
    /** The provider calls the request wrong; no other target will see it differently. */
    BAD_REQUEST(0, false, false, BreakerEffect.NONE, false, Refusal.INVALID_REQUEST),
    /**
     * Sluice may not call the provider: its credential is not accepted or can not be read, or the provider's address is not
     * allowed. Only an operator can change that. Never shown as the caller's own 401.
     */
    AUTH(0, true, true, BreakerEffect.COUNT, true, Refusal.UPSTREAM_FAILED),
    /** 529, overloaded_error, server_is_overloaded: somebody else may have room at once. */
    OVERLOADED(0, true, true, BreakerEffect.COUNT, false, Refusal.NO_HEALTHY_TARGET),
    /** No content-bearing event within the first-token time. */
    TIMEOUT_FIRST_TOKEN(0, true, true, BreakerEffect.COUNT, false, Refusal.DEADLINE_EXCEEDED),
    /** The answer began but did not end in time, or fell silent. */
    TIMEOUT_TOTAL(0, true, true, BreakerEffect.COUNT, false, Refusal.DEADLINE_EXCEEDED),
    /** 200, yet useless: empty answer. Content never opens a breaker; it lowers the usable-answer rate. */
    SEMANTIC(0, true, true, BreakerEffect.NONE, false, Refusal.UPSTREAM_FAILED),
    /** The caller left. */
    CANCELLED(0, false, false, BreakerEffect.NONE, false, Refusal.UPSTREAM_FAILED);

    private final int sameTargetRetriesMax;
    private final boolean otherTargetMayHelp;
    private final boolean lowersHealth;
    private final BreakerEffect breaker;
    private final boolean alerts;
    private final Refusal whenLast;

    FailureClass(
            int sameTargetRetriesMax,
            boolean otherTargetMayHelp,
            boolean lowersHealth,
            BreakerEffect breaker,
            boolean alerts,
            Refusal whenLast) {
        this.sameTargetRetriesMax = sameTargetRetriesMax;
        this.otherTargetMayHelp = otherTargetMayHelp;
        this.lowersHealth = lowersHealth;
        this.breaker = breaker;
        this.alerts = alerts;
        this.whenLast = whenLast;
    }

    /** How often the same target may be asked again within one request, if the budgets allow and no other is left. */
    public int sameTargetRetriesMax() {
        return sameTargetRetriesMax;
    }

    /** Whether another target or a lower rung is worth an attempt. */
    public boolean otherTargetMayHelp() {
        return otherTargetMayHelp;
    }

    /** Whether the target's usable-answer rate suffers. */
    public boolean lowersHealth() {
        return lowersHealth;
    }

    public BreakerEffect breaker() {
        return breaker;
    }

    /** Whether an operator has to act: logged at WARN and counted in an alert metric. */
    public boolean alerts() {
        return alerts;
    }

    /** What the caller is told when this was the last attempt. */
    public Refusal whenLast() {
        return whenLast;
    }
}
