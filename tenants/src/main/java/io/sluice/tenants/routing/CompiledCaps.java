package io.sluice.tenants.routing;

import io.sluice.tenants.ledger.TenantCalendar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The spend caps of one tenant, by what they bound. Which apply to a request is found in at most four look-ups.
 *
 * @param calendar when the tenant's days begin
 * @param currency ISO 4217 code of all amounts
 * @param tenant those of all requests
 * @param apps by app id
 * @param scenarios by scenario name
 * @param endUsers by end user
 */
public record CompiledCaps(
        TenantCalendar calendar,
        String currency,
        List<CompiledCap> tenant,
        Map<String, List<CompiledCap>> apps,
        Map<String, List<CompiledCap>> scenarios,
        Map<String, List<CompiledCap>> endUsers) {
    public CompiledCaps {
        tenant = List.copyOf(tenant);
        apps = Map.copyOf(apps);
        scenarios = Map.copyOf(scenarios);
        endUsers = Map.copyOf(endUsers);
    }

    /** Whether nothing is capped. */
    public boolean none() {
        return tenant.isEmpty() && apps.isEmpty() && scenarios.isEmpty() && endUsers.isEmpty();
    }

    /**
     * Those that apply to a request, the widest first; none where its tenant has none.
     *
     * @param endUser null where the caller named none
     */
    public List<CompiledCap> of(String app, String scenario, String endUser) {
        List<CompiledCap> ofApp = apps.getOrDefault(app, List.of());
        List<CompiledCap> ofScenario = scenarios.getOrDefault(scenario, List.of());
        List<CompiledCap> ofUser = endUser == null ? List.of() : endUsers.getOrDefault(endUser, List.of());
        if (ofApp.isEmpty() && ofScenario.isEmpty() && ofUser.isEmpty()) {
            return tenant;
        }
        List<CompiledCap> all = new ArrayList<>(8);
        all.addAll(tenant);
        all.addAll(ofApp);
        all.addAll(ofScenario);
        all.addAll(ofUser);
        return all;
    }
}
