package io.sluice.tenants;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Who owns an object. It is a type of its own so that no store key, cache key or lookup can be built without saying whose
 * it is.
 *
 * @param value the tenant's id, as chosen when it was created: {@link Ids#PATTERN}
 */
public record TenantId(@JsonValue String value) implements Comparable<TenantId> {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public TenantId {
        Ids.require("tenant id", value);
    }

    @Override
    public int compareTo(TenantId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
