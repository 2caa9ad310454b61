package io.sluice.plugins.bus;

/**
 * How often in a row a node did not answer in time, and until when it is not asked. A node that stalls is a member for some seconds
 * more, and without this every question would wait for it.
 *
 * @param timeouts in a row
 * @param leftOutUntilMs not asked before then
 */
record Patience(int timeouts, long leftOutUntilMs) {
    static final Patience NEW = new Patience(0, 0);

    /** A lost message or a pause is no reason yet. */
    static final int TIMEOUTS_MAX = 3;

    /** As long as the others need to see that a node is dead. */
    static final long LEFT_OUT_MS = 10_000;

    boolean asks(long nowMs) {
        return timeouts < TIMEOUTS_MAX || nowMs >= leftOutUntilMs;
    }

    Patience next(boolean timedOut, long nowMs) {
        return timedOut ? new Patience(Math.min(timeouts + 1, TIMEOUTS_MAX), nowMs + LEFT_OUT_MS) : NEW;
    }
}
