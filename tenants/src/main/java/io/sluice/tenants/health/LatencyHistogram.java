package io.sluice.tenants.health;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;

/**
 * Latencies in buckets that grow by a fifth: quantiles are right within 10 %, two histograms merge by addition, and one takes
 * less than 300 bytes on the wire. Immutable; {@link Recorder} is the mutable form, owned by one thread.
 */
public final class LatencyHistogram {
    /** No call measured. */
    public static final LatencyHistogram EMPTY = new LatencyHistogram(new long[0]);

    /** 1 ms · 1.2^64 is about two minutes: longer is counted in the last bucket. */
    static final int BUCKETS = 66;

    private static final double GROWTH = 1.2;

    private static final double LOG_GROWTH = Math.log(GROWTH);

    private final long[] counts;

    private LatencyHistogram(long[] counts) {
        this.counts = counts;
    }

    /** From JSON: counts by bucket, trailing zeros left out. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static LatencyHistogram of(long[] counts) {
        if (counts.length > BUCKETS || Arrays.stream(counts).anyMatch(count -> count < 0)) {
            throw new IllegalArgumentException("at most " + BUCKETS + " counts, none negative");
        }
        return new LatencyHistogram(counts.clone());
    }

    /** For JSON. */
    @JsonValue
    public long[] counts() {
        return counts.clone();
    }

    static int bucket(double millis) {
        if (!(millis > 1)) {
            return 0;
        }
        return (int) Math.min(BUCKETS - 1, 1 + Math.log(millis) / LOG_GROWTH);
    }

    /** Both together. */
    public LatencyHistogram plus(LatencyHistogram other) {
        if (counts.length == 0 || other.counts.length == 0) {
            return counts.length == 0 ? other : this;
        }
        long[] sum = Arrays.copyOf(counts, Math.max(counts.length, other.counts.length));
        for (int i = 0; i < other.counts.length; i++) {
            sum[i] += other.counts[i];
        }
        return new LatencyHistogram(sum);
    }

    /** Number of calls measured. */
    public long count() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    /** The latency in milliseconds that the share {@code q} of calls did not exceed; 0 where nothing was measured. */
    public double quantile(double q) {
        long rank = (long) Math.ceil(q * count());
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank && rank > 0) {
                return i == 0 ? 1 : Math.pow(GROWTH, i - 0.5);
            }
        }
        return 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatencyHistogram histogram && Arrays.equals(counts, histogram.counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    /** Collects latencies. Owned by one thread. */
    public static final class Recorder {
        /** Up to 5 ms without growing; there may be one of these for each scenario and target. */
        private static final int BUCKETS_AT_FIRST = 10;

        private long[] counts = new long[BUCKETS_AT_FIRST];
        private int used;

        /** Counts one call of {@code millis}. */
        public void record(double millis) {
            int bucket = bucket(millis);
            if (bucket >= counts.length) {
                counts = Arrays.copyOf(counts, Math.min(BUCKETS, Math.max(bucket + 1, 2 * counts.length)));
            }
            counts[bucket]++;
            used = Math.max(used, bucket + 1);
        }

        /** What was collected since the last call; begins anew. */
        public LatencyHistogram drain() {
            LatencyHistogram taken = used == 0 ? EMPTY : new LatencyHistogram(Arrays.copyOf(counts, used));
            Arrays.fill(counts, 0);
            used = 0;
            return taken;
        }
    }
}
