package io.sluice.data.limit;

/**
 * Which part of an upstream's rate is used, learnt from its refusals: a little more with time, much less with each 429 (additive
 * increase, multiplicative decrease, requirement B2). Pure.
 *
 * @param factor at {@code changedMs}, above 0 and at most 1
 */
record RateFactor(double factor, long changedMs) {
    /** Never refused. */
    static final RateFactor WHOLE = new RateFactor(1, Long.MIN_VALUE / 2);

    /** As for congestion in networks (CUBIC): so much is left that a limit which was passed by little is found soon. */
    static final double FALL = 0.7;

    /** What one refusal took away comes back within a minute, the provider's own window. */
    static final double RISE_PER_S = 0.005;

    /** So little is always tried: otherwise nobody would notice that the provider takes more again. */
    static final double MIN = 0.1;

    /** Calls that ran together are refused together: that is one refusal. */
    static final long TOGETHER_MS = 1_000;

    double at(long nowMs) {
        return Math.min(1, factor + RISE_PER_S * (nowMs - changedMs) / 1_000);
    }

    /** After a refusal. */
    RateFactor refused(long nowMs) {
        return nowMs - changedMs < TOGETHER_MS ? this : new RateFactor(Math.max(MIN, FALL * at(nowMs)), nowMs);
    }
}
