package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A client of graphql-transport-ws with the JDK's WebSocket. */
final class GraphqlSocketClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long WAIT_S_MAX = 30;

    private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
    private final WebSocket socket;

    /** Says who it is and waits until that is accepted. */
    GraphqlSocketClient(Admin admin) throws Exception {
        String url = admin.sluice().management().replaceFirst("^http", "ws") + "/graphql";
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .subprotocols("graphql-transport-ws")
                .buildAsync(URI.create(url), new Listener())
                .get(WAIT_S_MAX, TimeUnit.SECONDS);
        send(Map.of("type", "connection_init", "payload", Map.of("Authorization", "Bearer " + admin.token())));
        await(message -> message.path("type").asText().equals("connection_ack"));
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                try {
                    messages.add(JSON.readTree(text.toString()));
                } catch (JsonProcessingException wrong) {
                    throw new AssertionError(wrong);
                }
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }

    /** Starts a subscription. */
    void subscribe(String id, String document) throws Exception {
        send(Map.of("id", id, "type", "subscribe", "payload", Map.of("query", document)));
    }

    private void send(Map<String, Object> message) throws Exception {
        socket.sendText(JSON.writeValueAsString(message), true).get(WAIT_S_MAX, TimeUnit.SECONDS);
    }

    /** The data of the next event of subscription {@code id} that fits; others are skipped. */
    JsonNode next(String id, Predicate<JsonNode> fits) throws InterruptedException {
        return await(message -> message.path("type").asText().equals("next")
                        && message.path("id").asText().equals(id)
                        && fits.test(message.at("/payload/data")))
                .at("/payload/data");
    }

    private JsonNode await(Predicate<JsonNode> fits) throws InterruptedException {
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S_MAX);
        while (true) {
            JsonNode message = messages.poll(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            assertThat(message).as("a message in time").isNotNull();
            if (fits.test(message)) {
                return message;
            }
        }
    }

    @Override
    public void close() {
        socket.abort();
    }
}
