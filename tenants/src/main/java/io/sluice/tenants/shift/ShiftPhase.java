package io.sluice.tenants.shift;

/** Where the traffic of a scenario is on its way between the first rung and a substitute (requirement F4). */
public enum ShiftPhase {
    /** All requests start at the first rung, and nothing is wrong with it. */
    OFF,
    /** The first rung is in trouble, and no substitute is good enough yet. */
    EVALUATING,
    /** A growing share of requests starts at the substitute. */
    SHIFTING,
    /** All requests start at the substitute, for a while. */
    HOLDING,
    /** A growing share of requests starts at the first rung again. */
    RETURNING,
    /** All requests start at the first rung again, and nothing is shifted for a while, so that traffic does not swing. */
    RESTING
}
