package io.sluice.data.limit;

/**
 * How a node limits.
 *
 * @param endUsersMax end users of one tenant that are counted at once
 * @param upstreamShare part of an upstream account's limit that is used, above 0 and at most 1
 */
public record LimitSettings(int endUsersMax, double upstreamShare) {
    /**
     * End users: at most 1.5 KB each, so at most 15 MB for a tenant whose limits are all used. Accounts: a quarter is left to others
     * who use them, and to the difference between two clocks and two ways to count tokens (requirement B2: 70 to 80 %).
     */
    public static final LimitSettings DEFAULT = new LimitSettings(10_000, 0.75);

    public LimitSettings {
        if (endUsersMax < 1) {
            throw new IllegalArgumentException("endUsersMax must be at least 1");
        }
        if (!(upstreamShare > 0 && upstreamShare <= 1)) {
            throw new IllegalArgumentException("upstreamShare must be above 0 and at most 1");
        }
    }
}
