package io.sluice.tenants.health;

import io.sluice.tenants.failure.FailureClass;
import java.util.Map;

/**
 * What one node saw of one target in one reporting interval.
 *
 * @param key see {@code CompiledTarget.key}
 * @param usable answers that were delivered whole
 * @param failures by class; only those that lower health are counted as unusable
 * @param latency milliseconds of whole attempts
 * @param firstToken milliseconds to the first content-bearing event
 * @param inFlight calls running at the end of the interval
 * @param state as this node sees it
 * @param local this node's own reduction, 0 to 1
 */
public record TargetWindow(
        String key,
        long usable,
        Map<FailureClass, Long> failures,
        LatencyHistogram latency,
        LatencyHistogram firstToken,
        int inFlight,
        TargetState state,
        double local) {
    public TargetWindow {
        failures = Map.copyOf(failures);
    }

    /** Attempts that lower health. */
    public long unusable() {
        return failures.entrySet().stream()
                .filter(entry -> entry.getKey().lowersHealth())
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
