package io.sluice.data.money.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads all segments when the journal is opened and finds its end.
 *
 * <p>A record that can not be read ends the journal where no later write was completed: then it was being written when the process or
 * the machine died, nobody was told that it is safe, and it is cut off. Everywhere else it was acknowledged, and the start is refused.
 */
final class Recovery {
    private final SegmentFiles files;
    private final Consumer<JournalRecord> replay;
    private final NavigableMap<Long, Long> numbers = new TreeMap<>();
    private Chain chain = Segment.CHAIN;
    private long journal;
    private long seq;
    private long hash = Segment.START;
    private int end;
    private long tornBytes;

    private Recovery(SegmentFiles files, Consumer<JournalRecord> replay) {
        this.files = files;
        this.replay = replay;
    }

    /**
     * What was found.
     *
     * @param chain of the last segment
     * @param journal its id; of no meaning where there is no segment
     * @param numbers of the segments by the seq of their first record
     * @param lastSeq 0 where there is no record
     * @param end of the last record in the last segment; 0 where there is no segment
     * @param tornBytes from the first to the last byte that was cut off
     */
    record Found(
            Chain chain,
            long journal,
            NavigableMap<Long, Long> numbers,
            long lastSeq,
            long lastHash,
            int end,
            long tornBytes) {}

    static Found run(SegmentFiles files, Consumer<JournalRecord> replay) throws IOException {
        return new Recovery(files, replay).all();
    }

    private Found all() throws IOException {
        List<Long> present = files.list();
        for (int i = 0; i < present.size(); i++) {
            try (SegmentFile file = files.open(present.get(i))) {
                segment(present.get(i), i == 0, i == present.size() - 1, file);
            }
        }
        return new Found(chain, journal, numbers, seq, hash, end, tornBytes);
    }

    private void segment(long number, boolean first, boolean last, SegmentFile file) throws IOException {
        ByteBuffer bytes = read(file);
        Segment.Head head = Segment.head(bytes);
        if (head == null || head.number() != number) {
            throw damaged(number, 0, "its head can not be read");
        }
        if (first) {
            journal = head.journal();
            seq = head.firstSeq() - 1;
            hash = head.prevHash();
        } else if (head.journal() != journal || head.firstSeq() != seq + 1 || head.prevHash() != hash) {
            throw damaged(
                    number,
                    0,
                    "it begins with record " + head.firstSeq() + ", and the segment before does not end there");
        }
        chain = head.chain();
        numbers.put(head.firstSeq(), number);
        end = records(number, bytes);
        int behind = lastUsed(bytes, end);
        if (behind > end) {
            if (!last || completedWriteAfter(bytes, end)) {
                throw damaged(number, end, "record " + (seq + 1) + " can not be read, and it was acknowledged");
            }
            tornBytes = (long) behind - end;
            zero(file, end, behind);
        }
    }

    private int records(long number, ByteBuffer bytes) throws DamagedJournalException {
        int at = Segment.HEAD_BYTES;
        while (Segment.validAt(bytes, at)) {
            if (Segment.seq(bytes, at) != seq + 1 || Segment.prevHash(bytes, at) != hash) {
                throw damaged(number, at, "here stands a record that does not follow record " + seq);
            }
            hash = chain.hash(bytes, at);
            seq++;
            replay.accept(Segment.record(bytes, at));
            at = Segment.end(bytes, at);
        }
        return at;
    }

    /** Behind the last byte that is not zero, at least {@code from}. */
    private static int lastUsed(ByteBuffer bytes, int from) {
        int at = bytes.limit();
        while (at > from && bytes.get(at - 1) == 0) {
            at--;
        }
        return at;
    }

    /** A length may be among what is damaged, so each byte may be the beginning of the next record. */
    private boolean completedWriteAfter(ByteBuffer bytes, int damaged) {
        long seqMax = seq + bytes.limit() / Segment.RECORD_HEAD_BYTES + 1;
        for (int at = damaged + 1; at + Segment.RECORD_HEAD_BYTES <= bytes.limit(); at++) {
            long found = Segment.seq(bytes, at);
            if (found > seq && found <= seqMax && Segment.lastOfWrite(bytes, at) && Segment.validAt(bytes, at)) {
                return true;
            }
        }
        return false;
    }

    private static ByteBuffer read(SegmentFile file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
        while (bytes.hasRemaining() && file.read(bytes, bytes.position()) >= 0) {
            // a read may bring less than was asked for
        }
        return bytes.flip();
    }

    private static void zero(SegmentFile file, int from, int to) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(to - from);
        while (zeros.hasRemaining()) {
            file.write(zeros, from + zeros.position());
        }
        file.force();
    }

    private DamagedJournalException damaged(long number, long offset, String what) {
        return new DamagedJournalException(files.nameOf(number), offset, what);
    }
}
