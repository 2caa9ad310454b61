package io.sluice.graphql;

import io.sluice.control.api.ControlPlaneApi;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Owns the management socket: {@code /graphql} over HTTP and WebSocket, {@code /exports}, {@code /livez}, {@code /readyz}, {@code /metrics},
 * and in the demo {@code /graphiql}; on a node that operators don't ask only what is for machines. One event loop serves it; the schema is built on a worker thread while the process
 * starts, and the socket opens when it is there.
 */
public final class ManagementServer extends VerticleBase {
    /** The longest real documents, whole configurations, have some 20 KiB. */
    static final int BODY_BYTES_MAX = 64 << 10;

    /** A token, a host and a trace header leave most of it free. */
    private static final int HEADER_BYTES_MAX = 16 << 10;

    private static final int URI_BYTES_MAX = 2 << 10;

    /** Sockets are pinged three times within it. */
    private static final int READ_IDLE_SECONDS = 80;

    private static final String SUBPROTOCOL = "graphql-transport-ws";

    private final Optional<ControlPlaneApi> api;
    private final ManagementSettings settings;
    private final Probes probes;
    private final Clock clock;
    private HttpServer server;

    /** @param api empty on a node that does not answer operators */
    public ManagementServer(Optional<ControlPlaneApi> api, ManagementSettings settings, Probes probes, Clock clock) {
        this.api = api;
        this.settings = settings;
        this.probes = probes;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(settings.host())
                .setPort(settings.port())
                .setMaxHeaderSize(HEADER_BYTES_MAX)
                .setMaxInitialLineLength(URI_BYTES_MAX)
                .setMaxWebSocketFrameSize(BODY_BYTES_MAX)
                .setMaxWebSocketMessageSize(BODY_BYTES_MAX)
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setReadIdleTimeout(READ_IDLE_SECONDS)
                .addWebSocketSubProtocol(SUBPROTOCOL);
        return router().compose(router -> {
            server = vertx.createHttpServer(options).requestHandler(router);
            return server.listen();
        });
    }

    private Future<Router> router() {
        Router router = Router.router(vertx);
        router.route().handler(SecurityHeaders::add);
        new ProbeRoutes(vertx, probes).mount(router);
        return api.map(present -> offer(present, router))
                .orElseGet(() -> {
                    router.route("/graphql").handler(FallbackRoutes::askAnotherNode);
                    router.route("/exports/*").handler(FallbackRoutes::askAnotherNode);
                    return Future.succeededFuture();
                })
                .map(offered -> {
                    FallbackRoutes.mount(router);
                    return router;
                });
    }

    private Future<Void> offer(ControlPlaneApi present, Router router) {
        return vertx.executeBlocking(() -> GraphqlExecutor.build(present, clock, settings.demo()))
                .map(executor -> {
                    new GraphqlRoutes(vertx, present, executor, new OriginRule(settings.allowedOrigins()))
                            .mount(router);
                    new ExportRoutes(present).mount(router);
                    if (settings.demo()) {
                        DemoRoutes.mount(vertx, router);
                    }
                    return null;
                });
    }

    /** The port that it listens on; of use where port 0 was asked for. After start. */
    public int port() {
        return server.actualPort();
    }

    @Override
    public Future<?> stop() {
        return server == null ? Future.succeededFuture() : server.close();
    }
}
