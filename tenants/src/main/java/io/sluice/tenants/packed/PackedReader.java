package io.sluice.tenants.packed;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what {@link PackedWriter} wrote, in its order. Methods throw {@link IllegalArgumentException} where something else stands there.
 * Not thread-safe.
 */
public final class PackedReader {
    private final ByteBuffer in;
    private final List<String> known = new ArrayList<>();

    /** @param in read from its position on */
    public PackedReader(ByteBuffer in) {
        this.in = in;
    }

    public boolean hasMore() {
        return in.hasRemaining();
    }

    public long whole() {
        try {
            long number = 0;
            for (int shift = 0; shift < Long.SIZE; shift += 7) {
                byte next = in.get();
                number |= (next & 0x7FL) << shift;
                if (next >= 0) {
                    return number;
                }
            }
        } catch (BufferUnderflowException cutOff) {
            throw new IllegalArgumentException("a number is cut off", cutOff);
        }
        throw new IllegalArgumentException("a number is too long");
    }

    public long signed() {
        long number = whole();
        return number >>> 1 ^ -(number & 1);
    }

    public boolean flag() {
        long flag = whole();
        if (flag != 0 && flag != 1) {
            throw new IllegalArgumentException("a flag is 0 or 1");
        }
        return flag == 1;
    }

    /**
     * A sum of marks, each a power of two.
     *
     * @param known the sum of all that may stand there
     */
    public int marks(int known) {
        long marks = whole();
        if ((marks & ~known) != 0) {
            throw new IllegalArgumentException("a mark is not known; did a newer release write it?");
        }
        return (int) marks;
    }

    /** How many follow: at most as many as there are bytes. */
    public int count() {
        long count = whole();
        if (count < 0 || count > in.remaining()) {
            throw new IllegalArgumentException("more is announced than there is");
        }
        return (int) count;
    }

    /** What {@link PackedWriter#text} wrote; may be null. */
    public String text() {
        long kind = whole();
        if (kind == PackedWriter.NO_TEXT) {
            return null;
        }
        if (kind != PackedWriter.NEW_TEXT) {
            throw new IllegalArgumentException("here stands no text");
        }
        return spelled();
    }

    /** What {@link PackedWriter#word} wrote; may be null. */
    public String word() {
        long kind = whole();
        if (kind == PackedWriter.NO_TEXT) {
            return null;
        }
        if (kind == PackedWriter.NEW_TEXT) {
            String word = spelled();
            known.add(word);
            return word;
        }
        long index = kind - PackedWriter.KNOWN_TEXT;
        if (index < 0 || index >= known.size()) {
            throw new IllegalArgumentException("a word is meant that was not said");
        }
        return known.get((int) index);
    }

    private String spelled() {
        return new String(piece(), StandardCharsets.UTF_8);
    }

    /** What {@link PackedWriter#piece} wrote. */
    public byte[] piece() {
        byte[] bytes = new byte[count()];
        in.get(bytes);
        return bytes;
    }
}
