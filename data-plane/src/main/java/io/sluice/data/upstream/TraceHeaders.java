package io.sluice.data.upstream;

/**
 * What every attempt tells the upstream about itself (requirement A2). Nothing else of the caller's headers goes out.
 *
 * @param traceparent W3C trace context with a span id of this attempt
 * @param sessionId null where the caller has none
 * @param attempt 1 for the first
 * @param firstCallAtMs milliseconds since the epoch of the request's first attempt
 */
public record TraceHeaders(String traceparent, String sessionId, int attempt, long firstCallAtMs) {}
