package io.sluice.plugins.openai;

import java.util.Arrays;

/** Growing bytes whose array can be read in place. Gives memory back after a large use. For one thread. */
final class ByteStore {
    private static final byte[] NONE = new byte[0];

    /** Larger arrays are dropped when cleared: one big event must not hold memory for the rest of a stream. */
    private static final int KEPT_BYTES_MAX = 16 << 10;

    private byte[] bytes = NONE;
    private int length;

    boolean isEmpty() {
        return length == 0;
    }

    int length() {
        return length;
    }

    /** The array itself; valid until the next change. */
    byte[] bytes() {
        return bytes;
    }

    void append(byte[] source, int from, int to) {
        int count = to - from;
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, Math.max(256, 2 * length)));
        }
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }

    void append(byte b) {
        append(new byte[] {b}, 0, 1);
    }

    void clear() {
        length = 0;
        if (bytes.length > KEPT_BYTES_MAX) {
            bytes = NONE;
        }
    }
}
