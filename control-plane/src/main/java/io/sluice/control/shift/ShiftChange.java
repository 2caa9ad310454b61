package io.sluice.control.shift;

import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ShiftState;

/**
 * A scenario's state changed.
 *
 * @param gone whether the scenario is configured no more
 */
public record ShiftChange(ScenarioKey scenario, ShiftState before, ShiftState after, boolean gone) {
    /** Whether people want to read of it: weights of targets move by themselves. */
    boolean moved() {
        return before.phase() != after.phase() || before.step() != after.step();
    }

    ScenarioShift shift() {
        return new ScenarioShift(scenario, after);
    }
}
