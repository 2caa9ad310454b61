package io.sluice.control.health;

import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import java.util.Map;

/** Windows that tests report. */
final class Windows {
    private Windows() {}

    static TargetWindow usable(String key, long calls, double millis) {
        return window(key, calls, Map.of(), millis, 0, TargetState.SERVING);
    }

    static TargetWindow failing(String key, FailureClass failure, long calls) {
        return window(key, 0, Map.of(failure, calls), 0, 0, TargetState.SERVING);
    }

    /** Of a node that takes something off by itself. */
    static TargetWindow reduced(String key, double local) {
        return new TargetWindow(
                key, 1, Map.of(), LatencyHistogram.EMPTY, LatencyHistogram.EMPTY, 0, TargetState.SERVING, local);
    }

    static TargetWindow window(
            String key, long usable, Map<FailureClass, Long> failures, double millis, int inFlight, TargetState state) {
        LatencyHistogram.Recorder latency = new LatencyHistogram.Recorder();
        for (int i = 0; i < usable; i++) {
            latency.record(millis);
        }
        LatencyHistogram drained = latency.drain();
        return new TargetWindow(key, usable, failures, drained, drained, inFlight, state, 1);
    }
}
