package io.sluice.data.cases;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.Client;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What came back on one raw connection.
 *
 * @param closed whether the gateway closed it
 * @param bytes everything that came, as ISO-8859-1
 */
record RawExchange(boolean closed, String bytes) {
    /** Longer than the gateway's own linger, short enough to wait for in a test where the connection stays open. */
    private static final int QUIET_MS = 5_000;

    /**
     * One answer.
     *
     * @param headers by lower-case name, the last of each
     */
    record Response(int status, Map<String, String> headers, String body) {
        JsonNode error() {
            try {
                return StrictJson.MAPPER.readTree(body).path("error");
            } catch (IOException notJson) {
                throw new AssertionError("no JSON: " + body, notJson);
            }
        }

        String code() {
            return error().path("code").asText();
        }
    }

    /** Sends bytes, given as ISO-8859-1, on a new connection and reads until the gateway closes it. */
    static RawExchange send(Client client, String request) {
        return send(client, request, QUIET_MS);
    }

    /** The same; gives up where nothing comes for {@code quietMs}. */
    static RawExchange send(Client client, String request, int quietMs) {
        try (Socket socket = client.connect(quietMs)) {
            Client.write(socket, request.getBytes(StandardCharsets.ISO_8859_1));
            return readFrom(socket);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Reads from a connection until the gateway closes it or is quiet. */
    static RawExchange readFrom(Socket socket) {
        StringBuilder read = new StringBuilder();
        byte[] buffer = new byte[65_536];
        try {
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                read.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (SocketTimeoutException stillOpen) {
            return new RawExchange(false, read.toString());
        } catch (IOException reset) {
            return new RawExchange(true, read.toString());
        }
        return new RawExchange(true, read.toString());
    }

    /** The answers, in order; fails where the bytes are not whole answers one after the other. */
    List<Response> responses() {
        List<Response> found = new ArrayList<>();
        int at = 0;
        while (at < bytes.length()) {
            int headEnd = bytes.indexOf("\r\n\r\n", at);
            if (!bytes.startsWith("HTTP/1.", at) || headEnd < 0) {
                throw new AssertionError("not an answer: " + bytes.substring(at));
            }
            String[] lines = bytes.substring(at, headEnd).split("\r\n", -1);
            int status = Integer.parseInt(lines[0].substring(9, 12));
            Map<String, String> headers = new LinkedHashMap<>();
            for (int i = 1; i < lines.length; i++) {
                int colon = lines[i].indexOf(':');
                headers.put(
                        lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                        lines[i].substring(colon + 1).strip());
            }
            int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
            int bodyEnd = headEnd + 4 + length;
            if (bodyEnd > bytes.length()) {
                throw new AssertionError("the body is cut: " + bytes.substring(at));
            }
            found.add(new Response(status, headers, bytes.substring(headEnd + 4, bodyEnd)));
            at = bodyEnd;
        }
        return found;
    }

    /** The one answer. */
    Response only() {
        List<Response> all = responses();
        if (all.size() != 1) {
            throw new AssertionError(all.size() + " answers: " + bytes);
        }
        return all.get(0);
    }
}
