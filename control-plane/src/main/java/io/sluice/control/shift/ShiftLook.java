package io.sluice.control.shift;

import io.sluice.control.api.ShiftStanding;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ShiftState;
import java.time.Instant;

/**
 * What a look at a scenario found, its figures unreckoned: all scenarios in use are looked at again and again, and hardly one is asked for.
 * Immutable.
 *
 * @param atMs when it was looked at
 */
record ShiftLook(
        ScenarioKey key,
        ScenarioConfig scenario,
        ScenarioWatch watch,
        ShiftState state,
        ShiftSettings settings,
        long atMs) {
    ShiftStanding standing() {
        TroubleInput trouble = watch.trouble(scenario, state, settings);
        Figures recent = trouble.recent();
        return new ShiftStanding(
                key,
                state,
                ScenarioSettings.shift(scenario.settings()).enabled(),
                TroubleDecider.decide(trouble, settings.limits()),
                trouble.baselineP95Ms(),
                recent.p95Ms(),
                recent.calls(),
                recent.errorRate(),
                recent.uselessRate(),
                Instant.ofEpochMilli(atMs));
    }
}
