package io.sluice.control.webhook;

import io.sluice.tenants.net.AddressRule;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Instant;

/**
 * Posts events: to the very address that was checked, each over a connection of its own, for at most {@link #TIMEOUT_MS}. Follows no
 * redirects and reads nothing of an answer but its status, however long it is. Has nothing in common with the clients that call providers.
 * Of one event loop.
 */
final class WebhookClient {
    /** A receiver that has to think longer should put the event into a queue first. */
    static final long TIMEOUT_MS = 5_000;

    /** Statuses need no more. */
    private static final int HEADER_BYTES_MAX = 8_192;

    private static final int CONNECTIONS_MAX = 64;

    private final Vertx vertx;
    private final AddressRule rule;
    private final Resolver resolver;
    private final HttpClient http;

    /** Looks a name up; blocking. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    WebhookClient(Vertx vertx, AddressRule rule) {
        this(vertx, rule, InetAddress::getAllByName);
    }

    WebhookClient(Vertx vertx, AddressRule rule, Resolver resolver) {
        this.resolver = resolver;
        this.vertx = vertx;
        this.rule = rule;
        http = vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setKeepAlive(false)
                        .setConnectTimeout((int) TIMEOUT_MS)
                        .setMaxHeaderSize(HEADER_BYTES_MAX)
                        .setDecompressionSupported(false)
                        .setVerifyHost(true)
                        .setTrustAll(false))
                .with(new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX).setMaxWaitQueueSize(CONNECTIONS_MAX))
                .withConnectHandler(connection -> connection.exceptionHandler(reset -> {}))
                .build();
    }

    /** The status of the answer; fails where there was none in time, or the address is not allowed. */
    Future<Integer> post(String url, String secret, Alert alert, Instant now) {
        var problem = rule.problem(url);
        if (problem.isPresent()) { // the rule may have been changed since it was written
            return Future.failedFuture("its URL " + problem.get());
        }
        URI uri = URI.create(url);
        return resolve(uri).compose(address -> exchange(uri, address, secret, alert, now));
    }

    private static String host(URI uri) {
        String host = uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Every address of the name must be allowed: which one would be taken is not ours to choose. */
    private Future<SocketAddress> resolve(URI uri) {
        boolean ssl = uri.getScheme().equalsIgnoreCase("https");
        int port = uri.getPort() > 0 ? uri.getPort() : ssl ? 443 : 80;
        return vertx.executeBlocking(
                () -> {
                    InetAddress[] addresses = resolver.resolve(host(uri));
                    for (InetAddress address : addresses) {
                        var refusal = rule.problem(host(uri), address);
                        if (refusal.isPresent()) {
                            throw new UnknownHostException("its URL " + refusal.get());
                        }
                    }
                    return SocketAddress.inetSocketAddress(port, addresses[0].getHostAddress());
                },
                false);
    }

    private Future<Integer> exchange(URI uri, SocketAddress address, String secret, Alert alert, Instant now) {
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String timestamp = WebhookSignature.timestamp(now);
        RequestOptions options = new RequestOptions()
                .setServer(address)
                .setHost(host(uri))
                .setPort(address.port())
                .setSsl(uri.getScheme().equalsIgnoreCase("https"))
                .setMethod(HttpMethod.POST)
                .setURI(uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery())
                .setFollowRedirects(false)
                .putHeader("content-type", "application/json")
                .putHeader("user-agent", "sluice-webhook")
                .putHeader("x-sluice-event", alert.key().event())
                .putHeader("x-sluice-timestamp", timestamp)
                .putHeader("x-sluice-signature", WebhookSignature.of(secret, timestamp, alert.body()));
        Promise<Integer> answered = Promise.promise();
        long timer = vertx.setTimer(
                TIMEOUT_MS, late -> answered.tryFail("no answer within " + TIMEOUT_MS / 1_000 + " seconds"));
        http.request(options).onFailure(answered::tryFail).onSuccess(request -> send(request, alert.body(), answered));
        return answered.future().onComplete(any -> vertx.cancelTimer(timer));
    }

    /** However it ends, the connection is cut: what a receiver still says is of no interest. */
    private static void send(HttpClientRequest request, String body, Promise<Integer> answered) {
        request.exceptionHandler(answered::tryFail);
        answered.future().onComplete(any -> request.reset());
        if (!answered.future().isComplete()) {
            request.send(body).onFailure(answered::tryFail).onSuccess(response -> {
                response.exceptionHandler(cut -> {}); // by ourselves
                answered.tryComplete(response.statusCode());
            });
        }
    }

    Future<Void> close() {
        return http.close();
    }
}
