package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;

/**
 * An application of a tenant: what keys belong to and spend is reported by.
 *
 * @param displayName for people; may be null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AppConfig(String id, String displayName) {
    public AppConfig {
        Objects.requireNonNull(id);
    }
}
