package io.sluice.data.pool;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioWindow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What scenarios saw of one pool's targets since the last report. Only what had traffic since then is kept, whatever the number of
 * scenarios; where those are more than {@value #WINDOWS_MAX}, each waits its turn and tells of more calls then. Owned by the pool's actor.
 */
final class ScenarioTallies {
    /** All nodes read every window; ten thousand scenarios are told once in ten seconds, well within a sample of shifts. */
    static final int WINDOWS_MAX = 1_000;

    private final ScopedId pool;
    private final Map<Key, Tally> tallies = new LinkedHashMap<>();

    private record Key(ScenarioKey scenario, String step, String target) {}

    private static final class Tally {
        /** Null before the first. */
        private Map<FailureClass, Long> failures;

        private final LatencyHistogram.Recorder latency = new LatencyHistogram.Recorder();
        private long usable;

        void failed(FailureClass failure) {
            if (failures == null) {
                failures = new EnumMap<>(FailureClass.class);
            }
            failures.merge(failure, 1L, Long::sum);
        }
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
            tally.failed(call.failure());
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

    /** The oldest windows, those with failures first; what they count is not counted again. */
    List<ScenarioWindow> drain() {
        List<ScenarioWindow> windows = new ArrayList<>(Math.min(tallies.size(), WINDOWS_MAX));
        if (tallies.size() > WINDOWS_MAX) {
            drain(windows, tally -> tally.failures != null);
        }
        drain(windows, tally -> true);
        return windows;
    }

    private void drain(List<ScenarioWindow> windows, Predicate<Tally> chosen) {
        for (var each = tallies.entrySet().iterator(); each.hasNext() && windows.size() < WINDOWS_MAX; ) {
            var entry = each.next();
            if (chosen.test(entry.getValue())) {
                windows.add(window(entry.getKey(), entry.getValue()));
                each.remove();
            }
        }
    }

    private ScenarioWindow window(Key key, Tally tally) {
        return new ScenarioWindow(
                key.scenario(),
                key.step(),
                pool,
                key.target(),
                tally.usable,
                tally.failures == null ? Map.of() : tally.failures,
                tally.latency.drain());
    }
}
