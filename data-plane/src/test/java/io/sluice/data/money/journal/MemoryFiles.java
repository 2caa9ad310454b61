package io.sluice.data.money.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A disk in memory that can be full, write less than it was given, or fail. Thread-safe enough for one writer. */
final class MemoryFiles implements SegmentFiles {
    final NavigableMap<Long, byte[]> contents = new ConcurrentSkipListMap<>();

    /** Segments that fit; another can not be made. */
    volatile int segmentsMax = Integer.MAX_VALUE;

    /** Bytes that one call of write takes. */
    volatile int writeBytesMax = Integer.MAX_VALUE;

    /** Bytes that may still be written to segments before every write fails. */
    final AtomicLong bytesLeft = new AtomicLong(Long.MAX_VALUE);

    volatile boolean forceFails;
    volatile Runnable onForce = () -> {};
    final AtomicInteger forces = new AtomicInteger();
    final AtomicInteger writes = new AtomicInteger();

    /** What is on the disk now, as another life of the process finds it. */
    MemoryFiles copy() {
        MemoryFiles copy = new MemoryFiles();
        contents.forEach((number, bytes) -> copy.contents.put(number, bytes.clone()));
        return copy;
    }

    @Override
    public List<Long> list() {
        return List.copyOf(contents.keySet());
    }

    @Override
    public SegmentFile open(long number) {
        return new MemoryFile(contents.get(number));
    }

    @Override
    public SegmentFile create(long number, byte[] head, int bytes) throws IOException {
        if (contents.size() >= segmentsMax) {
            throw new IOException("No space left on device");
        }
        contents.put(number, Arrays.copyOf(head, bytes));
        return open(number);
    }

    @Override
    public void delete(long number) {
        contents.remove(number);
    }

    @Override
    public String nameOf(long number) {
        return "segment-" + number;
    }

    private final class MemoryFile implements SegmentFile {
        private final byte[] bytes;

        private MemoryFile(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public int read(ByteBuffer into, long position) {
            int some = (int) Math.min(into.remaining(), bytes.length - position);
            if (some <= 0) {
                return -1;
            }
            into.put(bytes, (int) position, some);
            return some;
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            writes.incrementAndGet();
            int some = (int) Math.min(Math.min(from.remaining(), writeBytesMax), bytesLeft.get());
            if (some == 0) {
                throw new IOException("No space left on device");
            }
            bytesLeft.addAndGet(-some);
            from.get(bytes, (int) position, some);
            return some;
        }

        @Override
        public void force() throws IOException {
            forces.incrementAndGet();
            onForce.run();
            if (forceFails) {
                throw new IOException("Input/output error");
            }
        }

        @Override
        public void close() {}
    }
}
