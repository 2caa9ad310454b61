package io.sluice.tenants;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;

/**
 * The id of a provider, model, price or pool together with its owner.
 *
 * @param tenant the owner, or null where the object belongs to the platform and every tenant may use it
 * @param id the id within that owner's objects of the same kind
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScopedId(TenantId tenant, String id) {
    public ScopedId {
        Ids.require("id", Objects.requireNonNull(id));
    }

    /** The platform's object of that id. */
    public static ScopedId platform(String id) {
        return new ScopedId(null, id);
    }

    /** Whether every tenant may use it. */
    public boolean ofPlatform() {
        return tenant == null;
    }

    /** {@code tenant|id}; a platform object has nothing before the bar. Unique among objects of one kind. */
    public String key() {
        return (tenant == null ? "" : tenant.value()) + "|" + id;
    }

    @Override
    public String toString() {
        return key();
    }
}
