package io.sluice.graphql;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What no other route answers, in JSON like all the rest. */
final class FallbackRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(FallbackRoutes.class);

    private FallbackRoutes() {}

    static void mount(Router router) {
        router.route().handler(FallbackRoutes::notFound);
        router.errorHandler(404, FallbackRoutes::notFound)
                .errorHandler(400, routing -> answer(routing, 400, "invalid_request", "the request can't be read"))
                .errorHandler(413, FallbackRoutes::tooLarge)
                .errorHandler(500, routing -> {
                    LOG.error("a request failed", routing.failure());
                    answer(routing, 500, "internal_error", "Sluice failed; its log has the cause");
                });
    }

    private static void notFound(RoutingContext routing) {
        answer(routing, 404, "not_found", "there is nothing at this path");
    }

    /** Where this one does not answer operators. */
    static void askAnotherNode(RoutingContext routing) {
        answer(routing, 404, "not_found", "this node only serves apps; ask one that has the role control");
    }

    /** The rest of the body is not waited for. */
    private static void tooLarge(RoutingContext routing) {
        routing.response().putHeader(HttpHeaders.CONNECTION, "close");
        answer(
                routing,
                413,
                "body_too_large",
                "a body has at most " + ManagementServer.BODY_BYTES_MAX
                        + " bytes; send the objects of a larger configuration in several documents of applyConfig");
    }

    static void methodNotAllowed(RoutingContext routing, HttpMethod allowed) {
        routing.response().putHeader(HttpHeaders.ALLOW, allowed.name());
        answer(routing, 405, "method_not_allowed", "only " + allowed.name() + " is allowed here");
    }

    private static void answer(RoutingContext routing, int status, String code, String message) {
        JsonAnswer.error(routing.response(), status, code, message);
    }
}
