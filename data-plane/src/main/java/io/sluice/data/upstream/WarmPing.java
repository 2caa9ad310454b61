package io.sluice.data.upstream;

import io.sluice.plugins.api.CredentialSource;
import io.sluice.plugins.api.Upstream;
import io.sluice.plugins.api.UpstreamCall;
import io.sluice.tenants.routing.CompiledTarget;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.util.Optional;

/**
 * One call that only touches an idle upstream, so that its address, its connection and TLS are warm on this event loop. Lives on
 * that loop, ends once: within {@link #TIME_MAX_MS}, whatever the upstream does.
 */
final class WarmPing {
    /** A provider that takes longer than this to list its models is not well. */
    private static final long TIME_MAX_MS = 5_000;

    /** The longest list of models seen is a few hundred kilobytes; nothing of it is kept. */
    private static final long BYTES_MAX = 4L << 20;

    private final Vertx vertx;
    private final HttpClient http;
    private final CredentialSource credentials;
    private final Promise<Boolean> told = Promise.promise();
    private HttpClientRequest outgoing;
    private long timer = -1;
    private long bytes;

    WarmPing(Vertx vertx, HttpClient http, CredentialSource credentials) {
        this.vertx = vertx;
        this.http = http;
        this.credentials = credentials;
    }

    /** True where it answered, false where its provider has no such call; fails where it did not answer. */
    Future<Boolean> send(RunningProvider running, CompiledTarget target) {
        if (running == null || running.provider() == null) {
            return Future.failedFuture("the provider does not run");
        }
        Optional<UpstreamCall> call;
        try {
            call = running.provider()
                    .ping(new Upstream(
                            target.nameUpstream(), credentials.reveal(running.config()), target.maxOutputTokens()));
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError broken) {
            return Future.failedFuture(broken);
        }
        if (call.isEmpty()) {
            return Future.succeededFuture(false);
        }
        timer = vertx.setTimer(TIME_MAX_MS, late -> fail("no answer in time"));
        Origin origin = running.origin();
        SocketAddress fresh = origin.fresh(System.nanoTime());
        (fresh != null ? Future.succeededFuture(fresh) : origin.resolve(System.nanoTime()))
                .compose(address -> http.request(options(origin, address, call.get())))
                .onSuccess(made -> write(made, call.get()))
                .onFailure(unreachable -> fail(unreachable.getClass().getSimpleName()));
        return told.future();
    }

    private static RequestOptions options(Origin origin, SocketAddress address, UpstreamCall call) {
        return new RequestOptions()
                .setServer(address)
                .setHost(origin.host())
                .setPort(origin.port())
                .setSsl(origin.ssl())
                .setMethod(HttpMethod.valueOf(call.method()))
                .setURI(call.path())
                .setFollowRedirects(false);
    }

    private void write(HttpClientRequest made, UpstreamCall call) {
        outgoing = made;
        made.exceptionHandler(broken -> fail(broken.getClass().getSimpleName()));
        if (told.future().isComplete()) {
            made.reset();
            return;
        }
        call.headers().forEach(header -> made.putHeader(header.getKey(), header.getValue()));
        made.send(call.body())
                .onSuccess(this::read)
                .onFailure(broken -> fail(broken.getClass().getSimpleName()));
    }

    private void read(HttpClientResponse answer) {
        answer.exceptionHandler(broken -> fail(broken.getClass().getSimpleName()));
        answer.handler(this::onData);
        answer.endHandler(done -> {
            if (answer.statusCode() >= 500) {
                fail("status " + answer.statusCode());
            } else {
                vertx.cancelTimer(timer);
                told.tryComplete(true);
            }
        });
    }

    private void onData(Buffer piece) {
        bytes += piece.length();
        if (bytes > BYTES_MAX) {
            fail("more than " + BYTES_MAX + " bytes");
        }
    }

    private void fail(String why) {
        vertx.cancelTimer(timer);
        if (told.tryFail(why) && outgoing != null) {
            outgoing.reset();
        }
    }
}
