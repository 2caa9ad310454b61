package io.sluice.bench;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Finds where the first HTTP/1.1 request in a buffer ends; knows {@code Content-Length} and chunked bodies without trailers. */
final class RequestEnd {
    private RequestEnd() {}

    /** @return length of the first whole request in bytes, or -1 when it is not complete */
    static int of(byte[] bytes, int length) {
        String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        int headEnd = text.indexOf("\r\n\r\n");
        if (headEnd < 0) {
            return -1;
        }
        String head = text.substring(0, headEnd).toLowerCase(Locale.ROOT);
        int bodyStart = headEnd + 4;
        int at = head.indexOf("\r\ncontent-length:");
        if (at >= 0) {
            int lineEnd = head.indexOf("\r\n", at + 2);
            String value = head.substring(at + 17, lineEnd < 0 ? head.length() : lineEnd)
                    .trim();
            int end = bodyStart + Integer.parseInt(value);
            return end <= length ? end : -1;
        }
        if (head.contains("\r\ntransfer-encoding:")) {
            int last =
                    text.startsWith("0\r\n\r\n", bodyStart) ? bodyStart - 2 : text.indexOf("\r\n0\r\n\r\n", bodyStart);
            return last < 0 ? -1 : last + 7;
        }
        return bodyStart;
    }
}
