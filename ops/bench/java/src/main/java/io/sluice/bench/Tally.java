package io.sluice.bench;

import java.util.Arrays;

/** What one run saw. Times and chunks are counted only between {@link #open()} and {@link #close()}; broken streams always. */
final class Tally {
    private boolean counting;
    private boolean closed;
    private long chunks;
    private long ended;
    private long broken;
    private String firstTrouble = "";
    private final Samples chunkNanos = new Samples();
    private final Samples firstChunkNanos = new Samples();
    private final Samples firstChunkOneWayNanos = new Samples();

    void open() {
        counting = true;
    }

    void close() {
        counting = false;
        closed = true;
    }

    boolean closed() {
        return closed;
    }

    void chunk(long oneWayNanos) {
        if (counting) {
            chunks++;
            chunkNanos.add(oneWayNanos);
        }
    }

    void firstChunk(long sinceRequestNanos, long oneWayNanos) {
        if (counting) {
            firstChunkNanos.add(sinceRequestNanos);
            firstChunkOneWayNanos.add(oneWayNanos);
        }
    }

    void ended() {
        ended++;
    }

    void broken(String why) {
        broken++;
        if (firstTrouble.isEmpty()) {
            firstTrouble = String.valueOf(why);
        }
    }

    String json(long cpuTicks, long windowNanos) {
        return "{\"chunks\":" + chunks
                + ",\"streamsEnded\":" + ended
                + ",\"broken\":" + broken
                + ",\"trouble\":\"" + firstTrouble.replaceAll("[^ -~]|[\"\\\\]", " ") + "\""
                + ",\"cpuTicks\":" + cpuTicks
                + ",\"windowSeconds\":" + windowNanos / 1e9
                + ",\"firstChunks\":" + firstChunkNanos.size()
                + ",\"firstChunkP50Us\":" + firstChunkNanos.micros(0.50)
                + ",\"firstChunkP99Us\":" + firstChunkNanos.micros(0.99)
                + ",\"firstChunkOneWayP50Us\":" + firstChunkOneWayNanos.micros(0.50)
                + ",\"firstChunkOneWayP90Us\":" + firstChunkOneWayNanos.micros(0.90)
                + ",\"chunkP50Us\":" + chunkNanos.micros(0.50)
                + ",\"chunkP99Us\":" + chunkNanos.micros(0.99) + "}";
    }

    /** A growing array of times. */
    private static final class Samples {
        private long[] values = new long[1 << 16];
        private int size;

        void add(long value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
            }
            values[size++] = value;
        }

        int size() {
            return size;
        }

        double micros(double quantile) {
            if (size == 0) {
                return -1;
            }
            long[] sorted = Arrays.copyOf(values, size);
            Arrays.sort(sorted);
            return sorted[(int) Math.min(size - 1, Math.floor(quantile * size))] / 1e3;
        }
    }
}
