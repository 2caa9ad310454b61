package io.sluice.data.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.data.decision.DecisionSource;
import io.sluice.data.request.Arrival;
import io.sluice.data.request.Arrivals;
import io.sluice.data.request.Caller;
import io.sluice.data.request.IdentifyStep;
import io.sluice.data.request.Reply;
import io.sluice.data.request.RequestPipeline;
import io.sluice.data.request.Stop;
import io.sluice.data.seeing.RequestMeters;
import io.sluice.data.snapshot.CurrentSnapshot;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The data plane's socket on one event loop: guards, routes by exact path, and hands chat requests to the pipeline. Several
 * instances share the port, one per loop.
 */
public final class GatewayServer extends VerticleBase {
    private static final String CHAT = "/v1/chat/completions";

    private static final String MODELS = "/v1/models";

    /** Before the name of one model. */
    static final String MODEL = MODELS + "/";

    private static final String DECISIONS = "/v1/decisions/";

    /** A refused caller that falls silent gets this long to read why before the connection goes. */
    private static final long LINGER_MS = 100;

    /** One that still sends its body is listened to for so many times {@link #LINGER_MS}: cut off, it could not read the answer. */
    private static final int LINGERS_MAX = 20;

    /** First status of an error. */
    private static final int ERRORS_FROM = 400;

    /** What a browser may ask leave for and hears back. */
    private static final Pattern HEADER_NAMES = Pattern.compile("[A-Za-z0-9_, -]{1,1000}");

    /** The word among others. */
    private static final Pattern CLOSE = Pattern.compile("(?i)(?:^|[, \\t])close(?:$|[, \\t])");

    private final GatewaySettings settings;
    private final CurrentSnapshot current;
    private final Function<Vertx, Loop> parts;
    private final DecisionSource decisions;
    private final Drain drain;
    private Loop loop;
    private ConnectionWatch connections;
    private HttpServer server;

    /**
     * What belongs to one event loop.
     *
     * @param close releases it
     */
    public record Loop(RequestPipeline pipeline, IdentifyStep identify, RequestMeters meters, Runnable close) {}

    /**
     * A server that listens when it is deployed.
     *
     * @param parts makes what belongs to this server's loop; called on it
     */
    public GatewayServer(
            GatewaySettings settings,
            CurrentSnapshot current,
            Function<Vertx, Loop> parts,
            DecisionSource decisions,
            Drain drain) {
        this.settings = settings;
        this.current = current;
        this.parts = parts;
        this.decisions = decisions;
        this.drain = drain;
    }

    @Override
    public Future<?> start() {
        loop = parts.apply(vertx);
        connections =
                new ConnectionWatch(vertx, settings.headMs(), settings.idleMs(), settings.connectionsPerAddressMax());
        server = vertx.createHttpServer(new HttpServerOptions()
                .setHost(settings.host())
                .setPort(settings.port())
                .setMaxInitialLineLength(settings.requestLineMax())
                .setMaxHeaderSize(settings.headBytesMax())
                .setHttp2ClearTextEnabled(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setHandle100ContinueAutomatically(false)
                .setTcpNoDelay(true)
                .setSendBufferSize(settings.sendBufferBytes()));
        server.connectionHandler(connections::opened);
        server.invalidRequestHandler(this::onInvalid);
        server.requestHandler(this::onRequest);
        return server.listen();
    }

    @Override
    public Future<?> stop() {
        loop.close().run();
        return server == null ? Future.succeededFuture() : server.close();
    }

    private void onInvalid(HttpServerRequest http) {
        if (connections.began(http.connection())) {
            refuseAndClose(
                    Arrivals.of(http, current.get()),
                    DecoderFaults.of(http.decoderResult().cause()));
        }
    }

    private void onRequest(HttpServerRequest http) {
        if (!connections.began(http.connection())) {
            return;
        }
        drain.began();
        Arrival arrival = Arrivals.of(http, current.get());
        boolean last = last(http);
        Runnable ended = new Ended(http, last);
        try {
            Stop stop = FrontGuard.check(http);
            if (stop != null) {
                refuseAndClose(arrival, stop);
                ended.run();
            } else {
                if (last) {
                    closeAfter(http);
                }
                route(arrival, ended);
            }
        } catch (RuntimeException bug) {
            Reply.bug(arrival, bug);
            ended.run();
        }
    }

    /**
     * Whether nothing more is read on the connection: because the caller says so among other things, which the server below
     * does not see, or because where a chunked body ends is the one thing two servers may still disagree on.
     */
    private static boolean last(HttpServerRequest http) {
        String connection = http.headers().get(HttpHeaders.CONNECTION);
        return http.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                || (connection != null
                        && connection.indexOf(',') >= 0
                        && CLOSE.matcher(connection).find());
    }

    private void closeAfter(HttpServerRequest http) {
        connections.closing(http.connection());
        http.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        http.exceptionHandler(broken -> http.connection().close());
        http.response().endHandler(done -> {
            if (http.isEnded() && http.response().getStatusCode() < ERRORS_FROM) {
                http.connection().close();
            }
        });
    }

    /** Runs once at the end of a request. */
    private final class Ended implements Runnable {
        private final HttpServerRequest http;
        private final boolean last;
        private boolean done;
        private boolean heard;

        Ended(HttpServerRequest http, boolean last) {
            this.http = http;
            this.last = last;
        }

        @Override
        public void run() {
            if (!done) {
                done = true;
                connections.ended(http.connection());
                drain.ended();
                if (!http.isEnded()) {
                    http.handler(discarded -> heard = true);
                    linger(LINGERS_MAX);
                } else if (refusedAndLast()) {
                    vertx.setTimer(LINGER_MS, late -> closeUnlessReusable());
                }
            }
        }

        private void linger(int left) {
            heard = false;
            vertx.setTimer(LINGER_MS, late -> {
                if (heard && left > 1 && !http.isEnded()) {
                    linger(left - 1);
                } else {
                    closeUnlessReusable();
                }
            });
        }

        private boolean refusedAndLast() {
            return last && http.response().getStatusCode() >= ERRORS_FROM;
        }

        /** A body that nobody will read would be taken for the next request. */
        private void closeUnlessReusable() {
            if (!http.isEnded() || refusedAndLast()) {
                http.connection().close();
            }
        }
    }

    private void route(Arrival arrival, Runnable ended) {
        HttpServerRequest http = arrival.http();
        HttpMethod method = http.method();
        String path = http.path();
        boolean chat = path.equals(CHAT);
        boolean known = chat || path.equals(MODELS) || path.startsWith(MODEL) || path.startsWith(DECISIONS);
        if (!known) {
            refuse(
                    arrival,
                    Stop.of(
                            Refusal.NOT_FOUND,
                            "there is nothing at this path; known are POST " + CHAT + ", GET " + MODELS + ", GET "
                                    + DECISIONS + "{trace_id}",
                            null),
                    ended);
        } else if (method.equals(HttpMethod.OPTIONS)) {
            preflight(arrival);
            ended.run();
        } else if (chat ? !method.equals(HttpMethod.POST) : method.equals(HttpMethod.POST)) {
            String allowed = (chat ? "POST" : "GET, HEAD") + ", OPTIONS";
            http.response().putHeader(HttpHeaders.ALLOW, allowed);
            refuse(
                    arrival,
                    Stop.of(Refusal.METHOD_NOT_ALLOWED, "only " + allowed + " are understood here", null),
                    ended);
        } else if (unavailable() != null) {
            refuse(arrival, unavailable(), ended);
        } else if (chat) {
            loop.pipeline().handle(arrival, ended);
        } else {
            query(arrival, path, ended);
        }
    }

    private Stop unavailable() {
        if (drain.draining()) {
            return Stop.later(Refusal.DRAINING, "this node is shutting down; another one takes your request", 1_000);
        }
        return current.ready()
                ? null
                : Stop.later(Refusal.NOT_READY, "this node has no configuration yet; come back in a moment", 1_000);
    }

    private void query(Arrival arrival, String path, Runnable ended) {
        loop.identify()
                .identify(arrival)
                .fold(
                        caller -> {
                            if (path.startsWith(DECISIONS)) {
                                decision(caller, path.substring(DECISIONS.length()), ended);
                            } else {
                                models(caller, path, ended);
                            }
                        },
                        stop -> refuse(arrival, stop, ended));
    }

    private void models(Caller caller, String path, Runnable ended) {
        Optional<Buffer> found = path.equals(MODELS)
                ? Optional.of(ModelList.all(caller))
                : ModelList.one(caller, path.substring(MODEL.length()));
        answer(caller.arrival(), found, Refusal.MODEL_NOT_FOUND, ended);
    }

    private void decision(Caller caller, String traceId, Runnable ended) {
        decisions
                .find(caller.key().tenant(), traceId)
                .map(found -> found.map(GatewayServer::forCallers))
                .onSuccess(found ->
                        context.runOnContext(done -> answer(caller.arrival(), found, Refusal.NOT_FOUND, ended)))
                .onFailure(bug -> context.runOnContext(done -> {
                    Reply.bug(caller.arrival(), bug);
                    ended.run();
                }));
    }

    /** What upstreams said of themselves, hosts and all, is for operators; callers see the class of each failure. */
    private static Buffer forCallers(DecisionRecord decision) {
        ObjectNode tree = StrictJson.MAPPER.valueToTree(decision);
        tree.path("attempts").forEach(attempt -> ((ObjectNode) attempt).remove("detail"));
        return Buffer.buffer(tree.toString());
    }

    private void answer(Arrival arrival, Optional<Buffer> found, Refusal missing, Runnable ended) {
        if (found.isEmpty()) {
            refuse(
                    arrival,
                    Stop.of(
                            missing,
                            missing == Refusal.NOT_FOUND
                                    ? "there is no such decision of your tenant; records are kept for a limited time"
                                    : "there is no such model; GET /v1/models lists what this key may use",
                            null),
                    ended);
            return;
        }
        Reply.common(arrival);
        Reply.end(arrival, found.get());
        ended.run();
    }

    /** A browser asks before it sends a key: any origin may. */
    private static void preflight(Arrival arrival) {
        HttpServerResponse response = arrival.http().response();
        Reply.common(arrival);
        if (arrival.http().headers().contains(HttpHeaders.ORIGIN)) {
            response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, OPTIONS");
            String asked = arrival.http().getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS);
            if (asked != null && HEADER_NAMES.matcher(asked).matches()) {
                response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, asked);
            }
            response.putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, "600");
        }
        response.setStatusCode(204).end();
    }

    private void refuse(Arrival arrival, Stop stop, Runnable ended) {
        loop.meters().refused(stop.refusal().code());
        Reply.refuse(arrival, stop, 0);
        ended.run();
    }

    private void refuseAndClose(Arrival arrival, Stop stop) {
        HttpServerRequest http = arrival.http();
        loop.meters().refused(stop.refusal().code());
        connections.closing(http.connection());
        http.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        if (stop.refusal() == Refusal.METHOD_NOT_ALLOWED) {
            http.response().putHeader(HttpHeaders.ALLOW, FrontGuard.ALLOWED);
        }
        Reply.refuse(arrival, stop, 0);
        vertx.setTimer(LINGER_MS, late -> http.connection().close());
    }
}
