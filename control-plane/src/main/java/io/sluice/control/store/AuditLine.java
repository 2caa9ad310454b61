package io.sluice.control.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.TenantId;
import java.time.Instant;
import java.util.Objects;

/**
 * An entry of the audit log before it has its place in the chain.
 *
 * @param tenant whose log it belongs to; null means the platform's
 * @param detail without secrets
 */
public record AuditLine(Instant at, TenantId tenant, String actor, String action, String subject, JsonNode detail) {
    public AuditLine {
        Objects.requireNonNull(at);
        Objects.requireNonNull(actor);
        Objects.requireNonNull(action);
        Objects.requireNonNull(subject);
        Objects.requireNonNull(detail);
    }
}
