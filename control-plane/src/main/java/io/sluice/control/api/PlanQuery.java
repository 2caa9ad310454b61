package io.sluice.control.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.BudgetBand;

/**
 * Asks what would be chosen.
 *
 * @param model {@code auto} or a pool
 * @param maxTokens 0 where the request would not say
 * @param band as if the shortest cap that applies had it; null where money does not matter
 * @param document draft configuration as in {@link ConfigCommand.ApplyDocument}; null means the present one
 */
public record PlanQuery(
        TenantId tenant,
        String scenario,
        String model,
        int promptTokens,
        int maxTokens,
        BudgetBand band,
        JsonNode document) {
    /** Nothing is asked about money. */
    public PlanQuery(
            TenantId tenant, String scenario, String model, int promptTokens, int maxTokens, JsonNode document) {
        this(tenant, scenario, model, promptTokens, maxTokens, null, document);
    }
}
