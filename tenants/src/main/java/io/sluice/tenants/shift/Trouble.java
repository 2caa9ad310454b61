package io.sluice.tenants.shift;

/** What can be wrong with the first rung of a scenario; two of these together are a reason to shift (requirement F4). */
public enum Trouble {
    /** Answers take far longer than usual, for several samples in a row. */
    LATENCY,
    /** Too many calls fail. */
    ERRORS,
    /** Too many answers come and are of no use. */
    QUALITY,
    /** The server has hardly any capacity left. */
    RESOURCES
}
