package io.sluice.data.upstream;

import io.sluice.data.net.TurnFlush;
import io.sluice.plugins.api.CredentialSource;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.routing.CompiledTarget;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.PoolOptions;

/**
 * Makes calls to upstreams from one event loop: connections are used again on the loop that made them. It follows no
 * redirects, decodes no compression and verifies every certificate.
 */
public final class UpstreamClient {
    private final Vertx vertx;
    private final CallTimers timers;
    private final HttpClient http;
    private final Providers providers;
    private final CredentialSource credentials;
    private final UpstreamLimits limits;
    private final Context context;

    public UpstreamClient(Vertx vertx, Providers providers, CredentialSource credentials, UpstreamLimits limits) {
        this.vertx = vertx;
        timers = new CallTimers(vertx);
        this.providers = providers;
        this.credentials = credentials;
        this.limits = limits;
        context = vertx.getOrCreateContext();
        http = vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setConnectTimeout(limits.connectMs())
                        .setMaxHeaderSize(limits.headerBytesMax())
                        .setKeepAliveTimeout(limits.keepAliveS())
                        .setTcpNoDelay(true)
                        .setDecompressionSupported(false)
                        .setVerifyHost(true)
                        .setTrustAll(false))
                .with(new PoolOptions()
                        .setHttp1MaxSize(limits.connectionsMax())
                        .setMaxWaitQueueSize(limits.connectionsMax()))
                .withConnectHandler(UpstreamClient::connected)
                .build();
    }

    private static void connected(HttpConnection connection) {
        connection.exceptionHandler(
                reset -> {}); // the exchange it ends tells of it; on an idle one it is nobody's concern
        TurnFlush.on(connection);
    }

    /**
     * Starts one call.
     *
     * @param trace headers of A2: trace, session, attempt number, time of the first call
     * @param fault what goes wrong on purpose; null for nothing
     */
    public UpstreamExchange call(
            CompiledTarget target,
            ChatRequest request,
            CallTimes times,
            TraceHeaders trace,
            Fault fault,
            CallListener listener) {
        UpstreamExchange exchange = new UpstreamExchange(vertx, timers, credentials, limits, request, times, listener);
        exchange.start(
                providers.get(target.provider()),
                target,
                fault == null ? ear -> real(trace, ear) : ear -> faulty(fault, request.streamed(), trace, ear));
        return exchange;
    }

    private Wire real(TraceHeaders trace, Wire.Ear ear) {
        return new HttpWire(vertx, http, limits.lingerMs(), trace, ear);
    }

    private Wire faulty(Fault fault, boolean streamed, TraceHeaders trace, Wire.Ear ear) {
        return fault.standsIn()
                ? new StandInWire(vertx, fault, streamed, ear)
                : new FaultyWire(
                        vertx, new FaultedBody(fault, streamed, limits.wholeBytesMax()), ear, its -> real(trace, its));
    }

    /**
     * Touches an idle target so that the next call of it finds a warm connection on this event loop. May be called from any
     * thread.
     *
     * @return true where it answered, false where its provider has no such call; fails where it did not answer
     */
    public Future<Boolean> ping(CompiledTarget target) {
        Promise<Boolean> told = Promise.promise();
        context.runOnContext(here -> new WarmPing(vertx, http, credentials)
                .send(providers.get(target.provider()), target)
                .onComplete(told));
        return told.future();
    }

    /** Closes all connections. */
    public Future<Void> close() {
        return http.close();
    }
}
