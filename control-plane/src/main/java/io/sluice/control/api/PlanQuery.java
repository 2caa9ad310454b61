package io.sluice.control.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.TenantId;

/**
 * Asks what would be chosen.
 *
 * @param model {@code auto} or a pool
 * @param maxTokens 0 where the request would not say
 * @param document draft configuration as in {@link ConfigCommand.ApplyDocument}; null means the present one
 */
public record PlanQuery(
        TenantId tenant, String scenario, String model, int promptTokens, int maxTokens, JsonNode document) {}
