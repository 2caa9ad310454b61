package io.sluice.bench;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.httpproxy.HttpProxy;
import java.util.ArrayList;
import java.util.List;

/**
 * The floor of this stack: {@code vertx-http-proxy} with no logic at all, one event loop, on loopback. Whatever Sluice costs more
 * than this is Sluice's own.
 *
 * <p>Arguments: {@code LISTEN=UPSTREAM} pairs of ports, and optionally {@code nio} to leave the native transport out.
 */
public final class FloorProxy {
    /** Vert.x's own default of 5 would make the client pool, and not the proxy, the thing that is measured. */
    private static final int UPSTREAM_CONNECTIONS_MAX = 512;

    private FloorProxy() {}

    public static void main(String[] args) {
        boolean nativeWanted = !List.of(args).contains("nio");
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(nativeWanted));
        HttpClient client = vertx.createHttpClient(
                new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(UPSTREAM_CONNECTIONS_MAX));
        List<Future<?>> listening = new ArrayList<>();
        for (String arg : args) {
            if (!arg.equals("nio")) {
                listening.add(serve(vertx, client, arg));
            }
        }
        Future.all(listening)
                .onSuccess(all -> System.out.println(
                        "Floor is ready, transport " + (vertx.isNativeTransportEnabled() ? "epoll" : "nio")))
                .onFailure(trouble -> {
                    System.err.println("floor: " + trouble.getMessage());
                    System.exit(1);
                });
    }

    private static Future<?> serve(Vertx vertx, HttpClient client, String pair) {
        String[] ports = pair.split("=", 2);
        HttpProxy proxy = HttpProxy.reverseProxy(client).origin(Integer.parseInt(ports[1]), "127.0.0.1");
        return vertx.createHttpServer().requestHandler(proxy).listen(Integer.parseInt(ports[0]), "127.0.0.1");
    }
}
