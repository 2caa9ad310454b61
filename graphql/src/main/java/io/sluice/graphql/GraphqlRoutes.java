package io.sluice.graphql;

import io.sluice.control.api.ControlPlaneApi;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code /graphql}: POST of one document, or an upgrade to graphql-transport-ws. */
final class GraphqlRoutes {
    private static final String PATH = "/graphql";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Vertx vertx;
    private final ControlPlaneApi api;
    private final GraphqlExecutor executor;
    private final OriginRule origins;

    GraphqlRoutes(Vertx vertx, ControlPlaneApi api, GraphqlExecutor executor, OriginRule origins) {
        this.vertx = vertx;
        this.api = api;
        this.executor = executor;
        this.origins = origins;
    }

    void mount(Router router) {
        router.get(PATH).handler(this::upgrade);
        router.post(PATH).handler(this::requireOrigin).handler(this::identify).handler(GraphqlRoutes::requireJson);
        router.post(PATH).handler(BodyHandler.create(false).setBodyLimit(ManagementServer.BODY_BYTES_MAX));
        router.post(PATH).handler(this::run);
        router.route(PATH).handler(routing -> FallbackRoutes.methodNotAllowed(routing, HttpMethod.POST));
    }

    private void upgrade(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        if (!"websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE))) {
            routing.next();
            return;
        }
        if (!originAllowed(request)) {
            forbidOrigin(routing);
            return;
        }
        List<String> headers = request.headers().getAll(HttpHeaders.AUTHORIZATION);
        Optional<Caller> caller = BearerToken.of(headers).flatMap(this::caller);
        if (!headers.isEmpty() && caller.isEmpty()) {
            unauthorized(routing);
            return;
        }
        request.toWebSocket()
                .onSuccess(
                        socket -> new GraphqlSocket(vertx, socket, executor, this::caller, caller.orElse(null)).open())
                .onFailure(refused -> JsonAnswer.error(
                        routing.response(), 400, "invalid_request", "the WebSocket handshake can't be read"));
    }

    private void requireOrigin(RoutingContext routing) {
        if (originAllowed(routing.request())) {
            routing.next();
        } else {
            forbidOrigin(routing);
        }
    }

    private boolean originAllowed(HttpServerRequest request) {
        return origins.allows(
                request.getHeader(HttpHeaders.ORIGIN),
                request.authority() == null ? null : request.authority().toString());
    }

    private static void forbidOrigin(RoutingContext routing) {
        JsonAnswer.error(routing.response(), 403, "origin_not_allowed", "pages of this origin may not call here");
    }

    private void identify(RoutingContext routing) {
        Optional<Caller> caller = BearerToken.of(routing.request().headers().getAll(HttpHeaders.AUTHORIZATION))
                .flatMap(this::caller);
        if (caller.isPresent()) {
            routing.put(Caller.class.getName(), caller.get());
            routing.next();
        } else {
            unauthorized(routing);
        }
    }

    static void unauthorized(RoutingContext routing) {
        routing.response().putHeader("www-authenticate", "Bearer");
        JsonAnswer.error(
                routing.response(),
                401,
                "invalid_access_token",
                "there is no access token, or none that is valid now; send one Authorization header: Bearer <access token>");
    }

    private Optional<Caller> caller(String token) {
        byte[] id = new byte[16];
        RANDOM.nextBytes(id);
        return api.authenticate(token)
                .map(principal -> new Caller(
                        principal,
                        HexFormat.of().formatHex(id),
                        () -> api.authenticate(token).filter(principal::equals).isPresent()));
    }

    private static void requireJson(RoutingContext routing) {
        String type = routing.request().getHeader(HttpHeaders.CONTENT_TYPE);
        String[] parts =
                type == null ? new String[] {""} : type.toLowerCase(Locale.ROOT).split(";", 2);
        boolean utf8 = parts.length == 1 || parts[1].replace("\"", "").strip().equals("charset=utf-8");
        if (parts[0].strip().equals("application/json") && utf8) {
            routing.next();
        } else {
            JsonAnswer.error(routing.response(), 415, "unsupported_media_type", "send application/json in UTF-8");
        }
    }

    private void run(RoutingContext routing) {
        Caller caller = routing.get(Caller.class.getName());
        routing.response().putHeader("x-request-id", caller.requestId());
        try {
            byte[] body = routing.body().buffer() == null
                    ? new byte[0]
                    : routing.body().buffer().getBytes();
            executor.execute(GraphqlRequest.parse(body), caller)
                    .onSuccess(result -> JsonAnswer.send(routing.response(), 200, GraphqlExecutor.view(result)));
        } catch (GraphqlRequest.MalformedException malformed) {
            JsonAnswer.error(routing.response(), 400, "invalid_request", malformed.getMessage());
        }
    }
}
