package io.sluice.data.pool;

import io.sluice.tenants.failure.FailureClass;

/**
 * A node's own fast view of a target: a moving share of usable answers, call by call. It only ever reduces a weight, within a
 * few calls and without waiting for the control plane; as answers become usable again the share rises as smoothly.
 *
 * @param usable moving share of usable answers, 0 to 1
 */
record LocalHealth(double usable) {
    static final LocalHealth FULL = new LocalHealth(1);

    /** After a breaker closed: the target must earn its share again (requirement F5). */
    static final LocalHealth RECOVERING = new LocalHealth(0.3);

    /** Ten bad calls in a row bring the factor to its floor, ten good ones bring it back: at 50 requests/s under a second. */
    private static final double STEP = 0.2;

    /**
     * A target that fails always still gets one call in fifty of what its weight says, so that its return is noticed without
     * probes of our own.
     */
    static final double FACTOR_MIN = 0.02;

    /**
     * While half-open. The number of probes is what bounds the harm, so they need not wait long for a request: three of them
     * are among the next dozen or so.
     */
    static final double FACTOR_PROBING = 0.25;

    LocalHealth next(FailureClass failure) {
        if (failure != null && !failure.lowersHealth()) {
            return this;
        }
        return new LocalHealth(usable + STEP * ((failure == null ? 1 : 0) - usable));
    }

    /** What the configured weight is multiplied with. Squared, so that a target with half its answers bad gets a quarter. */
    double factor() {
        return usable > 0.999 ? 1 : Math.max(FACTOR_MIN, usable * usable);
    }
}
