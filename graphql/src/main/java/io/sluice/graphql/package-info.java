/**
 * The administration API over {@code io.sluice.control.api}, and the management socket that it shares with probes and
 * metrics. {@link io.sluice.graphql.ManagementServer} owns the socket; {@code GraphqlExecutor} is the only way to the schema,
 * for HTTP and WebSocket alike; {@code DocumentLimits} refuses what would cost too much before anything is fetched;
 * {@code AdminSchema} ties each field of {@code admin.graphqls} to its source and to the right it needs: a field without
 * both fails the start.
 */
package io.sluice.graphql;
