package io.sluice.data.money.journal;

import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.UUID;

/** Puts records one behind the other into the newest segment. Of the journal's thread. */
final class JournalWriter {
    /** More in one write brings nothing: an fsync of a megabyte costs little more than its bytes. */
    private static final int WRITE_BYTES = 1 << 20;

    private final SegmentFiles files;
    private final int segmentBytes;
    private final NavigableMap<Long, Long> numbers;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(WRITE_BYTES + Segment.RECORD_BYTES_MAX);
    private final long journal;
    private SegmentFile file;
    private long number;
    private int segmentEnd;
    private int written;
    private int lastStart;
    private long seq;
    private long hash;

    /** @param numbers of the segments by the seq of their first record; kept up to date, and read by others meanwhile */
    JournalWriter(SegmentFiles files, int segmentBytes, Recovery.Found found, NavigableMap<Long, Long> numbers)
            throws IOException {
        this.files = files;
        this.segmentBytes = segmentBytes;
        this.numbers = numbers;
        seq = found.lastSeq();
        hash = found.lastHash();
        if (numbers.isEmpty()) {
            journal = newId();
            begin(1);
        } else {
            journal = found.journal();
            number = numbers.lastEntry().getValue();
            file = files.open(number);
            segmentEnd = Math.toIntExact(file.size());
            written = found.end();
            if (found.chain() != Segment.CHAIN) {
                nextSegment();
            }
        }
    }

    private static long newId() {
        return UUID.randomUUID().getMostSignificantBits() & Long.MAX_VALUE;
    }

    private void begin(long next) throws IOException {
        byte[] head = Segment.head(new Segment.Head(Segment.CHAIN, journal, next, seq + 1, hash));
        file = files.create(next, head, segmentBytes);
        number = next;
        segmentEnd = segmentBytes;
        written = head.length;
        numbers.put(seq + 1, next);
    }

    /** Begins the next segment. Nothing may be waiting for {@link #flush}. */
    void nextSegment() throws IOException {
        file.close();
        begin(number + 1);
    }

    /** Whether the largest record fits into the present write. */
    boolean hasRoom() {
        return buffer.position() < WRITE_BYTES;
    }

    /** Whether more than half of the segment is used. */
    boolean halfFull() {
        return written + buffer.position() > segmentEnd / 2;
    }

    /**
     * Takes a record into the present write.
     *
     * @return its seq; 0 where the segment has no room for it
     * @throws IllegalArgumentException where the body is no record's; nothing is taken then
     */
    long add(Body body) {
        int start = buffer.position();
        long recordHash;
        try {
            recordHash = Segment.put(buffer, seq + 1, hash, body, Segment.CHAIN);
        } catch (BufferOverflowException tooLong) {
            buffer.position(start);
            throw new IllegalArgumentException(
                    "no record: longer than " + Segment.PAYLOAD_BYTES_MAX + " bytes", tooLong);
        } catch (RuntimeException wrongBody) {
            buffer.position(start);
            throw new IllegalArgumentException("no record: " + wrongBody.getMessage(), wrongBody);
        }
        if (written + buffer.position() > segmentEnd) {
            buffer.position(start);
            return 0;
        }
        lastStart = start;
        hash = recordHash;
        return ++seq;
    }

    /** Returns when everything taken is on the medium. After a failure this object is of no use any more. */
    void flush() throws IOException {
        if (buffer.position() == 0) {
            return;
        }
        hash = Segment.markLast(buffer, lastStart, Segment.CHAIN);
        buffer.flip();
        while (buffer.hasRemaining()) {
            int some = file.write(buffer, written);
            if (some <= 0) {
                throw new IOException("the disk took no more bytes");
            }
            written += some;
        }
        file.force();
        buffer.clear();
    }

    /** Id of the journal. */
    long journal() {
        return journal;
    }

    /** Seq of the last record taken. */
    long seq() {
        return seq;
    }

    void close() throws IOException {
        file.close();
    }
}
