package io.sluice.control.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.TenantId;
import java.time.Instant;
import java.util.Set;

/**
 * One line of the audit log.
 *
 * @param id sequence number, from 1
 * @param tenant whose log it belongs to; null means the platform's
 * @param actor name and role of the principal
 * @param detail the change without secrets
 * @param hash SHA-256 over the entry before and this one, lower-case hex: a chain that shows tampering
 */
public record AuditEntry(
        long id,
        Instant at,
        TenantId tenant,
        String actor,
        String action,
        String subject,
        JsonNode detail,
        String hash) {
    /** Actions that finance may read about: those on money, and nobody's routes, keys or apps. */
    public static final Set<String> OF_MONEY = Set.of(
            "setSpendCap",
            "removeSpendCap",
            "putPrice",
            "adjustSpend",
            "unfreezeSpendCap",
            "budgetBand",
            "putWebhook",
            "removeWebhook",
            "webhookGivenUp",
            "setProviderBalance",
            "balanceLow");
}
