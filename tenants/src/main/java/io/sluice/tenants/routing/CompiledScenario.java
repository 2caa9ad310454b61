package io.sluice.tenants.routing;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.config.Sensitivity;
import java.util.List;

/** A scenario with its ladder resolved and its times parsed. */
public record CompiledScenario(
        String name,
        Sensitivity sensitivity,
        RequestKind kind,
        boolean core,
        ScenarioSettings.Parsed settings,
        List<CompiledRung> ladder) {
    public CompiledScenario {
        ladder = List.copyOf(ladder);
    }
}
