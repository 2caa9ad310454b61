package io.sluice.data.pool;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The retry budget of one pool on one node. A request's first call of the pool, whether it comes straight or from a rung above,
 * is counted and always allowed; every further call of it by the same request is a retry, and retries are bounded twice: by a
 * share of the requests in a sliding window, so that a failing pool is not called more than it would be when well, and by a
 * share of its permits, so that they do not keep requests out that were not tried yet.
 *
 * <p>Time is an argument, milliseconds of any clock that never goes back. Thread-safe; counting a request takes no lock.
 */
public final class RetryBudget {
    private static final int BUCKETS = 10;

    /** A bucket is one long: 24 bits say of which time it is, 20 count requests, 20 retries. */
    private static final int STAMP_SHIFT = 40;

    private static final long STAMP_MASK = 0xFFFFFFL;
    private static final int REQUESTS_SHIFT = 20;
    private static final long COUNT_MASK = (1L << REQUESTS_SHIFT) - 1;

    private final RetrySettings settings;
    private final long bucketMs;
    private final AtomicLongArray buckets = new AtomicLongArray(BUCKETS);
    private final AtomicInteger running = new AtomicInteger();

    public RetryBudget(RetrySettings settings) {
        this.settings = settings;
        bucketMs = settings.windowMs() / BUCKETS;
    }

    /** A request called the pool for the first time. */
    public void entered(long nowMs) {
        add(nowMs, 1L << REQUESTS_SHIFT);
    }

    /**
     * Whether a retry could start now.
     *
     * @param permits of the whole pool
     */
    public boolean left(long nowMs, int permits) {
        long requests = 0;
        long retries = 0;
        for (int i = 0; i < BUCKETS; i++) {
            long bucket = buckets.get(i);
            long age = (Math.floorDiv(nowMs, bucketMs) - (bucket >>> STAMP_SHIFT)) & STAMP_MASK;
            if (age < BUCKETS) {
                requests += bucket >>> REQUESTS_SHIFT & COUNT_MASK;
                retries += bucket & COUNT_MASK;
            }
        }
        return retries + 1 <= settings.floor() + settings.share() * requests
                && running.get() + 1 <= Math.max(1, (long) (settings.share() * permits));
    }

    /** Takes a retry; false where none is left, then nothing was taken. Each one taken is {@link #release}d once. */
    public synchronized boolean tryTake(long nowMs, int permits) {
        if (!left(nowMs, permits)) {
            return false;
        }
        add(nowMs, 1);
        running.incrementAndGet();
        return true;
    }

    /** A retry is over. */
    public void release() {
        running.decrementAndGet();
    }

    /** Retries in flight. */
    public int running() {
        return running.get();
    }

    private void add(long nowMs, long what) {
        long tick = Math.floorDiv(nowMs, bucketMs);
        int slot = (int) Math.floorMod(tick, (long) BUCKETS);
        long stamp = tick & STAMP_MASK;
        long seen;
        long next;
        do {
            seen = buckets.get(slot);
            next = (seen >>> STAMP_SHIFT == stamp ? seen : stamp << STAMP_SHIFT) + what;
        } while (!buckets.compareAndSet(slot, seen, next));
    }
}
