package io.sluice.tenants.ledger;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.sluice.tenants.TenantId;
import java.util.Objects;

/**
 * Which money: a cap of a tenant in one of its periods.
 *
 * @param capId the cap's id within the tenant; any text without control characters
 */
public record AccountKey(TenantId tenant, String capId, Period period) {
    /** Ids of caps may contain an end user's id, which is free text of at most 256 characters. */
    public static final int CAP_ID_LENGTH_MAX = 400;

    public AccountKey {
        Objects.requireNonNull(tenant);
        Objects.requireNonNull(period);
        if (capId.isEmpty() || capId.length() > CAP_ID_LENGTH_MAX) {
            throw new IllegalArgumentException("cap id must have 1 to " + CAP_ID_LENGTH_MAX + " characters");
        }
    }

    /** The key whose {@link #key} is {@code key}; throws {@link IllegalArgumentException} where it is none. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static AccountKey ofKey(String key) {
        String[] parts = key.split("\\|", 3);
        if (parts.length != 3) {
            throw new IllegalArgumentException("an account's key has the form tenant|period|cap");
        }
        return new AccountKey(new TenantId(parts[0]), parts[2], Period.ofKey(parts[1]));
    }

    /** {@code tenant|period|cap}. */
    @JsonValue
    public String key() {
        return tenant.value() + "|" + period.key() + "|" + capId;
    }

    @Override
    public String toString() {
        return key();
    }
}
