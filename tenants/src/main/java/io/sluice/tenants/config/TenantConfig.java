package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.TenantCalendar;
import java.time.ZoneId;
import java.util.Objects;

/**
 * A tenant as declared.
 *
 * @param version starts at 1 and grows by one with every change
 * @param timeZone IANA zone whose midnight begins the tenant's day, as last chosen
 * @param currency ISO 4217 code of all the tenant's amounts
 * @param suspended true refuses every key of the tenant with {@code key_disabled}
 * @param calendar when the tenant's days begin: a zone that was chosen takes effect later; null means that the zone never changed
 * @param limits of all its traffic; null where it has none
 * @param endUserLimits of each of its end users' traffic, through whatever app; null where they have none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TenantConfig(
        TenantId id,
        int version,
        String displayName,
        ZoneId timeZone,
        String currency,
        boolean suspended,
        TenantCalendar calendar,
        LimitsConfig limits,
        LimitsConfig endUserLimits) {
    @JsonCreator
    public TenantConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(displayName);
        Objects.requireNonNull(timeZone);
        Objects.requireNonNull(currency);
        calendar = calendar == null ? TenantCalendar.of(timeZone) : calendar;
    }

    /** One whose zone never changed, without limits of its own. */
    public TenantConfig(
            TenantId id, int version, String displayName, ZoneId timeZone, String currency, boolean suspended) {
        this(id, version, displayName, timeZone, currency, suspended, null, null, null);
    }
}
