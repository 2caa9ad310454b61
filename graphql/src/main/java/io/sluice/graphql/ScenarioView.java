package io.sluice.graphql;

import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.shift.ScenarioKey;
import java.util.Comparator;
import java.util.List;

/** A scenario with its tenant, under whose id its traffic is watched. */
record ScenarioView(ScenarioKey key, ScenarioConfig scenario) {
    static ScenarioView of(TenantTree tree, ScenarioConfig scenario) {
        return new ScenarioView(new ScenarioKey(tree.tenant().id(), scenario.name()), scenario);
    }

    /** All of a tenant, by name. */
    static List<ScenarioView> all(TenantTree tree) {
        return tree.scenarios().values().stream()
                .sorted(Comparator.comparing(ScenarioConfig::name))
                .map(scenario -> of(tree, scenario))
                .toList();
    }
}
