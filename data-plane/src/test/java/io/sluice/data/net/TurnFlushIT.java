package io.sluice.data.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TurnFlushIT {
    private final Vertx vertx = Vertx.vertx();
    private final List<Boolean> held = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private void opened(HttpConnection connection) {
        TurnFlush.on(connection);
        held.add(connection instanceof ConnectionBase own
                && own.channel().pipeline().toMap().values().stream()
                        .anyMatch(each -> each.getClass().getEnclosingClass() == TurnFlush.class));
    }

    @Test
    void standsBelowTheConnectionsOfServersAndClientsAndLetsTheirWordsOut() throws Exception {
        HttpServer server = await(vertx.createHttpServer()
                .connectionHandler(this::opened)
                .requestHandler(asked -> asked.response().end("answer"))
                .listen(0, "127.0.0.1"));
        HttpClient client =
                vertx.httpClientBuilder().withConnectHandler(this::opened).build();

        String answer = await(client.request(HttpMethod.GET, server.actualPort(), "127.0.0.1", "/")
                .compose(request -> request.send().compose(HttpClientResponse::body))
                .map(Object::toString));

        assertThat(answer).isEqualTo("answer");
        assertThat(held).containsExactly(true, true);
    }
}
