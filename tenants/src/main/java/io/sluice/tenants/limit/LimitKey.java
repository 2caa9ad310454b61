package io.sluice.tenants.limit;

import io.sluice.tenants.TenantId;
import java.util.Objects;

/**
 * What one limit counts for. Two rules never have the same key, and one rule that is found twice has the same key both times, so
 * that it counts once.
 *
 * @param app of an end user's limit that the app sets; empty otherwise
 * @param subject id of the key or app, name of the scenario, or the end user; empty for the tenant itself
 */
public record LimitKey(TenantId tenant, LimitLevel level, String app, String subject) {
    public LimitKey {
        Objects.requireNonNull(tenant);
        Objects.requireNonNull(level);
        Objects.requireNonNull(app);
        Objects.requireNonNull(subject);
    }

    /** A key at a level that is not an app's end users. */
    public LimitKey(TenantId tenant, LimitLevel level, String subject) {
        this(tenant, level, "", subject);
    }
}
