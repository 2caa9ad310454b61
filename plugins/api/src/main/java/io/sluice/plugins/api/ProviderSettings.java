package io.sluice.plugins.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Objects;

/**
 * What an operator wrote about a provider.
 *
 * @param baseUrl as written, trimmed; empty where it was left out
 * @param settings the plugin's own members
 */
public record ProviderSettings(String baseUrl, Map<String, JsonNode> settings) {
    public ProviderSettings {
        Objects.requireNonNull(baseUrl);
        settings = Map.copyOf(settings);
    }
}
