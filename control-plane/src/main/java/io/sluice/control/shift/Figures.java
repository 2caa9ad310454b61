package io.sluice.control.shift;

import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.shift.ScenarioWindow;
import java.util.Map;

/**
 * What calls came to over some time.
 *
 * @param usable answers that were delivered whole
 * @param errors calls that failed in a way that lowers health, useless answers aside
 * @param useless answers that came and were of no use
 * @param latency milliseconds
 */
record Figures(long usable, long errors, long useless, LatencyHistogram latency) {
    static final Figures NONE = new Figures(0, 0, 0, LatencyHistogram.EMPTY);

    /** Of one node's window. What callers did wrong, or broke off, says nothing about a target. */
    static Figures of(ScenarioWindow window) {
        long errors = 0;
        for (Map.Entry<FailureClass, Long> each : window.failures().entrySet()) {
            errors += each.getKey().lowersHealth() && each.getKey() != FailureClass.SEMANTIC ? each.getValue() : 0;
        }
        long useless = window.failures().getOrDefault(FailureClass.SEMANTIC, 0L);
        return new Figures(window.usable(), errors, useless, window.latency());
    }

    Figures plus(Figures more) {
        return new Figures(
                usable + more.usable, errors + more.errors, useless + more.useless, latency.plus(more.latency));
    }

    long calls() {
        return usable + errors + useless;
    }

    /** Share of calls that failed; 0 where there were none. */
    double errorRate() {
        return calls() == 0 ? 0 : (double) errors / calls();
    }

    /** Share of answers that were of no use; 0 where none came. */
    double uselessRate() {
        return usable + useless == 0 ? 0 : (double) useless / (usable + useless);
    }

    double p95Ms() {
        return latency.quantile(0.95);
    }
}
