package io.sluice.data.pool;

/**
 * How much of a pool's traffic may be retries: calls by requests that have called the pool before (requirement A4).
 *
 * @param share of the requests that called the pool within the window, and of the pool's permits
 * @param floor retries per window that are allowed however few requests there are
 * @param windowMs length of the sliding window
 */
public record RetrySettings(double share, int floor, long windowMs) {
    /**
     * A4 gives 20 %. The floor lets one target of a quiet pool fail as often as its breaker needs to open ({@code
     * consecutiveMax}) without a caller noticing. Ten seconds forget a burst soon, yet hold enough requests for a share to mean
     * something.
     */
    public static final RetrySettings DEFAULT = new RetrySettings(0.2, 10, 10_000);

    public RetrySettings {
        require(share >= 0 && share <= 1, "share must be from 0 to 1");
        require(floor >= 0, "floor must be at least 0");
        require(windowMs >= 1_000 && windowMs <= 60_000, "windowMs must be from 1000 to 60000");
    }

    private static void require(boolean right, String message) {
        if (!right) {
            throw new IllegalArgumentException(message);
        }
    }
}
