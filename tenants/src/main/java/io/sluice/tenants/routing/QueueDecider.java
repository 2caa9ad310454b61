package io.sluice.tenants.routing;

import io.sluice.tenants.config.Lane;

/**
 * Says how long a request may wait for a permit of a rung whose usable targets are all busy (requirements B3, A5). Real-time
 * waits a moment, because a permit that comes free within it is better than a lower rung, and somebody is waiting for the
 * answer; batch waits as long as its deadline leaves time for an attempt.
 */
public final class QueueDecider {
    /** Real-time never spends more than this share of what is left of its deadline on one wait: nine tenths are for answers. */
    static final int REALTIME_SHARE = 10;

    private QueueDecider() {}

    /**
     * What the choice depends on.
     *
     * @param remainingMs of the deadline
     * @param minRemainingMs what an attempt of the rung needs at least
     * @param realtimeWaitMaxMs setting; over all waits of a request
     * @param waitedMs in earlier queues of this request
     */
    public record Input(Lane lane, long remainingMs, long minRemainingMs, long realtimeWaitMaxMs, long waitedMs) {}

    /** Longest wait, milliseconds; 0 where the request does not queue. */
    public static long decide(Input input) {
        long spare = input.remainingMs() - input.minRemainingMs();
        long allowed = input.lane() == Lane.BATCH
                ? spare
                : Math.min(
                        spare,
                        Math.min(input.realtimeWaitMaxMs() - input.waitedMs(), input.remainingMs() / REALTIME_SHARE));
        return Math.max(0, allowed);
    }
}
