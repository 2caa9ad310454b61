package io.sluice.data.money.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes of a segment. Head: magic 4, version 4, id of the journal 8, number 8, seq of the first record 8, hash before it 8, crc32c 4. Then records:
 * {@code len 4 | crc32c 4 | seq 8 | prevHash 8 | type 1 | payload}, big-endian; len counts what follows the crc, and the crc covers len
 * and what follows it. The highest bit of type marks the last record of a write: where it stands, the whole write is there. Then zeros.
 * The hash of a record is made by the {@link Chain} that the version names, so each record vouches for all before it.
 */
final class Segment {
    static final int HEAD_BYTES = 44;

    /** Before the payload. */
    static final int RECORD_HEAD_BYTES = 25;

    /** So much of a record stands before what len counts. */
    static final int FRAME_BYTES = 8;

    /** A settle has some 150 bytes; what is larger than this is a mistake, or no record. */
    static final int PAYLOAD_BYTES_MAX = 64 << 10;

    static final int RECORD_BYTES_MAX = RECORD_HEAD_BYTES + PAYLOAD_BYTES_MAX;

    /** Room for the head and the largest record. */
    static final int BYTES_MIN = HEAD_BYTES + RECORD_BYTES_MAX;

    static final int LAST_OF_WRITE = 0x80;

    /** Hash before the first record of all. */
    static final long START = 0;

    private static final int MAGIC = 0x534C4A31; // SLJ1
    /** What is written; what releases before wrote is read. */
    static final Chain CHAIN = Chain.CRC;

    private static final int LENGTH_MIN = RECORD_HEAD_BYTES - FRAME_BYTES;
    private static final int TYPE_AT = RECORD_HEAD_BYTES - 1;

    private Segment() {}

    /** What the head of a segment says. */
    record Head(Chain chain, long journal, long number, long firstSeq, long prevHash) {}

    static byte[] head(Head head) {
        ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES)
                .putInt(MAGIC)
                .putInt(head.chain().version())
                .putLong(head.journal())
                .putLong(head.number())
                .putLong(head.firstSeq())
                .putLong(head.prevHash());
        return out.putInt(crc(out, 0, HEAD_BYTES - 4)).array();
    }

    /** The head of a whole segment; null where it is none. */
    static Head head(ByteBuffer segment) {
        boolean right = segment.limit() >= HEAD_BYTES
                && segment.getInt(0) == MAGIC
                && Chain.of(segment.getInt(4)) != null
                && segment.getInt(HEAD_BYTES - 4) == crc(segment, 0, HEAD_BYTES - 4);
        return right
                ? new Head(
                        Chain.of(segment.getInt(4)),
                        segment.getLong(8),
                        segment.getLong(16),
                        segment.getLong(24),
                        segment.getLong(32))
                : null;
    }

    /**
     * Puts one record at the position of {@code out}; the position is behind it afterwards.
     *
     * @return the record's hash
     */
    static long put(ByteBuffer out, long seq, long prevHash, Body body, Chain chain) {
        int start = out.position();
        byte type = body.type();
        out.position(start + FRAME_BYTES);
        out.putLong(seq).putLong(prevHash).put(type);
        body.writeTo(out);
        int length = out.position() - start - FRAME_BYTES;
        if (type <= 0 || length - LENGTH_MIN > PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "no record: type " + type + ", payload of " + (length - LENGTH_MIN) + " bytes");
        }
        out.putInt(start, length);
        return seal(out, start, chain);
    }

    /** Marks the record at {@code start} as the last of its write, and gives the hash that it has now. */
    static long markLast(ByteBuffer out, int start, Chain chain) {
        out.put(start + TYPE_AT, (byte) (out.get(start + TYPE_AT) | LAST_OF_WRITE));
        return seal(out, start, chain);
    }

    private static long seal(ByteBuffer out, int start, Chain chain) {
        out.putInt(start + 4, recordCrc(out, start, out.getInt(start)));
        return chain.hash(out, start);
    }

    /** The crc that stands in the record at {@code start}. */
    static long crcOf(ByteBuffer segment, int start) {
        return segment.getInt(start + 4) & 0xFFFF_FFFFL;
    }

    /** Whether a whole record with the right crc stands at {@code start}. */
    static boolean validAt(ByteBuffer segment, int start) {
        if (start + RECORD_HEAD_BYTES > segment.limit()) {
            return false;
        }
        int length = segment.getInt(start);
        return length >= LENGTH_MIN
                && length <= LENGTH_MIN + PAYLOAD_BYTES_MAX
                && start + FRAME_BYTES + length <= segment.limit()
                && segment.getInt(start + 4) == recordCrc(segment, start, length);
    }

    /** Behind the valid record at {@code start}. */
    static int end(ByteBuffer segment, int start) {
        return start + FRAME_BYTES + segment.getInt(start);
    }

    static long seq(ByteBuffer segment, int start) {
        return segment.getLong(start + FRAME_BYTES);
    }

    static long prevHash(ByteBuffer segment, int start) {
        return segment.getLong(start + FRAME_BYTES + 8);
    }

    static boolean lastOfWrite(ByteBuffer segment, int start) {
        return (segment.get(start + TYPE_AT) & LAST_OF_WRITE) != 0;
    }

    static JournalRecord record(ByteBuffer segment, int start) {
        int payload = start + RECORD_HEAD_BYTES;
        return new JournalRecord(
                seq(segment, start),
                (byte) (segment.get(start + TYPE_AT) & ~LAST_OF_WRITE),
                segment.slice(payload, end(segment, start) - payload));
    }

    private static int recordCrc(ByteBuffer segment, int start, int length) {
        CRC32C crc = new CRC32C();
        crc.update(segment.duplicate().limit(start + 4).position(start));
        crc.update(segment.duplicate().limit(start + FRAME_BYTES + length).position(start + FRAME_BYTES));
        return (int) crc.getValue();
    }

    private static int crc(ByteBuffer bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(to).position(from));
        return (int) crc.getValue();
    }
}
