package io.sluice.data.request;

import io.sluice.tenants.routing.Snapshot;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;

/** Makes {@link Arrival}s: the moment, the trace and the snapshot of a request are fixed here. */
public final class Arrivals {
    private Arrivals() {}

    /** A request that has just come in. */
    public static Arrival of(HttpServerRequest http, Snapshot snapshot) {
        String[] trace = TraceIds.parse(http.getHeader("traceparent"));
        return new Arrival(
                http,
                trace == null ? TraceIds.newTraceId() : trace[0],
                trace == null ? "00" : trace[1],
                System.nanoTime(),
                Instant.now(),
                snapshot);
    }
}
