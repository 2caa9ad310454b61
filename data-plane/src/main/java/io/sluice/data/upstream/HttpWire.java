package io.sluice.data.upstream;

import io.sluice.plugins.api.UpstreamCall;
import io.sluice.tenants.failure.FailureClass;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.util.Map;
import javax.net.ssl.SSLException;

/**
 * The real way to an upstream: address, connection, request, answer. This is a critical file: every way out of it must give
 * the connection back or cut it.
 */
final class HttpWire implements Wire {
    private static final CharSequence TRACEPARENT = HttpHeaders.createOptimized("traceparent");

    private static final CharSequence ATTEMPT = HttpHeaders.createOptimized("x-sluice-attempt");

    private static final CharSequence FIRST_CALL_MS = HttpHeaders.createOptimized("x-sluice-first-call-ms");

    private static final CharSequence SESSION_ID = HttpHeaders.createOptimized("x-session-id");

    private final Vertx vertx;
    private final HttpClient http;
    private final long lingerMs;
    private final TraceHeaders trace;
    private final Ear ear;
    private HttpClientRequest outgoing;
    private HttpClientResponse incoming;
    private boolean bodyEnded;
    private boolean released;

    /** @param lingerMs see {@link UpstreamLimits} */
    HttpWire(Vertx vertx, HttpClient http, long lingerMs, TraceHeaders trace, Ear ear) {
        this.vertx = vertx;
        this.http = http;
        this.lingerMs = lingerMs;
        this.trace = trace;
        this.ear = ear;
    }

    @Override
    public void open(Origin origin, UpstreamCall call, long nowNs) {
        SocketAddress address = origin.fresh(nowNs);
        if (address != null) {
            guarded(() -> connect(origin, address, call));
        } else {
            origin.resolve(nowNs)
                    .onSuccess(resolved -> guarded(() -> connect(origin, resolved, call)))
                    .onFailure(this::failAddress);
        }
    }

    /** What a plugin wants sent may be impossible to send; the call still ends, at once. */
    private void guarded(Runnable sending) {
        try {
            sending.run();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError brokenPlugin) {
            broken(FailureClass.UPSTREAM_INTERNAL, "the plugin failed: " + brokenPlugin);
        }
    }

    private void broken(FailureClass failure, String message) {
        if (!released) {
            ear.onBroken(failure, message);
        }
    }

    /** An address that the operator does not allow is the operator's to put right: repeating changes nothing. */
    private void failAddress(Throwable cause) {
        if (cause instanceof Origin.NotAllowedException) {
            broken(FailureClass.AUTH, cause.getMessage());
        } else {
            broken(FailureClass.NETWORK, "address: " + cause.getMessage());
        }
    }

    private void connect(Origin origin, SocketAddress address, UpstreamCall call) {
        if (released) {
            return;
        }
        RequestOptions options = new RequestOptions()
                .setServer(address)
                .setHost(origin.host())
                .setPort(origin.port())
                .setSsl(origin.ssl())
                .setMethod(HttpMethod.valueOf(call.method()))
                .setURI(call.path())
                .setFollowRedirects(false);
        http.request(options).onComplete(made -> {
            if (made.failed()) {
                failConnect(made.cause());
            } else if (released) {
                discard(made.result());
            } else {
                outgoing = made.result();
                guarded(() -> send(made.result(), call));
            }
        });
    }

    /** Gives a connection up that came too late; what becomes of it is nobody's concern. */
    private static void discard(HttpClientRequest late) {
        late.exceptionHandler(ignored -> {});
        late.reset();
    }

    private void failConnect(Throwable cause) {
        boolean tls = cause instanceof SSLException || cause.getCause() instanceof SSLException;
        broken(
                FailureClass.NETWORK,
                (tls ? "upstream_tls: " : "connect: ") + cause.getClass().getSimpleName());
    }

    private void send(HttpClientRequest made, UpstreamCall call) {
        made.exceptionHandler(cause ->
                broken(FailureClass.NETWORK, "send: " + cause.getClass().getSimpleName()));
        for (Map.Entry<String, String> header : call.headers()) {
            made.putHeader(header.getKey(), header.getValue());
        }
        made.putHeader(TRACEPARENT, trace.traceparent());
        made.putHeader(ATTEMPT, Integer.toString(trace.attempt()));
        made.putHeader(FIRST_CALL_MS, Long.toString(trace.firstCallAtMs()));
        if (trace.sessionId() != null) {
            made.putHeader(SESSION_ID, trace.sessionId());
        }
        ear.onSent();
        made.send(call.body()).onComplete(answered -> {
            if (answered.failed()) {
                broken(
                        FailureClass.NETWORK,
                        "no answer: " + answered.cause().getClass().getSimpleName());
            } else if (released) {
                made.reset();
            } else {
                receive(answered.result());
            }
        });
    }

    private void receive(HttpClientResponse response) {
        incoming = response;
        response.exceptionHandler(
                cause -> broken(FailureClass.NETWORK, "cut: " + cause.getClass().getSimpleName()));
        response.handler(ear::onData);
        response.endHandler(done -> {
            bodyEnded = true;
            ear.onEnded();
        });
        ear.onHead(response.statusCode(), new AnswerHeaders(response.headers()));
    }

    @Override
    public void pause() {
        if (incoming != null) {
            incoming.pause();
        }
    }

    @Override
    public void resume() {
        if (incoming != null) {
            incoming.resume();
        }
    }

    /** Gives the connection back if the upstream ends the message soon, else cuts it. */
    @Override
    public void release(boolean complete) {
        released = true;
        if (outgoing == null || bodyEnded) {
            return;
        }
        if (!complete || incoming == null) {
            outgoing.reset();
            return;
        }
        HttpClientRequest toCut = outgoing;
        long linger = vertx.setTimer(lingerMs, late -> toCut.reset());
        incoming.endHandler(done -> vertx.cancelTimer(linger));
        incoming.exceptionHandler(broken -> vertx.cancelTimer(linger));
        incoming.resume();
    }
}
