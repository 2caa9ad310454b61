package io.sluice.graphql;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.graphql.GraphiQLHandler;
import io.vertx.ext.web.handler.graphql.GraphiQLHandlerOptions;

/** GraphiQL at {@code /graphiql}. It holds no token: the reader pastes one into its headers. */
final class DemoRoutes {
    /** The bundled page has scripts and styles of its own, one of them inline, and loads nothing from elsewhere. */
    private static final String POLICY = "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
            + "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; "
            + "connect-src 'self' ws: wss:; frame-ancestors 'none'";

    private DemoRoutes() {}

    static void mount(Vertx vertx, Router router) {
        GraphiQLHandler handler = GraphiQLHandler.builder(vertx)
                .with(new GraphiQLHandlerOptions()
                        .setEnabled(true)
                        .setGraphQLUri("/graphql")
                        .setGraphQLWSEnabled(true)
                        .setGraphWSQLUri("/graphql"))
                .build();
        router.route("/graphiql*").handler(routing -> {
            routing.response().putHeader("content-security-policy", POLICY);
            routing.next();
        });
        router.route("/graphiql*").subRouter(handler.router());
    }
}
