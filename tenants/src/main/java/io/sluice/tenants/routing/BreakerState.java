package io.sluice.tenants.routing;

/** Whether a target may be called (requirement A3). */
public enum BreakerState {
    CLOSED,
    OPEN,
    HALF_OPEN,
    /**
     * Open, like all of its pool, and the first of them to return: where nothing else is left to answer a request, it may be
     * asked now, at a bounded rate, so that its return is noticed. Only decisions know this state; a breaker is open.
     */
    RETURNING
}
