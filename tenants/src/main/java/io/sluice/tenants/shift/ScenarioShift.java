package io.sluice.tenants.shift;

import java.util.Objects;

/** The state of one scenario, as it is published and stored. */
public record ScenarioShift(ScenarioKey scenario, ShiftState state) {
    public ScenarioShift {
        Objects.requireNonNull(scenario);
        Objects.requireNonNull(state);
    }
}
