package io.sluice.plugins.openai;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cuts a server-sent event stream into events, whatever way the network cuts the bytes. Lines end in LF, CR or CRLF, in any
 * mixture; a byte order mark, comments, ids, retries, event names and unknown fields are skipped; data fields of one event
 * are joined by LF, with or without the blank after the colon. An event whole in one piece is not copied. For one stream on
 * one thread.
 */
final class SseParser {
    /**
     * Largest event in bytes. Providers send single events of some megabytes (a whole file as one tool argument); a line that
     * never ends must not fill the heap.
     */
    static final int EVENT_BYTES_MAX = 8 << 20;

    private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);

    /** Who hears of events. Returning false ends the parsing for good. */
    interface Listener {
        /**
         * One event's data.
         *
         * @param ascii whether all its bytes are below 128
         * @param piece the network piece of which {@code bytes} is a copy, so that a part of it can be passed on; null where
         *     the event was put together from several pieces or lines
         */
        boolean onData(byte[] bytes, int from, int to, boolean ascii, Buffer piece);

        /** A line that is no field of an event stream but begins like a JSON object. */
        boolean onBareObject(byte[] bytes, int from, int to);

        /** An event exceeds {@link #EVENT_BYTES_MAX}. */
        void onTooLong();
    }

    private final Listener listener;

    /** Begin of a line whose end has not come. */
    private final ByteStore line = new ByteStore();

    /** Data of an event whose end has not come, as far as it is no longer in the current piece. */
    private final ByteStore joined = new ByteStore();

    private int dataLines;
    private int dataFrom;
    private int dataTo;
    private byte dataBits;
    private byte lineBits;
    private boolean skipLf;
    private boolean open = true;

    SseParser(Listener listener) {
        this.listener = listener;
    }

    /** The next piece. */
    void feed(Buffer piece) {
        byte[] bytes = piece.getBytes();
        int start = 0;
        int i = 0;
        if (skipLf && bytes.length > 0) {
            skipLf = false;
            if (bytes[0] == '\n') {
                start = 1;
                i = 1;
            }
        }
        byte bits = lineBits;
        for (; i < bytes.length && open; i++) {
            byte b = bytes[i];
            bits |= b;
            if (b == '\n' || b == '\r') {
                lineBits = bits;
                endLine(bytes, start, i, piece);
                bits = 0;
                if (b == '\r') {
                    if (i + 1 == bytes.length) {
                        skipLf = true;
                    } else if (bytes[i + 1] == '\n') {
                        i++;
                    }
                }
                start = i + 1;
            }
        }
        lineBits = bits;
        if (open) {
            keep(bytes, start);
        }
    }

    /** The stream ended: what stands in front of the missing blank line still counts. */
    void end() {
        if (open && !line.isEmpty()) {
            endLine(new byte[0], 0, 0, null);
        }
        if (open) {
            dispatch(line.bytes(), null);
        }
    }

    /** Stops for good. */
    void stop() {
        open = false;
    }

    private void keep(byte[] bytes, int start) {
        if (dataLines > 0 && dataFrom >= 0) {
            joined.clear();
            joined.append(bytes, dataFrom, dataTo);
            dataFrom = -1;
        }
        if (start < bytes.length) {
            line.append(bytes, start, bytes.length);
        }
        if (line.length() + joined.length() > EVENT_BYTES_MAX) {
            open = false;
            listener.onTooLong();
        }
    }

    private void endLine(byte[] bytes, int from, int to, Buffer piece) {
        if (line.isEmpty()) {
            onLine(bytes, from, to, piece);
            return;
        }
        line.append(bytes, from, to);
        if (line.length() + joined.length() > EVENT_BYTES_MAX) {
            open = false;
            listener.onTooLong();
            return;
        }
        onLine(line.bytes(), 0, line.length(), null);
        if (dataLines > 0 && dataFrom >= 0) {
            joined.clear();
            joined.append(line.bytes(), dataFrom, dataTo);
            dataFrom = -1;
        }
        line.clear();
    }

    private void onLine(byte[] bytes, int from, int to, Buffer piece) {
        if (from == to) {
            dispatch(bytes, piece);
            return;
        }
        int end = from + DATA.length;
        if (to >= end && Arrays.equals(bytes, from, end, DATA, 0, DATA.length) && (to == end || bytes[end] == ':')) {
            int value = Math.min(to, end + 1);
            onDataLine(bytes, value < to && bytes[value] == ' ' ? value + 1 : value, to);
        } else if (bytes[from] == '{') {
            open = listener.onBareObject(bytes, from, to);
        }
        lineBits = 0;
    }

    private void onDataLine(byte[] bytes, int from, int to) {
        dataBits |= lineBits;
        dataLines++;
        if (dataLines == 1) {
            dataFrom = from;
            dataTo = to;
            return;
        }
        if (dataFrom >= 0) {
            joined.clear();
            joined.append(bytes, dataFrom, dataTo);
            dataFrom = -1;
        }
        joined.append((byte) '\n');
        joined.append(bytes, from, to);
        if (joined.length() > EVENT_BYTES_MAX) {
            open = false;
            listener.onTooLong();
        }
    }

    private void dispatch(byte[] bytes, Buffer piece) {
        if (dataLines == 0) {
            return;
        }
        dataLines = 0;
        boolean ascii = dataBits >= 0;
        dataBits = 0;
        if (dataFrom >= 0) {
            open = listener.onData(bytes, dataFrom, dataTo, ascii, piece);
        } else {
            open = listener.onData(joined.bytes(), 0, joined.length(), ascii, null);
        }
        joined.clear();
    }
}
