package io.sluice.data.cases;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.Sse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** A chat request on a raw connection whose answer is read while it comes. */
final class Live implements AutoCloseable {
    private static final int READ_MS = 15_000;

    private final Socket socket;
    private final StringBuilder seen = new StringBuilder();

    /** Sends the request; nothing is read yet. */
    Live(Client client, String body, String... headers) {
        try {
            socket = client.connect(READ_MS);
            socket.getOutputStream().write(Client.rawChat(body, headers).getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Whether nothing was read so far. */
    boolean untouched() {
        return seen.isEmpty();
    }

    /** Reads until {@code text} has come; fails where it does not come in time. */
    Live until(String text) {
        byte[] buffer = new byte[8_192];
        int from = 0; // what was searched is not searched again: a reader that dawdles is cut off
        try {
            while (seen.indexOf(text, from) < 0) {
                int n = socket.getInputStream().read(buffer);
                if (n < 0) {
                    throw new AssertionError("ended without " + text + ": " + seen);
                }
                from = Math.max(0, seen.length() - text.length());
                seen.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (IOException silent) {
            throw new AssertionError("never came: " + text + "; so far: " + seen, silent);
        }
        return this;
    }

    /** Reads to the regular end of a chunked answer. */
    Live untilEnd() {
        return until("\r\n0\r\n\r\n");
    }

    /** A header of the answer; null where it has none. */
    String header(String name) {
        String head = seen.substring(0, seen.indexOf("\r\n\r\n"));
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse(null);
    }

    /** The chunked body so far, joined and decoded. */
    String body() {
        StringBuilder body = new StringBuilder();
        int at = seen.indexOf("\r\n\r\n") + 4;
        while (at < seen.length()) {
            int line = seen.indexOf("\r\n", at);
            int length = line < 0 ? 0 : Integer.parseInt(seen.substring(at, line), 16);
            if (length == 0 || line + 2 + length > seen.length()) {
                break;
            }
            body.append(seen, line + 2, line + 2 + length);
            at = line + 2 + length + 2;
        }
        return new String(body.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    List<String> payloads() {
        return Sse.payloads(body());
    }

    /** Leaves: a regular TCP close. */
    void leave() {
        close();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            throw new UncheckedIOException(alreadyClosed);
        }
    }
}
