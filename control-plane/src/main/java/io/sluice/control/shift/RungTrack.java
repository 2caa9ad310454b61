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
    RungTrack at(ShiftSettings settings, long nowMs) {
        Map<String, Track> moved = new HashMap<>();
        targets.forEach((key, track) -> {
            Track now = track.at(settings, nowMs);
            if (now.baseline().all().calls() > 0) {
                moved.put(key, now);
            }
        });
        return new RungTrack(pool, whole.at(settings, nowMs), moved);
    }
}
