package io.sluice.control.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.config.ObjectChange;
import io.sluice.control.config.ObjectKind;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.json.StrictJson;

/**
 * One object as it is stored.
 *
 * @param kind word of an {@link ObjectKind}
 * @param owner tenant id; empty means the platform
 * @param json the whole object
 */
public record ConfigRow(String kind, String owner, String id, String json) {
    static ConfigRow of(ObjectChange change) {
        return new ConfigRow(
                change.kind().word(),
                change.owner() == null ? "" : change.owner().value(),
                change.id(),
                ConfigRows.json(change.value()));
    }

    /** The object; throws {@link StoreException} naming it where it can not be read. */
    ObjectChange change() {
        return new ObjectChange(
                ObjectKind.of(kind),
                owner.isEmpty() ? null : new TenantId(owner),
                id,
                ObjectChange.Change.UPDATED,
                value());
    }

    Object value() {
        try {
            return StrictJson.MAPPER.readValue(json, ObjectKind.of(kind).record());
        } catch (JsonProcessingException | IllegalArgumentException unreadable) {
            throw new StoreException(
                    "the stored " + kind + " " + owner + "|" + id + " can not be read; restore a backup", unreadable);
        }
    }
}
