package io.sluice.graphql;

import io.sluice.control.api.ControlPlaneApi;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.time.Clock;
import java.util.concurrent.TimeUnit;

/**
 * Owns the management socket: {@code /graphql} over HTTP and WebSocket, {@code /exports}, {@code /livez}, {@code /readyz}, {@code /metrics},
 * and in the demo {@code /graphiql}. One event loop serves it; the schema is built on a worker thread while the process
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

    private final ControlPlaneApi api;
    private final ManagementSettings settings;
    private final Probes probes;
    private final Clock clock;
    private HttpServer server;

    public ManagementServer(ControlPlaneApi api, ManagementSettings settings, Probes probes, Clock clock) {
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
        return vertx.executeBlocking(() -> GraphqlExecutor.build(api, clock, settings.demo()))
                .compose(executor -> {
                    server = vertx.createHttpServer(options).requestHandler(router(executor));
                    return server.listen();
                });
    }

    private Router router(GraphqlExecutor executor) {
        Router router = Router.router(vertx);
        router.route().handler(SecurityHeaders::add);
        new ProbeRoutes(vertx, probes).mount(router);
        new GraphqlRoutes(vertx, api, executor, new OriginRule(settings.allowedOrigins())).mount(router);
        new ExportRoutes(api).mount(router);
        if (settings.demo()) {
            DemoRoutes.mount(vertx, router);
        }
        FallbackRoutes.mount(router);
        return router;
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
