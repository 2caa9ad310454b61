package io.sluice.graphql;

import io.vertx.ext.web.RoutingContext;

/** What every answer of the management port tells browsers: run nothing of it, frame it nowhere, keep nothing. */
final class SecurityHeaders {
    private SecurityHeaders() {}

    static void add(RoutingContext routing) {
        routing.response()
                .putHeader("x-content-type-options", "nosniff")
                .putHeader("x-frame-options", "DENY")
                .putHeader("referrer-policy", "no-referrer")
                .putHeader("cross-origin-resource-policy", "same-origin")
                .putHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'")
                .putHeader("cache-control", "no-store");
        routing.next();
    }
}
