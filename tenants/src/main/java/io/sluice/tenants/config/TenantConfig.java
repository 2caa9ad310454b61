package io.sluice.tenants.config;

import io.sluice.tenants.TenantId;
import java.time.ZoneId;
import java.util.Objects;

/**
 * A tenant as declared.
 *
 * @param version starts at 1 and grows by one with every change
 * @param timeZone IANA zone whose midnight begins the tenant's day
 * @param currency ISO 4217 code of all the tenant's amounts
 * @param suspended true refuses every key of the tenant with {@code key_disabled}
 */
public record TenantConfig(
        TenantId id, int version, String displayName, ZoneId timeZone, String currency, boolean suspended) {
    public TenantConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(displayName);
        Objects.requireNonNull(timeZone);
        Objects.requireNonNull(currency);
    }
}
