package io.sluice.ops.redis;

import io.sluice.plugins.api.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One Redis and its replicas.
 *
 * @param endpoints of all of them, as {@code redis://host:port} or {@code rediss://host:port}; which one is primary is asked at each
 *     connection, so one that was promoted is found
 * @param replicasMin so many replicas have to have a write before it counts as durable; 0 where there is no replica
 * @param answerMax a command that takes longer fails; what it did is unknown then
 */
public record RedisSettings(
        List<String> endpoints, Optional<String> user, Optional<Secret> password, int replicasMin, Duration answerMax) {
    /** Scripts here take well under a millisecond; a Redis that needs so long is stuck or drowned. */
    public static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    public RedisSettings {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("a Redis has at least one endpoint");
        }
    }

    /** One without a password and without replicas. */
    public static RedisSettings at(String endpoint) {
        return new RedisSettings(List.of(endpoint), Optional.empty(), Optional.empty(), 0, ANSWER_MAX);
    }
}
