package io.sluice.control.store;

import io.sluice.control.config.ObjectChange;
import java.util.List;

/**
 * What one command leaves in the store, all of it or nothing.
 *
 * @param epoch of the configuration afterwards: the stored one for a write that begins no epoch, else the next
 * @param objects that changed, whole
 */
public record StoredWrite(long epoch, List<ObjectChange> objects, List<AuditLine> audit) {
    public StoredWrite {
        objects = List.copyOf(objects);
        audit = List.copyOf(audit);
    }
}
