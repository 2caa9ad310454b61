package io.sluice.data.money.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.LongSupplier;

/** Reads records behind the writer, oldest first, and only those on disk. Used by one thread at a time, and not by event loops. */
public final class JournalReader implements Closeable {
    /** Holds at least one record, and many at once. */
    private static final int READ_BYTES = 4 * Segment.RECORD_BYTES_MAX;

    private final SegmentFiles files;
    private final NavigableMap<Long, Long> numbers;
    private final LongSupplier durableSeq;
    private long after;
    private SegmentFile file;
    private long number;
    private long position;
    private long inFile;

    JournalReader(SegmentFiles files, NavigableMap<Long, Long> numbers, LongSupplier durableSeq, long after) {
        this.files = files;
        this.numbers = numbers;
        this.durableSeq = durableSeq;
        this.after = after;
    }

    /**
     * The next records, at most {@code max}; empty where there are none yet.
     *
     * @throws DamagedJournalException where a record can not be read again
     */
    public List<JournalRecord> next(int max) throws IOException {
        return next(max, Long.MAX_VALUE);
    }

    /** The same, and none after {@code upToSeq}. */
    public List<JournalRecord> next(int max, long upToSeq) throws IOException {
        List<JournalRecord> found = new ArrayList<>();
        long durable = Math.min(upToSeq, durableSeq.getAsLong());
        while (found.size() < max && after < durable) {
            if (file == null) {
                open();
            }
            long before = position;
            read(durable, max, found);
            if (position == before && !closedAtItsEnd()) {
                throw new DamagedJournalException(
                        files.nameOf(number), position, "record " + (inFile + 1) + " can not be read again");
            }
        }
        return found;
    }

    /** Opens the segment of the next record. */
    private void open() throws IOException {
        Map.Entry<Long, Long> segment = numbers.floorEntry(after + 1);
        if (segment == null) {
            segment = numbers.firstEntry();
            after = Math.max(after, segment.getKey() - 1);
        }
        number = segment.getValue();
        file = files.open(number);
        position = Segment.HEAD_BYTES;
        inFile = segment.getKey() - 1;
    }

    private void read(long durable, int max, List<JournalRecord> found) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(READ_BYTES);
        while (bytes.hasRemaining() && file.read(bytes, position + bytes.position()) >= 0) {
            // a read may bring less than was asked for
        }
        bytes.flip();
        int at = 0;
        while (found.size() < max && inFile < durable && Segment.validAt(bytes, at)) {
            inFile++;
            if (inFile > after) {
                found.add(Segment.record(bytes, at));
                after = inFile;
            }
            at = Segment.end(bytes, at);
        }
        position += at;
    }

    /** Whether the next record is in the next segment; then this one is closed. */
    private boolean closedAtItsEnd() throws IOException {
        Long next = numbers.get(inFile + 1);
        boolean over = next != null && next != number;
        if (over) {
            close();
        }
        return over;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
