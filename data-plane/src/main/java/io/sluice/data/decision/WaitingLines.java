package io.sluice.data.decision;

import io.sluice.tenants.json.RecordWriter;
import java.util.Arrays;

/**
 * Lines that wait to be written, from all threads, in the order of their coming, one after another in one array: an array for each
 * would be copied twice. Thread-safe; the lock is held while one line is copied.
 */
final class WaitingLines {
    /** Lines are about 1.5 KB, and written every 50 ms. */
    private static final int BYTES_FIRST = 256 << 10;

    private static final int LINES_FIRST = 256;

    /** Where the disk is slow for so long, records are dropped. */
    private static final int BYTES_MAX = 128 << 20;

    private final int linesMax;
    private Taken filling = new Taken();

    /** At most so many lines wait. */
    WaitingLines(int linesMax) {
        this.linesMax = linesMax;
    }

    /** Copies the line that {@code writer} has just written; false where too many wait already. */
    synchronized boolean add(String traceId, RecordWriter writer) {
        return filling.lines < linesMax && filling.add(Segment.hash(traceId), writer);
    }

    /**
     * All that wait.
     *
     * @param empty is filled from now on; the caller no longer uses it
     */
    synchronized Taken take(Taken empty) {
        Taken taken = filling;
        filling = empty;
        return taken;
    }

    /** Lines with a line feed each. Owned by whoever took them. */
    static final class Taken {
        private byte[] bytes = new byte[BYTES_FIRST];
        private long[] hashes = new long[LINES_FIRST];
        private int[] ends = new int[LINES_FIRST];
        private int lines;

        private boolean add(long hash, RecordWriter writer) {
            int start = end(lines);
            int end = start + writer.length() + 1;
            if (end > BYTES_MAX) {
                return false;
            }
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
            }
            if (lines == ends.length) {
                hashes = Arrays.copyOf(hashes, 2 * lines);
                ends = Arrays.copyOf(ends, 2 * lines);
            }
            writer.copyTo(bytes, start);
            bytes[end - 1] = '\n';
            hashes[lines] = hash;
            ends[lines] = end;
            lines++;
            return true;
        }

        byte[] bytes() {
            return bytes;
        }

        int lines() {
            return lines;
        }

        /** {@link Segment#hash} of the trace id of line {@code i}. */
        long hash(int i) {
            return hashes[i];
        }

        /** Where the first {@code count} lines end. */
        int end(int count) {
            return count == 0 ? 0 : ends[count - 1];
        }

        /** Empty, to be filled again; what a slow disk made it grow to is given up. */
        Taken emptied() {
            lines = 0;
            return bytes.length > 16 * BYTES_FIRST ? new Taken() : this;
        }
    }
}
