package io.sluice.plugins.openai;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/** The body of an answer with an error status, made readable as far as that is safe. */
final class ErrorBytes {
    /** What a compressed error may grow to. */
    private static final int INFLATED_BYTES_MAX = 64 << 10;

    private ErrorBytes() {}

    /**
     * The bytes without compression. Identity is asked for, yet some servers compress their errors anyway, and the code in
     * one decides between waiting and never coming back.
     */
    static byte[] plain(byte[] bytes, String encoding) {
        if (!encoding.equals("gzip")) {
            return bytes;
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return in.readNBytes(INFLATED_BYTES_MAX);
        } catch (IOException broken) {
            return new byte[0];
        }
    }

    /** What an operator sees of a body that is no JSON: never a page. */
    static String excerpt(byte[] bytes) {
        String text = new String(bytes, 0, Math.min(bytes.length, INFLATED_BYTES_MAX), StandardCharsets.UTF_8).strip();
        return text.toLowerCase(Locale.ROOT).startsWith("<") ? "an HTML page instead of an error object" : text;
    }
}
