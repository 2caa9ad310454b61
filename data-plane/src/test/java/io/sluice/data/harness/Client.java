package io.sluice.data.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Calls a gateway on loopback: well-formed requests through the JDK's client, anything else through a raw socket. */
public final class Client {
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final int port;

    public Client(int port) {
        this.port = port;
    }

    /** An answer. */
    public record Answer(int status, HttpResponse<byte[]> response) {
        public String body() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse(null);
        }

        public JsonNode json() {
            return parse(body());
        }

        /** {@code error.code}. */
        public String code() {
            return json().path("error").path("code").asText();
        }

        /** The data payloads of a stream, {@code [DONE]} included. */
        public List<String> payloads() {
            return Sse.payloads(body());
        }

        /** Every payload but {@code [DONE]}, parsed. */
        public List<JsonNode> chunks() {
            return payloads().stream()
                    .filter(payload -> !payload.equals("[DONE]"))
                    .map(Client::parse)
                    .toList();
        }

        /** All content deltas of choice 0 joined. */
        public String text() {
            return chunks().stream()
                    .map(chunk -> chunk.path("choices")
                            .path(0)
                            .path("delta")
                            .path("content")
                            .asText(""))
                    .collect(Collectors.joining());
        }

        /** The last finish reason; null where there was none. */
        public String finishReason() {
            return chunks().stream()
                    .map(chunk -> chunk.path("choices").path(0).path("finish_reason"))
                    .filter(JsonNode::isTextual)
                    .map(JsonNode::asText)
                    .reduce((first, second) -> second)
                    .orElse(null);
        }

        public boolean done() {
            return payloads().contains("[DONE]");
        }
    }

    static JsonNode parse(String json) {
        try {
            return StrictJson.MAPPER.readTree(json);
        } catch (JsonProcessingException notJson) {
            throw new AssertionError("not JSON: " + json, notJson);
        }
    }

    /** REQ of the case list: model auto, one user message, key K1, scenario chat. */
    public static String request(String... members) {
        List<String> all =
                new ArrayList<>(List.of("\"model\":\"auto\"", "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]"));
        all.addAll(List.of(members));
        return "{" + String.join(",", all) + "}";
    }

    /** REQS of the case list. */
    public static String streamed(String... members) {
        List<String> all = new ArrayList<>(List.of(members));
        all.add("\"stream\":true");
        return request(all.toArray(String[]::new));
    }

    /** Posts a chat body with key K1; {@code headers} are names and values in turn and may replace the usual ones. */
    public Answer chat(String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri("/v1/chat/completions"))
                .timeout(Duration.ofSeconds(30))
                .header("authorization", "Bearer K1")
                .header("content-type", "application/json")
                .header("x-business-scenario", "chat")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return send(request.build());
    }

    /** Gets a path with key K1. */
    public Answer get(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(30))
                .header("authorization", "Bearer K1");
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return send(request.build());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private Answer send(HttpRequest request) {
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response);
        } catch (IOException failed) {
            throw new AssertionError("no answer: " + failed, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** The raw text of a chat request, for a raw socket. */
    public static String rawChat(String body, String... headers) {
        StringBuilder head = new StringBuilder("POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer K1\r\nContent-Type: application/json\r\nX-Business-Scenario: chat\r\n"
                + "Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return head + "\r\n" + body;
    }

    /** Opens a raw connection; reads time out after {@code readMs}. */
    public Socket connect(int readMs) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(readMs);
        return socket;
    }

    /** Sends raw bytes on a new connection and reads until the gateway closes it or is silent for {@code readMs}. */
    public String raw(String request, int readMs) throws IOException {
        try (Socket socket = connect(readMs)) {
            write(socket, request.getBytes(StandardCharsets.ISO_8859_1));
            return readAll(socket);
        }
    }

    /**
     * Sends as much as the gateway takes. One that has refused a long request closes the connection while the rest still comes;
     * what it answered before can be read all the same.
     */
    public static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException closed) {
            if (socket.isClosed()) {
                throw new AssertionError("this end closed it: " + closed, closed);
            }
        }
    }

    /** Reads until the end, a reset or a read timeout. */
    public static String readAll(Socket socket) {
        StringBuilder read = new StringBuilder();
        byte[] buffer = new byte[8_192];
        try {
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                read.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (IOException ended) {
            return read.toString();
        }
        return read.toString();
    }
}
