package io.sluice.data.pool;

/**
 * How a node treats its pools.
 *
 * @param breaker of every target
 * @param retries of every pool
 */
public record PoolSettings(BreakerSettings breaker, RetrySettings retries) {
    public static final PoolSettings DEFAULT = new PoolSettings(BreakerSettings.DEFAULT, RetrySettings.DEFAULT);
}
