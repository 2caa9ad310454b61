package io.sluice.tenants.routing;

import io.sluice.tenants.TenantId;
import java.util.List;
import java.util.Map;

/**
 * One tenant in the form the request path needs.
 *
 * @param pools by the id under which the tenant may name them, own ones before the platform's
 * @param scenarioNames sorted, for error messages
 */
public record CompiledTenant(
        TenantId id,
        boolean suspended,
        Map<String, CompiledScenario> scenarios,
        List<String> scenarioNames,
        Map<String, CompiledPool> pools) {
    public CompiledTenant {
        scenarios = Map.copyOf(scenarios);
        scenarioNames = List.copyOf(scenarioNames);
        pools = Map.copyOf(pools);
    }
}
