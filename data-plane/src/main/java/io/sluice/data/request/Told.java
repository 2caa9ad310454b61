package io.sluice.data.request;

import java.time.Instant;

/** When it is time to tell once more of what goes on all day. Pure. */
final class Told {
    private static final int EVERY_S = 600;

    private static final long DAY_S = 86_400;

    private Told() {}

    /**
     * A number that changes every ten minutes, for each {@code hash} at a time of its own, and at the begin of each day of UTC.
     *
     * @param hash of what is told of
     */
    static long turn(int hash, Instant at) {
        long second = at.getEpochSecond();
        int own = Math.floorMod(hash * 0x9E3779B9, EVERY_S);
        return (second + own) / EVERY_S + second / DAY_S;
    }
}
