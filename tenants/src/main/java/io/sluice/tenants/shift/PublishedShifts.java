package io.sluice.tenants.shift;

import io.sluice.tenants.TenantId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What was published of every scenario's shift. Several controllers may publish, each its own scenarios, so that states are
 * taken in one by one. Immutable.
 *
 * @param byTenant newest state by tenant and scenario; a scenario that is absent is not shifted
 */
public record PublishedShifts(Map<TenantId, Map<String, ShiftState>> byTenant) {
    public static final PublishedShifts NONE = new PublishedShifts(Map.of());

    public PublishedShifts {
        byTenant = Map.copyOf(byTenant);
    }

    /** The state of a scenario; null where requests are treated as if there were none. */
    public ShiftState of(TenantId tenant, String scenario) {
        Map<String, ShiftState> states = byTenant.get(tenant);
        ShiftState state = states == null ? null : states.get(scenario);
        return state == null || state.idle() ? null : state;
    }

    /** With {@code newer} states; one that is not newer than what is known is passed over. The same object where all are. */
    public PublishedShifts plus(Collection<ScenarioShift> newer) {
        Map<TenantId, Map<String, ShiftState>> merged = null;
        for (ScenarioShift each : newer) {
            TenantId tenant = each.scenario().tenant();
            Map<TenantId, Map<String, ShiftState>> known = merged == null ? byTenant : merged;
            ShiftState before =
                    known.getOrDefault(tenant, Map.of()).get(each.scenario().scenario());
            if (before == null || before.version() < each.state().version()) {
                merged = merged == null ? new HashMap<>(byTenant) : merged;
                Map<String, ShiftState> states = new HashMap<>(merged.getOrDefault(tenant, Map.of()));
                states.put(each.scenario().scenario(), each.state());
                merged.put(tenant, Map.copyOf(states));
            }
        }
        return merged == null ? this : new PublishedShifts(merged);
    }
}
