package io.sluice.control.store;

import io.sluice.control.api.AuditEntry;
import java.util.List;

/**
 * Everything that is stored of a configuration, for a node that was away for too long to go on from batches.
 *
 * @param position of the last batch in it
 * @param id of that batch
 */
public record ConfigWhole(long position, String id, long epoch, List<ConfigRow> rows, List<AuditEntry> audit) {
    public ConfigWhole {
        rows = List.copyOf(rows);
        audit = List.copyOf(audit);
    }
}
