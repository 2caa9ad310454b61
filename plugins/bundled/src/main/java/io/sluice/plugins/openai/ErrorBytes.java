package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/** The body of an answer with an error status, made readable as far as that is safe. */
final class ErrorBytes {
    /** What a compressed error may grow to. */
    private static final int INFLATED_BYTES_MAX = 64 << 10;

    /** A backslash, a u and four digits. */
    private static final int UNICODE_ESCAPE_CHARS = 6;

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

    /** The error as JSON, of one that was cut as much as came; null where it is none. */
    static JsonNode json(byte[] bytes) {
        JsonNode whole = ProviderJson.read(bytes, 0, bytes.length);
        if (whole != null || bytes.length == 0) {
            return whole;
        }
        String cut = new String(bytes, StandardCharsets.UTF_8);
        JsonNode began = read(closed(cut));
        int member = cut.lastIndexOf(','); // the last one may have no value yet
        return began == null && member >= 0 ? read(closed(cut.substring(0, member))) : began;
    }

    private static JsonNode read(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return ProviderJson.read(bytes, 0, bytes.length);
    }

    /** {@code cut} with the ends of the text, the objects and the lists that are open at its end. */
    private static String closed(String cut) {
        StringBuilder ends = new StringBuilder();
        boolean text = false;
        int escape = -1;
        for (int i = 0; i < cut.length(); i++) {
            char sign = cut.charAt(i);
            if (escape >= 0) {
                boolean over = (sign != 'u' && i == escape + 1) || i == escape + UNICODE_ESCAPE_CHARS - 1;
                escape = over ? -1 : escape;
            } else if (text && sign == '\\') {
                escape = i;
            } else if (sign == '"') {
                text = !text;
            } else if (!text && (sign == '{' || sign == '[')) {
                ends.insert(0, sign == '{' ? '}' : ']');
            } else if (!text && (sign == '}' || sign == ']') && !ends.isEmpty()) {
                ends.deleteCharAt(0);
            }
        }
        return (escape >= 0 ? cut.substring(0, escape) : cut) + (text ? "\"" : "") + ends;
    }

    /** What an operator sees of a body that is no JSON: never a page. */
    static String excerpt(byte[] bytes) {
        String text = new String(bytes, 0, Math.min(bytes.length, INFLATED_BYTES_MAX), StandardCharsets.UTF_8).strip();
        return text.toLowerCase(Locale.ROOT).startsWith("<") ? "an HTML page instead of an error object" : text;
    }
}
