package io.sluice.tenants.drill;

/** How a rung proved that it answers. */
public enum Proof {
    /** It answered a request that had come its usual way. */
    EARNEST,
    /** It answered a request that a drill had sent to it. */
    DRILL,
    /** It answered when somebody walked the ladder. */
    VERIFY
}
