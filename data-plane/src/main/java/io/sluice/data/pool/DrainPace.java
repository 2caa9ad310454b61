package io.sluice.data.pool;

/**
 * How fast a queue is served while somebody waits in it: requests that were given a permit, by the time in which there was a
 * queue, both forgotten alike. What an empty queue could have served is not known, so that every queue begins without a figure.
 *
 * <p>Pure: no clock, no thread. Owned by {@link LaneQueue}.
 */
final class DrainPace {
    /** Waits of a minute are judged by it, and calls of many seconds end in bursts. */
    private static final double HALF_LIFE_MS = 30_000;

    /** Where calls end at random, so many give a pace that is a quarter off in one case of three. */
    private static final int SERVED_MIN = 20;

    private static final double FORGETTING_MS = HALF_LIFE_MS / Math.log(2);

    private double served;
    private double busyMs;
    private long atMs;

    /** The first request waits. */
    void begin(long nowMs) {
        served = 0;
        busyMs = 0;
        atMs = nowMs;
    }

    /** So many were given a permit. */
    void served(int count, long nowMs) {
        advance(nowMs);
        served += count;
    }

    /** How long {@code count} requests take at this pace; 0 where too few were served to say. */
    double msFor(int count, long nowMs) {
        advance(nowMs);
        return served < SERVED_MIN ? 0 : count * busyMs / served;
    }

    private void advance(long nowMs) {
        double left = Math.pow(0.5, (nowMs - atMs) / HALF_LIFE_MS);
        served *= left;
        busyMs = busyMs * left + (1 - left) * FORGETTING_MS;
        atMs = nowMs;
    }
}
