package io.sluice.data.request;

import io.sluice.tenants.routing.Snapshot;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;

/**
 * A request as it came in.
 *
 * @param traceId 32 lower-case hex digits: the caller's, or new
 * @param traceFlags two hex digits of {@code traceparent}
 * @param startNs {@link System#nanoTime} at its arrival
 * @param snapshot what this request sees from its first to its last decision
 */
public record Arrival(
        HttpServerRequest http, String traceId, String traceFlags, long startNs, Instant at, Snapshot snapshot) {}
