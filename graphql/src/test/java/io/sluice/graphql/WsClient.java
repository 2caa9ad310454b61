package io.sluice.graphql;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.json.StrictJson;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of graphql-transport-ws that keeps every message until it is asked for. */
final class WsClient implements WebSocket.Listener {
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final StringBuilder partial = new StringBuilder();
    private WebSocket socket;

    static WsClient connect(Management management, String... headers) throws Exception {
        WsClient client = new WsClient();
        WebSocket.Builder builder =
                HttpClient.newHttpClient().newWebSocketBuilder().subprotocols("graphql-transport-ws");
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        client.socket = builder.buildAsync(URI.create("ws://127.0.0.1:" + management.port + "/graphql"), client)
                .get(10, TimeUnit.SECONDS);
        return client;
    }

    /** A socket on which {@code token} was acknowledged. */
    static WsClient open(Management management, String token) throws Exception {
        WsClient client = connect(management);
        client.send("{\"type\":\"connection_init\",\"payload\":{\"Authorization\":\"Bearer " + token + "\"}}");
        JsonNode ack = client.next();
        if (!ack.path("type").asText().equals("connection_ack")) {
            throw new IllegalStateException(ack.toString());
        }
        return client;
    }

    void send(String message) throws Exception {
        socket.sendText(message, true).get(10, TimeUnit.SECONDS);
    }

    void subscribe(String id, String query) throws Exception {
        send("{\"type\":\"subscribe\",\"id\":\"" + id + "\",\"payload\":{\"query\":"
                + StrictJson.MAPPER.writeValueAsString(query) + "}}");
    }

    JsonNode next() throws Exception {
        String message = messages.poll(10, TimeUnit.SECONDS);
        if (message == null) {
            throw new IllegalStateException("no message within 10 s");
        }
        return StrictJson.MAPPER.readTree(message);
    }

    int closeCode() throws Exception {
        return closed.get(10, TimeUnit.SECONDS);
    }

    String subprotocol() {
        return socket.getSubprotocol();
    }

    void drop() {
        socket.abort();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            messages.add(partial.toString());
            partial.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closed.complete(code);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        closed.completeExceptionally(error);
    }
}
