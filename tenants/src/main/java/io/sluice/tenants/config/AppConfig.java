package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;

/**
 * An application of a tenant: what keys belong to and spend is reported by.
 *
 * @param displayName for people; may be null
 * @param limits of all its traffic; null where it has none
 * @param endUserLimits of each end user's traffic through it; null where they have none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AppConfig(String id, String displayName, LimitsConfig limits, LimitsConfig endUserLimits) {
    public AppConfig {
        Objects.requireNonNull(id);
    }

    /** An app without limits of its own. */
    public AppConfig(String id, String displayName) {
        this(id, displayName, null, null);
    }
}
