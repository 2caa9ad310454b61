package io.sluice.bench;

import java.nio.charset.StandardCharsets;

/** A time written into a chunk's text: {@code @@}, 19 digits of the monotonic clock's nanoseconds. */
final class Stamp {
    static final int DIGITS = 19;

    private Stamp() {}

    static String of(long nanos) {
        byte[] text = new byte[2 + DIGITS];
        text[0] = '@';
        text[1] = '@';
        write(nanos, text, 0);
        return new String(text, StandardCharsets.US_ASCII);
    }

    /** Writes the digits of {@code nanos} behind the two signs that stand at {@code at}. */
    static void write(long nanos, byte[] into, int at) {
        long rest = nanos;
        for (int i = at + 2 + DIGITS - 1; i >= at + 2; i--) {
            into[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
