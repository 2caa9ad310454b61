package io.sluice.control.api;

import java.util.List;

/**
 * Audit entries, newest first.
 *
 * @param next cursor of the next page; null where there is none
 */
public record AuditPage(List<AuditEntry> entries, String next) {
    public AuditPage {
        entries = List.copyOf(entries);
    }
}
