package io.sluice.tenants.routing;

/**
 * Which limits of a provider a target's calls count for. Targets with the same key share them.
 *
 * @param key of the quota group; of the provider and the model's name there, where the provider is in none
 * @param requestsPerMinute as configured; null where only the provider knows
 * @param tokensPerMinute likewise
 */
public record UpstreamQuota(String key, Integer requestsPerMinute, Integer tokensPerMinute) {}
