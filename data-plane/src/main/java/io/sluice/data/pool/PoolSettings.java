package io.sluice.data.pool;

/**
 * How a node treats its pools.
 *
 * @param breaker of every target
 * @param retries of every pool
 * @param queue of every pool
 * @param earlyEveryMs where all targets of a pool are open and nothing else can answer: one call is let through per this time
 * @param slowStartMs a recovered or new target's weight rises over this time; 0 gives it at once
 * @param warmPingMs a target of a ladder in use that has had no call for this long is pinged; 0 switches pings off
 */
public record PoolSettings(
        BreakerSettings breaker,
        RetrySettings retries,
        QueueSettings queue,
        long earlyEveryMs,
        long slowStartMs,
        long warmPingMs) {
    /**
     * A probe a second finds a target well within a second and harms nobody; half a minute fills caches and connection pools;
     * common proxies close connections that are idle for longer than half a minute (requirement F5).
     */
    public static final PoolSettings DEFAULT = new PoolSettings(
            BreakerSettings.DEFAULT, RetrySettings.DEFAULT, QueueSettings.DEFAULT, 1_000, 30_000, 30_000);

    public PoolSettings {
        if (earlyEveryMs < 1) {
            throw new IllegalArgumentException("earlyEveryMs must be at least 1");
        }
        if (slowStartMs < 0 || warmPingMs < 0) {
            throw new IllegalArgumentException("slowStartMs and warmPingMs must be at least 0");
        }
    }
}
