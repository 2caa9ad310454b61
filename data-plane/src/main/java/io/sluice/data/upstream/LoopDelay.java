package io.sluice.data.upstream;

/**
 * How long what an event loop hears may have waited for it: how late its ticks are. A loop that is full, or whose node stood still
 * (collector, no processor), would else take its own slowness for its upstreams'.
 *
 * <p>Pure: whoever owns it brings the time. For one thread.
 */
final class LoopDelay {
    private long lastMs;
    private long delayMs;

    /** The first tick is due {@link TimerWheel#TICK_MS} from now. */
    void begin(long nowMs) {
        lastMs = nowMs;
        delayMs = 0;
    }

    /** A tick. A delay is forgotten as slowly as it came, because what waited is worked off then. */
    void tick(long nowMs) {
        long passedMs = nowMs - lastMs;
        delayMs = Math.max(late(nowMs), Math.max(0, delayMs - passedMs));
        lastMs = nowMs;
    }

    /** The delay of something heard now, at most; 0 where ticks come in time. */
    long atMost(long nowMs) {
        return Math.max(delayMs, late(nowMs));
    }

    private long late(long nowMs) {
        return Math.max(0, nowMs - lastMs - TimerWheel.TICK_MS);
    }
}
