package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.fault.CompiledFaults;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.Period;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One tenant in the form the request path needs.
 *
 * @param currency ISO 4217 code of its amounts
 * @param pools by the id under which the tenant may name them
 * @param scenarioNames sorted, for error messages
 * @param limits null where neither the tenant nor its apps have limits
 * @param faults null where the tenant has no fault rules
 * @param caps its spend caps
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CompiledTenant(
        TenantId id,
        boolean suspended,
        String currency,
        Map<String, CompiledScenario> scenarios,
        List<String> scenarioNames,
        CompiledPools pools,
        CompiledLimits limits,
        CompiledFaults faults,
        CompiledCaps caps) {
    private static final String DOLLARS = "USD";

    public CompiledTenant {
        scenarios = Map.copyOf(scenarios);
        scenarioNames = List.copyOf(scenarioNames);
    }

    /** Whether its amounts are US dollars, as the name of the header for an answer's cost says. */
    public boolean paysInDollars() {
        return DOLLARS.equals(currency);
    }

    /** Where a cap of this tenant counts what is spent at {@code at}. */
    public AccountKey account(CompiledCap cap, Instant at) {
        return new AccountKey(id, cap.id(), caps.calendar().periodAt(cap.period(), at));
    }

    /** Likewise for several caps, in their order; the calendar is asked once. */
    public List<AccountKey> accounts(List<CompiledCap> several, Instant at) {
        if (several.isEmpty()) {
            return List.of();
        }
        LocalDate date = caps.calendar().dateAt(at);
        List<AccountKey> accounts = new ArrayList<>(several.size());
        for (CompiledCap cap : several) {
            accounts.add(new AccountKey(id, cap.id(), Period.of(cap.period(), date)));
        }
        return accounts;
    }
}
