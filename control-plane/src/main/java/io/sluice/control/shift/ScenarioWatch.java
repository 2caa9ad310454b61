package io.sluice.control.shift;

import io.sluice.control.shift.ImpactDecider.Judgement;
import io.sluice.control.shift.ShiftInput.Candidate;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.config.ShiftSetting;
import io.sluice.tenants.config.ShiftSetting.Impact;
import io.sluice.tenants.shift.ScenarioWindow;
import io.sluice.tenants.shift.ShiftState;
import io.sluice.tenants.shift.Slowdown;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that is remembered of one scenario's calls, and what follows from it. Immutable; times are milliseconds of one clock.
 *
 * @param rungs by step
 * @param atMs when it was last heard of
 */
record ScenarioWatch(Map<String, RungTrack> rungs, long atMs) {
    /** A rung's latest calls: two samples and the running one, so that what began to go wrong is all there is within a minute. */
    static final int LATEST = 2;

    ScenarioWatch {
        rungs = Map.copyOf(rungs);
    }

    static ScenarioWatch fresh(long nowMs) {
        return new ScenarioWatch(Map.of(), nowMs);
    }

    /** With one node's window. A rung that has another pool now begins anew. */
    ScenarioWatch next(ScenarioWindow window, ShiftSettings settings, long nowMs) {
        Map<String, RungTrack> grown = new HashMap<>(rungs);
        RungTrack known = rungs.get(window.step());
        RungTrack track =
                known == null || !known.pool().equals(window.pool()) ? RungTrack.fresh(window.pool(), nowMs) : known;
        grown.put(window.step(), track.next(window, settings, nowMs));
        return new ScenarioWatch(grown, nowMs);
    }

    /** The same, as time has passed. */
    @SuppressWarnings("ReferenceEquality") // the very same where nothing moved
    ScenarioWatch at(ShiftSettings settings, long nowMs) {
        Map<String, RungTrack> moved = new HashMap<>();
        boolean same = true;
        for (Map.Entry<String, RungTrack> each : rungs.entrySet()) {
            RungTrack track = each.getValue().at(settings, nowMs);
            moved.put(each.getKey(), track);
            same &= track == each.getValue();
        }
        return same ? this : new ScenarioWatch(moved, atMs);
    }

    /** What is known of the first rung. */
    TroubleInput trouble(ScenarioConfig scenario, ShiftState state, ShiftSettings settings) {
        Track track = whole(scenario.ladder().get(0).name());
        return new TroubleInput(
                track.samples(), settings.samples(), track.last(settings.samples()), baselineMs(scenario, state), null);
    }

    /** What usual is for the scenario: what it was before the last trouble, until that is over. */
    double baselineMs(ScenarioConfig scenario, ShiftState state) {
        return state.baselineP95Ms() > 0
                ? state.baselineP95Ms()
                : whole(scenario.ladder().get(0).name()).baseline().p95Ms();
    }

    /** What the next step of the shift depends on. */
    ShiftInput input(ScenarioConfig scenario, ShiftState state, ShiftSettings settings) {
        ShiftSetting setting = ScenarioSettings.shift(scenario.settings());
        TroubleInput trouble = trouble(scenario, state, settings);
        TroubleLimits limits = settings.limits();
        double baselineMs = trouble.baselineP95Ms();
        String first = scenario.ladder().get(0).name();
        Impact usual = new Impact(first, limits.latencyFactor(), limits.errorRate(), limits.uselessRate());
        return new ShiftInput(
                setting.enabled() && scenario.kind().mayDescend(),
                TroubleDecider.decide(trouble, limits),
                TroubleDecider.well(trouble, limits),
                latest(first, baselineMs, usual),
                baselineMs,
                setting.table(scenario.ladder()).stream()
                        .map(impact -> new Candidate(
                                impact.step(),
                                latest(impact.step(), baselineMs, impact),
                                ImpactDecider.decide(
                                        whole(impact.step()).baseline().all(), baselineMs, impact)))
                        .toList());
    }

    private Judgement latest(String step, double baselineMs, Impact impact) {
        return ImpactDecider.decide(whole(step).last(LATEST), baselineMs, impact);
    }

    /** What is taken from slow targets from now on. */
    Map<ScopedId, Map<String, Slowdown>> slowed(
            ScenarioConfig scenario, ShiftState state, ShiftSettings settings, long nowMs) {
        Map<ScopedId, Map<String, Slowdown>> slowed = new HashMap<>();
        List<String> steps = scenario.ladder().stream().map(RungConfig::name).toList();
        rungs.forEach((step, rung) -> {
            if (steps.contains(step)) {
                rung.targets().forEach((key, track) -> {
                    Slowdown before =
                            state.slowed().getOrDefault(rung.pool(), Map.of()).get(key);
                    Slowdown now = SlowdownDecider.decide(before, slow(track, settings), null, nowMs, settings);
                    if (now != null) {
                        slowed.computeIfAbsent(rung.pool(), pool -> new HashMap<>())
                                .merge(key, now, (a, b) -> a.weight() < b.weight() ? a : b);
                    }
                });
            }
        });
        return slowed;
    }

    private static boolean slow(Track track, ShiftSettings settings) {
        Figures latest = track.last(LATEST);
        return latest.latency().count() >= Baseline.CALLS_MIN
                && settings.limits().slow(latest.p95Ms(), track.baseline().p95Ms());
    }

    /** What the first rung did lately. */
    Figures recent(ScenarioConfig scenario, ShiftSettings settings) {
        return whole(scenario.ladder().get(0).name()).last(settings.samples());
    }

    private Track whole(String step) {
        RungTrack track = rungs.get(step);
        return track == null ? Track.fresh(atMs) : track.whole();
    }
}
