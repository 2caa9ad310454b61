package io.sluice.data.pool;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioWindow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What scenarios saw of one pool's targets since the last report. Only what had traffic since then is kept, whatever the number of
 * scenarios. Owned by the pool's actor.
 */
final class ScenarioTallies {
    private final ScopedId pool;
    private final Map<Key, Tally> tallies = new HashMap<>();

    private record Key(ScenarioKey scenario, String step, String target) {}

    private static final class Tally {
        private final Map<FailureClass, Long> failures = new EnumMap<>(FailureClass.class);
        private final LatencyHistogram.Recorder latency = new LatencyHistogram.Recorder();
        private long usable;
    }

    ScenarioTallies(ScopedId pool) {
        this.pool = pool;
    }

    /** Counts a request's first call of a target. */
    void observe(CallObserved call) {
        if (!call.firstAttempt()) {
            return;
        }
        Tally tally =
                tallies.computeIfAbsent(new Key(call.scenario(), call.step(), call.target()), made -> new Tally());
        if (call.failure() == null) {
            tally.usable++;
        } else {
            tally.failures.merge(call.failure(), 1L, Long::sum);
        }
        if (call.failure() == null || givenUp(call.failure())) {
            tally.latency.record(call.totalMs());
        }
    }

    private static boolean givenUp(FailureClass failure) {
        return failure == FailureClass.TIMEOUT_FIRST_TOKEN || failure == FailureClass.TIMEOUT_TOTAL;
    }

    boolean isEmpty() {
        return tallies.isEmpty();
    }

    /** The windows since the last call of this method. */
    List<ScenarioWindow> drain() {
        List<ScenarioWindow> windows = new ArrayList<>(tallies.size());
        tallies.forEach((key, tally) -> windows.add(new ScenarioWindow(
                key.scenario(), key.step(), pool, key.target(), tally.usable, tally.failures, tally.latency.drain())));
        tallies.clear();
        return windows;
    }
}
