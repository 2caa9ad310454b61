package io.sluice.tenants.health;

/** What a target is doing, for people who look at it. */
public enum TargetState {
    SERVING,
    SLOW,
    EJECTED,
    PROBING,
    WARMING,
    DRAINED
}
