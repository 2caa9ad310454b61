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

    /** The id whose {@link #key} is {@code key}; throws {@link IllegalArgumentException} where it is none. */
    public static ScopedId ofKey(String key) {
        int bar = key.indexOf('|');
        if (bar < 0) {
            throw new IllegalArgumentException("a scoped id has the form tenant|id");
        }
        return new ScopedId(bar == 0 ? null : new TenantId(key.substring(0, bar)), key.substring(bar + 1));
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
