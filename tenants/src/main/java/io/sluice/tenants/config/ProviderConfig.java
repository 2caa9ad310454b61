package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.ScopedId;
import java.util.Map;
import java.util.Objects;

/**
 * An account at a provider, spoken to by one plugin.
 *
 * @param baseUrl where it listens; empty where the plugin brings its own address (the simulator)
 * @param credential null where the provider wants none
 * @param quotaGroup accounts with the same group share the provider's limits; null means a group of its own
 * @param requestsPerMinute what the account may be sent; null means that only the provider says
 * @param tokensPerMinute likewise
 * @param maxConcurrency calls in flight per target and node; null means the default of the data plane
 * @param settings the plugin's own settings, checked by the plugin when saved
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProviderConfig(
        ScopedId id,
        int version,
        String plugin,
        String baseUrl,
        CredentialRef credential,
        String quotaGroup,
        String region,
        Integer requestsPerMinute,
        Integer tokensPerMinute,
        Integer maxConcurrency,
        Map<String, JsonNode> settings) {
    public ProviderConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(plugin);
        baseUrl = baseUrl == null ? "" : baseUrl;
        settings = settings == null ? Map.of() : Map.copyOf(settings);
    }

    /** An account of whose limits only the provider knows. */
    public ProviderConfig(
            ScopedId id,
            int version,
            String plugin,
            String baseUrl,
            CredentialRef credential,
            String quotaGroup,
            String region,
            Integer maxConcurrency,
            Map<String, JsonNode> settings) {
        this(id, version, plugin, baseUrl, credential, quotaGroup, region, null, null, maxConcurrency, settings);
    }
}
