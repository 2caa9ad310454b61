package io.sluice.tenants.routing;

/** Whether a target may be called (requirement A3). */
public enum BreakerState {
    CLOSED,
    OPEN,
    HALF_OPEN
}
