package io.sluice.graphql;

import java.util.Objects;
import java.util.Set;

/**
 * Where the management port listens and how open it is.
 *
 * @param port 0 takes any free one
 * @param demo shows GraphiQL at {@code /graphiql} and the schema to every proven caller
 * @param allowedOrigins origins of web pages that may call besides the port's own, such as {@code https://console.example.org}
 */
public record ManagementSettings(String host, int port, boolean demo, Set<String> allowedOrigins) {
    public ManagementSettings {
        Objects.requireNonNull(host);
        allowedOrigins = Set.copyOf(allowedOrigins);
    }
}
