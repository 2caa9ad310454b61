package io.sluice.data.pool;

/**
 * The share of its weight that a target has while it warms up: after its breaker closed, or when it is new to a pool that serves
 * (requirement F5). It rises in a straight line and only ever reduces.
 *
 * @param sinceMs when it began; {@link TargetGauge#NEVER_MS} where there is nothing to warm up
 * @param overMs how long it takes; 0 where targets get their whole weight at once
 */
record SlowStart(long sinceMs, long overMs) {
    /** The first share: enough calls to warm a cache, few enough to hurt nobody. Envoy's slow start begins with a tenth too. */
    static final double FACTOR_MIN = 0.1;

    /** What the weight is multiplied with at {@code nowMs}. */
    double factor(long nowMs) {
        if (!running(nowMs)) {
            return 1;
        }
        return Math.max(FACTOR_MIN, (double) (nowMs - sinceMs) / overMs);
    }

    boolean running(long nowMs) {
        return sinceMs != TargetGauge.NEVER_MS && nowMs - sinceMs < overMs;
    }

    SlowStart from(long nowMs) {
        return new SlowStart(nowMs, overMs);
    }
}
