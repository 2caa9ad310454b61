package io.sluice.data.pool;

/** How often a pool is reported to which nothing happens: so a thousand idle pools cost next to nothing. Of one thread. */
final class RestTurns {
    /** The health actor passes on what is at rest twice a minute; it is told a little more often. */
    static final int EVERY = 5;

    private int resting;

    /**
     * Asked once in each interval.
     *
     * @param atRest whether there is anything to say but that there is nothing
     * @return whether it is to be said now: at once when the rest begins or ends, and then every {@value #EVERY} intervals
     */
    boolean due(boolean atRest) {
        boolean due = !atRest || resting % EVERY == 0;
        resting = atRest ? resting + 1 : 0;
        return due;
    }
}
