package io.sluice.tenants.config;

import io.sluice.tenants.ScopedId;
import java.util.Objects;

/**
 * What is known of a model, whoever serves it.
 *
 * @param contextWindow prompt and answer together, tokens
 * @param maxOutputTokens longest answer, tokens
 * @param tools whether it can call functions
 * @param vision whether it reads images
 * @param jsonSchema whether it obeys {@code response_format}
 */
public record ModelConfig(
        ScopedId id,
        int version,
        int contextWindow,
        int maxOutputTokens,
        boolean tools,
        boolean vision,
        boolean jsonSchema) {
    public ModelConfig {
        Objects.requireNonNull(id);
    }
}
