package io.sluice.tenants.routing;

import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.routing.StartInput.RunningShift;
import io.sluice.tenants.shift.ShiftState;
import java.time.Duration;
import java.util.List;

/**
 * A scenario with its ladder resolved and its times parsed.
 *
 * @param version of all that its answers depend on: equal where the scenario and the pools of its ladder are the same in the same
 *     versions, whatever happened to switches, drills, fault rules, apps or keys
 * @param degradedNotice what stands before an answer of a lower rung; null where nothing does
 * @param start where its requests start
 * @param limits of all its traffic; null where it has none
 */
public record CompiledScenario(
        String name,
        String version,
        Sensitivity sensitivity,
        RequestKind kind,
        boolean core,
        ScenarioSettings.Parsed settings,
        String degradedNotice,
        List<CompiledRung> ladder,
        CompiledStart start,
        LimitsConfig limits) {
    public CompiledScenario {
        ladder = List.copyOf(ladder);
    }

    /** A scenario whose requests start at its first rung. */
    public CompiledScenario(
            String name,
            String version,
            Sensitivity sensitivity,
            RequestKind kind,
            boolean core,
            ScenarioSettings.Parsed settings,
            List<CompiledRung> ladder) {
        this(name, version, sensitivity, kind, core, settings, null, ladder, CompiledStart.NORMAL, null);
    }

    /**
     * The shift that could take a request; null where traffic is not shifted, or to a rung that the ladder does not have.
     *
     * @param state as published; null where none is
     * @param unit where the request falls in [0, 1)
     */
    public RunningShift shift(ShiftState state, double unit) {
        if (state == null || state.share() == 0) {
            return null;
        }
        for (int rung = 1; rung < ladder.size(); rung++) {
            if (ladder.get(rung).name().equals(state.substitute())) {
                return new RunningShift(rung, state.share(), unit, state.version());
            }
        }
        return null;
    }

    /** How long an answer may be of use to equal requests; zero where they share none. */
    public Duration answersKept() {
        Duration longest = settings.exactCacheTtl();
        for (CompiledRung rung : ladder) {
            if (rung instanceof CompiledRung.Cache cache && cache.maxAgeMs() > longest.toMillis()) {
                longest = Duration.ofMillis(cache.maxAgeMs());
            }
        }
        return longest;
    }
}
