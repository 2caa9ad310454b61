package io.sluice.tenants.shift;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import java.util.Map;

/**
 * What one node saw of one target in one scenario in one reporting interval. Only first calls of a request count: a repeat has less
 * time and would let one request count twice.
 *
 * @param step the rung whose calls these were
 * @param target see {@code CompiledTarget.key}
 * @param usable answers that were delivered whole
 * @param failures by class; only those that lower health are counted as unusable
 * @param latency milliseconds of whole usable answers, and of calls that were given up for lack of time: those took at least so long
 */
public record ScenarioWindow(
        ScenarioKey scenario,
        String step,
        ScopedId pool,
        String target,
        long usable,
        Map<FailureClass, Long> failures,
        LatencyHistogram latency) {
    public ScenarioWindow {
        failures = Map.copyOf(failures);
    }
}
