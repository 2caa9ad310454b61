package io.sluice.control.shift;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.shift.ScenarioWindow;
import java.util.HashMap;
import java.util.Map;

/** One rung of one scenario as it is remembered, as a whole and by target. Immutable. */
record RungTrack(ScopedId pool, Track whole, Map<String, Track> targets) {
    RungTrack {
        targets = Map.copyOf(targets);
    }

    static RungTrack fresh(ScopedId pool, long nowMs) {
        return new RungTrack(pool, Track.fresh(nowMs), Map.of());
    }

    RungTrack next(ScenarioWindow window, ShiftSettings settings, long nowMs) {
        Figures more = Figures.of(window);
        Map<String, Track> grown = new HashMap<>(targets);
        Track target = grown.getOrDefault(window.target(), Track.fresh(nowMs));
        grown.put(window.target(), target.next(more, settings, nowMs));
        return new RungTrack(pool, whole.next(more, settings, nowMs), grown);
    }

    /** The same, as time has passed; targets that nothing is remembered of are dropped. */
    @SuppressWarnings("ReferenceEquality") // the very same where nothing moved
    RungTrack at(ShiftSettings settings, long nowMs) {
        Map<String, Track> moved = new HashMap<>();
        Track now = whole.at(settings, nowMs);
        boolean same = now == whole;
        for (Map.Entry<String, Track> each : targets.entrySet()) {
            Track track = each.getValue().at(settings, nowMs);
            boolean kept = track.baseline().remembers();
            if (kept) {
                moved.put(each.getKey(), track);
            }
            same &= kept && track == each.getValue();
        }
        return same ? this : new RungTrack(pool, now, moved);
    }
}
