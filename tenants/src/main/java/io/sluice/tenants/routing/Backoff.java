package io.sluice.tenants.routing;

/**
 * How long a repeat of the same target waits: full jitter over base·2^n (requirement A2), at least the provider's
 * Retry-After.
 */
public final class Backoff {
    /** A1 gives 100 → 300 ms for network trouble; full jitter over 100·2^n has that range in its first two steps. */
    public static final long BASE_MS = 100;

    /** Longer waits are another request's business (requirement A2). */
    public static final long CAP_MS = 30_000;

    private Backoff() {}

    /**
     * The wait before repeat {@code retry} (0 is the first).
     *
     * @param unit random number in [0, 1)
     * @param retryAfterMs what the provider asked for; 0 where it did not
     */
    public static long waitMs(int retry, double unit, long retryAfterMs) {
        long ceiling = Math.min(CAP_MS, BASE_MS << Math.min(retry + 1, 20));
        return Math.max((long) (unit * ceiling), retryAfterMs);
    }
}
