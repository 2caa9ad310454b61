package io.sluice.data.pool;

/**
 * When a target's circuit breaker opens and how it closes again (requirement A3).
 *
 * @param timeWindowMs length of the window by time
 * @param timeRate share of failures in it that opens
 * @param timeCallsMin calls in it before its rate means anything: three failures of five are bad luck
 * @param countWindow calls in the window by count, at most 64
 * @param countRate share of failures in it that opens
 * @param consecutiveMax failures of one class in a row that open
 * @param openMs how long no call is let through
 * @param probesMax calls let through half-open; all must succeed
 */
public record BreakerSettings(
        long timeWindowMs,
        double timeRate,
        int timeCallsMin,
        int countWindow,
        double countRate,
        int consecutiveMax,
        long openMs,
        int probesMax) {
    public static final BreakerSettings DEFAULT = new BreakerSettings(60_000, 0.6, 10, 20, 0.5, 10, 30_000, 3);

    public BreakerSettings {
        require(timeWindowMs >= 1_000, "timeWindowMs must be at least 1000");
        require(timeRate > 0 && timeRate <= 1, "timeRate must be above 0 and at most 1");
        require(timeCallsMin >= 1, "timeCallsMin must be at least 1");
        require(countWindow >= 2 && countWindow <= 64, "countWindow must be from 2 to 64");
        require(countRate > 0 && countRate <= 1, "countRate must be above 0 and at most 1");
        require(consecutiveMax >= 1, "consecutiveMax must be at least 1");
        require(openMs >= 1, "openMs must be at least 1");
        require(probesMax >= 1, "probesMax must be at least 1: with none the breaker could never close");
    }

    private static void require(boolean right, String message) {
        if (!right) {
            throw new IllegalArgumentException(message);
        }
    }
}
