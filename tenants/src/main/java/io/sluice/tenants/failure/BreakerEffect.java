package io.sluice.tenants.failure;

/** What a failed attempt means to the circuit breaker of its target. */
public enum BreakerEffect {
    /** The target is not to blame: neither success nor failure. */
    NONE,
    /** Counts as a failed call in the sliding windows. */
    COUNT,
    /** Opens the breaker with this one call. */
    OPEN
}
