package io.sluice.data.limit;

import io.sluice.tenants.limit.LimitFacts;
import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitKind;

/**
 * One limit of a rule, with all that counts for it already found. Thread-safe.
 *
 * @param window null for what runs at once
 */
record LimitUse(
        LimitKey key, LimitKind kind, int limit, RateShares.Part part, LimitCounter counter, SlidingMinute window) {
    /** After this everything that is used now has left the window; a node that has too small a share has another one by then. */
    private static final long LONGEST_MS = 61_000;

    /** Nobody knows when a running request ends. */
    static final long RUNNING_RETRY_MS = 1_000;

    /** Takes {@code amount}, for what runs always 1, unless more than {@code share} were used then. */
    boolean tryTake(long amount, int share, long nowMs) {
        return window == null ? counter.tryRun(share) : window.tryTake(amount, share, nowMs);
    }

    void giveBack(long amount, long takenMs, long nowMs) {
        if (window == null) {
            counter.ended();
        } else {
            window.giveBack(amount, takenMs, nowMs);
        }
    }

    /** How it stands for a request that needs so much. */
    LimitFacts facts(long need, long nowMs) {
        int share = part.share(limit);
        if (window == null) {
            int running = counter.running();
            return new LimitFacts(key.level(), kind, limit, share, running, running < share ? 0 : RUNNING_RETRY_MS);
        }
        long used = window.used(nowMs);
        long freeMs = used + need <= share ? 0 : Math.min(LONGEST_MS, window.untilRoomMs(need, share, nowMs));
        return new LimitFacts(key.level(), kind, limit, share, used, freeMs);
    }

    /** Of the whole limit, as far as is known: what this node may use by itself is no caller's business. */
    long remaining(LimitFacts facts) {
        return Math.max(0, limit - part.elsewhere() - facts.used());
    }
}
