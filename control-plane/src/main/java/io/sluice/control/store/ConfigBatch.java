package io.sluice.control.store;

import io.sluice.control.api.AuditEntry;
import io.sluice.control.config.ObjectChange;
import io.sluice.tenants.config.Configuration;
import java.util.ArrayList;
import java.util.List;

/**
 * What one append leaves behind, as every node keeps it: data that was decided on, so that applying it needs no rules.
 *
 * @param position number of the batch, from 1, without gaps
 * @param id made by whoever appends, so that it knows its own batch again
 * @param epoch of the configuration afterwards
 * @param cause what people did, for subscribers
 * @param audit entries with their place in the chain
 */
public record ConfigBatch(
        long position, String id, long epoch, String cause, List<ConfigRow> rows, List<AuditEntry> audit) {
    public ConfigBatch {
        rows = List.copyOf(rows);
        audit = List.copyOf(audit);
    }

    /**
     * The batch of {@code writes} after what is stored.
     *
     * @param after position of the last batch
     * @throws StoreException where an epoch does not follow the one before it
     */
    static ConfigBatch of(List<StoredWrite> writes, long after, String id, long epoch, AuditHead head) {
        long now = epoch;
        AuditHead last = head;
        List<ConfigRow> rows = new ArrayList<>();
        List<AuditEntry> entries = new ArrayList<>();
        for (StoredWrite write : writes) {
            if (write.epoch() != now && write.epoch() != now + 1) {
                throw new StoreException("epoch " + write.epoch() + " does not follow the stored epoch " + now);
            }
            now = write.epoch();
            write.objects().forEach(change -> rows.add(ConfigRow.of(change)));
            for (AuditLine line : write.audit()) {
                AuditEntry entry = AuditChain.entry(last.id() + 1, line, last.hash());
                entries.add(entry);
                last = new AuditHead(entry.id(), entry.hash());
            }
        }
        String cause = entries.isEmpty() ? "" : entries.get(entries.size() - 1).action();
        return new ConfigBatch(after + 1, id, now, cause, rows, entries);
    }

    /** The end of the chain after this batch. */
    AuditHead head(AuditHead before) {
        if (audit.isEmpty()) {
            return before;
        }
        AuditEntry last = audit.get(audit.size() - 1);
        return new AuditHead(last.id(), last.hash());
    }

    /** {@code before} with this batch; throws {@link StoreException} where a newer release wrote what this one can't read. */
    Configuration applyTo(Configuration before) {
        return ObjectChange.replay(before, rows.stream().map(ConfigRow::change).toList(), epoch);
    }
}
