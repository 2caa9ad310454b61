package io.sluice.data.pool;

import io.sluice.tenants.failure.BreakerEffect;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.routing.BreakerState;

/**
 * The circuit breaker of one target, as an immutable state machine: closed until a window, a row of one class or a single
 * fatal failure opens it; open for a time; half-open until its probes have all succeeded or one has failed. Only first
 * attempts may be fed to it (requirement A4). Not a library's breaker, because those count exceptions, not classes, and can
 * not tell first attempts from repeats.
 *
 * @param bits outcome of the last calls, newest in bit 0, 1 for failed
 * @param calls how many bits mean something
 * @param failedByBucket failures per sixth of the time window, with {@code seenByBucket}
 * @param bucket number of the newest sixth
 * @param lastClass class of the last failure in a row; null after a success
 * @param inRow length of that row
 * @param untilMs when open: instant of half-open
 * @param probesPassed when half-open: probes that succeeded
 */
@SuppressWarnings("ArrayRecordComponent") // the arrays are copied before every change and never leave this record
record Breaker(
        BreakerSettings settings,
        BreakerState state,
        long bits,
        int calls,
        int[] failedByBucket,
        int[] seenByBucket,
        long bucket,
        FailureClass lastClass,
        int inRow,
        long untilMs,
        int probesPassed) {
    private static final int BUCKETS = 6;

    static Breaker closed(BreakerSettings settings) {
        return new Breaker(settings, BreakerState.CLOSED, 0, 0, new int[BUCKETS], new int[BUCKETS], 0, null, 0, 0, 0);
    }

    /**
     * After a first attempt.
     *
     * @param failure null where it was usable
     * @param nowMs any clock that never goes back
     * @param holdMs how long the provider wants to be left alone; an opening lasts at least that
     */
    Breaker next(FailureClass failure, long nowMs, long holdMs) {
        BreakerEffect effect = failure == null ? BreakerEffect.COUNT : failure.breaker();
        if (effect == BreakerEffect.NONE) {
            return this;
        }
        if (effect == BreakerEffect.OPEN) {
            return open(nowMs, holdMs);
        }
        return switch (state) {
            case OPEN -> this;
            case HALF_OPEN ->
                failure != null
                        ? open(nowMs, holdMs)
                        : probesPassed + 1 >= settings.probesMax() ? closed(settings) : passed();
            case CLOSED -> count(failure, nowMs, holdMs);
        };
    }

    /** As time passes: an opening that is over becomes half-open. */
    Breaker at(long nowMs) {
        return state == BreakerState.OPEN && nowMs >= untilMs
                ? new Breaker(
                        settings, BreakerState.HALF_OPEN, 0, 0, new int[BUCKETS], new int[BUCKETS], 0, null, 0, 0, 0)
                : this;
    }

    private Breaker open(long nowMs, long holdMs) {
        return new Breaker(
                settings,
                BreakerState.OPEN,
                0,
                0,
                new int[BUCKETS],
                new int[BUCKETS],
                0,
                null,
                0,
                nowMs + Math.max(settings.openMs(), holdMs),
                0);
    }

    private Breaker passed() {
        return new Breaker(settings, state, 0, 0, failedByBucket, seenByBucket, bucket, null, 0, 0, probesPassed + 1);
    }

    private Breaker count(FailureClass failure, long nowMs, long holdMs) {
        int failed = failure == null ? 0 : 1;
        long newest = nowMs / (settings.timeWindowMs() / BUCKETS);
        int[] failures = shifted(failedByBucket, newest);
        int[] seen = shifted(seenByBucket, newest);
        failures[0] += failed;
        seen[0]++;
        int row = failure == null ? 0 : failure == lastClass ? inRow + 1 : 1;
        Breaker counted = new Breaker(
                settings,
                state,
                bits << 1 | failed,
                Math.min(calls + 1, settings.countWindow()),
                failures,
                seen,
                newest,
                failure,
                row,
                0,
                0);
        return counted.tripped() ? open(nowMs, holdMs) : counted;
    }

    private int[] shifted(int[] counts, long newest) {
        int by = (int) Math.min(BUCKETS, newest - bucket);
        int[] shifted = new int[BUCKETS];
        System.arraycopy(counts, 0, shifted, by, BUCKETS - by);
        return shifted;
    }

    private boolean tripped() {
        int window = settings.countWindow();
        long mask = window == 64 ? -1L : (1L << window) - 1;
        boolean byCount = calls == window && Long.bitCount(bits & mask) >= settings.countRate() * window;
        int seen = sum(seenByBucket);
        boolean byTime = seen >= settings.timeCallsMin() && sum(failedByBucket) >= settings.timeRate() * seen;
        return byCount || byTime || inRow >= settings.consecutiveMax();
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }
}
