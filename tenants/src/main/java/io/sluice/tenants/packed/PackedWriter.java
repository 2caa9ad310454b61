package io.sluice.tenants.packed;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes numbers and texts so that {@link PackedReader} finds them again, in the same order: 7 bits of a number per byte, a text as its
 * length and UTF-8. Not thread-safe.
 */
public final class PackedWriter {
    /** A number of 64 bits has at most so many bytes. */
    private static final int NUMBER_BYTES_MAX = 10;

    /** How the next text is told apart: none, one that stands here, or from here on one that stood here before. */
    static final int NO_TEXT = 0;

    static final int NEW_TEXT = 1;
    static final int KNOWN_TEXT = 2;

    private final Map<String, Integer> known;
    private ByteBuffer out;

    private PackedWriter(ByteBuffer out, Map<String, Integer> known) {
        this.out = out;
        this.known = known;
    }

    /**
     * One that puts into {@code out} and writes each text where it stands.
     *
     * <p>Its methods throw {@link BufferOverflowException} where there is no room.
     */
    public static PackedWriter into(ByteBuffer out) {
        return new PackedWriter(out, null);
    }

    /** One with a buffer of its own, which grows; a {@link #word} that comes again is written as its number. */
    public static PackedWriter growing() {
        return new PackedWriter(ByteBuffer.allocate(512), new HashMap<>());
    }

    private void need(int bytes) {
        if (out.remaining() < bytes) {
            if (known == null) {
                throw new BufferOverflowException();
            }
            out = ByteBuffer.allocate(Math.max(2 * out.capacity(), out.position() + bytes))
                    .put(out.flip());
        }
    }

    /** Any number, short where it is small and not negative. */
    public void whole(long number) {
        if (known != null) {
            need(NUMBER_BYTES_MAX);
        }
        long rest = number;
        while ((rest & ~0x7FL) != 0) {
            out.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }

    /** Any number, short where it is near 0. */
    public void signed(long number) {
        whole(number << 1 ^ number >> 63);
    }

    public void flag(boolean flag) {
        whole(flag ? 1 : 0);
    }

    /** A text that hardly comes again; may be null. */
    public void text(String text) {
        if (text == null) {
            whole(NO_TEXT);
            return;
        }
        whole(NEW_TEXT);
        spell(text);
    }

    /** A text that may come again; may be null. */
    public void word(String word) {
        Integer before = known == null || word == null ? null : known.putIfAbsent(word, known.size());
        if (before == null) {
            text(word);
        } else {
            whole(KNOWN_TEXT + before);
        }
    }

    private void spell(String text) {
        piece(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Any bytes, as they are. */
    public void piece(byte[] bytes) {
        whole(bytes.length);
        if (known != null) {
            need(bytes.length);
        }
        out.put(bytes);
    }

    /** A copy of all that was written. */
    public byte[] bytes() {
        byte[] copy = new byte[out.position()];
        out.duplicate().flip().get(copy);
        return copy;
    }
}
