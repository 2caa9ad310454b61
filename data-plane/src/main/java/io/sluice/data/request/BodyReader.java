package io.sluice.data.request;

import io.sluice.tenants.failure.Refusal;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads a JSON body: media type and length are checked before the first byte is asked for, the length again while it comes. */
public final class BodyReader {
    private static final String JSON = "application/json";

    /** How exactly the time of a body is kept; less than a tenth of its default. */
    private static final long SWEEP_MS = 1_000;

    private final long bodyBytesMax;
    private final long bodyTimeoutMs;
    private final Set<Reading> open = new HashSet<>();

    /**
     * A reader with the given limits.
     *
     * @param bodyTimeoutMs for the whole body to arrive (bad-input row 23)
     */
    public BodyReader(Vertx vertx, long bodyBytesMax, long bodyTimeoutMs) {
        this.bodyBytesMax = bodyBytesMax;
        this.bodyTimeoutMs = bodyTimeoutMs;
        vertx.setPeriodic(Math.min(SWEEP_MS, bodyTimeoutMs), timer -> sweep());
    }

    /** The body, or why it is not taken. Completes with neither where the caller leaves. */
    public Future<Outcome<Buffer>> read(HttpServerRequest http) {
        Stop wrong = wrongHead(http);
        if (wrong != null) {
            return Future.succeededFuture(Outcome.halt(wrong));
        }
        if (http.headers().contains(HttpHeaders.EXPECT)) {
            http.response().writeContinue();
        }
        return new Reading(http).start();
    }

    private Stop wrongHead(HttpServerRequest http) {
        String length = http.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && Long.parseLong(length) > bodyBytesMax) {
            return tooLarge();
        }
        if (http.headers().contains(HttpHeaders.CONTENT_ENCODING)
                && !http.headers().getAll(HttpHeaders.CONTENT_ENCODING).equals(List.of("identity"))) {
            return Stop.of(
                    Refusal.UNSUPPORTED_MEDIA_TYPE,
                    "compressed bodies are not taken; send it plain",
                    "content-encoding");
        }
        List<String> types = http.headers().getAll(HttpHeaders.CONTENT_TYPE);
        if (types.size() != 1 || !json(types.get(0))) {
            return Stop.of(
                    Refusal.UNSUPPORTED_MEDIA_TYPE,
                    "send the body with Content-Type: application/json",
                    "content-type");
        }
        return null;
    }

    private static boolean json(String type) {
        if (type.equalsIgnoreCase(JSON)) {
            return true;
        }
        String[] parts = type.toLowerCase(Locale.ROOT).split(";", -1);
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().replace("\"", "");
            if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
                return false;
            }
        }
        return parts[0].strip().equals(JSON);
    }

    private Stop tooLarge() {
        return Stop.of(Refusal.BODY_TOO_LARGE, "the body is larger than " + bodyBytesMax + " bytes; send less", null);
    }

    /** Ends what has been coming for too long; a timer per request would cost more than most bodies. */
    private void sweep() {
        long now = System.nanoTime();
        for (Reading reading : List.copyOf(open)) {
            if (now - reading.sinceNs > bodyTimeoutMs * 1_000_000) {
                reading.end(Outcome.halt(Stop.of(
                        Refusal.REQUEST_TIMEOUT,
                        "the body did not arrive within " + bodyTimeoutMs + " ms; send it again on a new connection",
                        null)));
            }
        }
    }

    /** One body while it comes. */
    private final class Reading {
        private final HttpServerRequest http;
        private final Promise<Outcome<Buffer>> promise = Promise.promise();
        private final long sinceNs = System.nanoTime();
        private Buffer body;
        private boolean shared;

        Reading(HttpServerRequest http) {
            this.http = http;
        }

        Future<Outcome<Buffer>> start() {
            open.add(this);
            http.handler(this::onData);
            http.endHandler(done -> end(Outcome.go(body == null ? Buffer.buffer() : body)));
            http.exceptionHandler(broken -> onBroken());
            return promise.future();
        }

        /** The server cuts the connection as soon as this returns; closing it here lets the answer out before. */
        private void onBroken() {
            end(Outcome.halt(
                    Stop.of(Refusal.MALFORMED_HTTP, "the body's chunked encoding or length is malformed", null)));
            http.connection().close();
        }

        /** A body of one piece, as most are, is not copied. */
        private void onData(Buffer piece) {
            if (body == null && piece.length() <= bodyBytesMax) {
                body = piece;
                shared = true;
                return;
            }
            if (body == null || body.length() + piece.length() > bodyBytesMax) {
                http.handler(null);
                end(Outcome.halt(tooLarge()));
                return;
            }
            if (shared) {
                body = Buffer.buffer(2 * body.length() + piece.length()).appendBuffer(body);
                shared = false;
            }
            body.appendBuffer(piece);
        }

        private void end(Outcome<Buffer> outcome) {
            open.remove(this);
            promise.tryComplete(outcome);
        }
    }
}
