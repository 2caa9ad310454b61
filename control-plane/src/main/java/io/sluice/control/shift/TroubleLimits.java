package io.sluice.control.shift;

/**
 * From where on the first rung of a scenario is in trouble (requirements F3, F4).
 *
 * @param latencyFactor p95 in times of the usual p95
 * @param errorRate share of calls that fail
 * @param errorsMin fewer failed calls are chance
 * @param uselessRate share of answers that are of no use
 * @param resourcesMax share of the server's capacity in use
 * @param memoryMax share of GPU memory in use from which on a target gets no new requests
 */
public record TroubleLimits(
        double latencyFactor,
        double errorRate,
        int errorsMin,
        double uselessRate,
        double resourcesMax,
        double memoryMax) {
    /** As F3 and F4 say. */
    public static final TroubleLimits DEFAULT = new TroubleLimits(1.8, 0.05, 10, 0.15, 0.9, 0.85);

    /** Less than this more than usual nobody notices, and quick answers are never even. */
    static final double SLOW_MIN_MS = 100;

    /** Whether so much is far more than usual; a baseline of 0 is none. */
    boolean slow(double p95Ms, double baselineP95Ms) {
        return baselineP95Ms > 0 && p95Ms > latencyFactor * baselineP95Ms && p95Ms > baselineP95Ms + SLOW_MIN_MS;
    }
}
