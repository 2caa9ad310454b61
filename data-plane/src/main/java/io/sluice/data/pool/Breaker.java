package io.sluice.data.pool;

import io.sluice.tenants.failure.BreakerEffect;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.routing.BreakerState;

/**
 * The circuit breaker of one target, as an immutable state machine: closed until a window, a row of one class or a single
 * fatal failure opens it; open for a time; half-open until its probes have all succeeded or one has failed. A provider that
 * names the time at which it wants to be called again is left alone until then ({@link #held}), without being half-open
 * afterwards. Only a request's first attempt on the target may be fed to it (requirement A4). Not a library's breaker, because
 * those count exceptions, not classes, and can not tell first attempts from repeats.
 *
 * @param bits outcome of the last calls, newest in bit 0, 1 for failed
 * @param calls how many bits mean something
 * @param failedByBucket failures per sixth of the time window, with {@code seenByBucket}
 * @param bucket number of the newest sixth
 * @param lastClass class of the last failure in a row; null after a success; when open: the class that opened it, null where a
 *     provider named the time
 * @param inRow length of that row
 * @param untilMs when open: instant of half-open; when half-open: instant at which probes that told nothing are given anew
 * @param held open only because the provider asked for a pause: closed again afterwards, with the windows as they were
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
        boolean held,
        int probesPassed) {
    private static final int BUCKETS = 6;

    static Breaker closed(BreakerSettings settings) {
        return fresh(settings, BreakerState.CLOSED, null, 0);
    }

    private static Breaker fresh(BreakerSettings settings, BreakerState state, FailureClass lastClass, long untilMs) {
        return new Breaker(
                settings, state, 0, 0, new int[BUCKETS], new int[BUCKETS], 0, lastClass, 0, untilMs, false, 0);
    }

    /**
     * After a first attempt. A usable one never opens it, though it may be the call that makes the others enough to judge by: the next
     * failure does.
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
            return open(failure, nowMs, holdMs);
        }
        return switch (state) {
            case OPEN, RETURNING -> this;
            case HALF_OPEN ->
                failure != null
                        ? open(failure, nowMs, holdMs)
                        : probesPassed + 1 >= settings.probesMax() ? closed(settings) : passed();
            case CLOSED -> count(failure, nowMs, holdMs);
        };
    }

    /**
     * The provider wants to be left alone, whatever else the call meant; a longer opening stays as it is.
     *
     * @param holdMs 0 where it did not say
     */
    Breaker hold(long nowMs, long holdMs) {
        boolean covered = state == BreakerState.OPEN && untilMs >= nowMs + holdMs;
        if (holdMs <= 0 || covered) {
            return this;
        }
        return switch (state) {
            case CLOSED -> until(BreakerState.OPEN, lastClass, nowMs + holdMs, true);
            case OPEN, RETURNING -> until(BreakerState.OPEN, null, nowMs + holdMs, held);
            case HALF_OPEN -> open(null, nowMs, holdMs);
        };
    }

    private Breaker until(BreakerState nextState, FailureClass nextClass, long nextUntilMs, boolean nextHeld) {
        return new Breaker(
                settings,
                nextState,
                bits,
                calls,
                failedByBucket,
                seenByBucket,
                bucket,
                nextClass,
                inRow,
                nextUntilMs,
                nextHeld,
                probesPassed);
    }

    /**
     * As time passes: an opening that is over becomes half-open, a pause that is over closed. Half-open with all probes gone
     * and none of them decided (their callers left, their requests were wrong) must not last for ever: after another opening's
     * time they are given anew.
     */
    Breaker at(long nowMs) {
        if (state == BreakerState.CLOSED || nowMs < untilMs) {
            return this;
        }
        return held
                ? until(BreakerState.CLOSED, lastClass, 0, false)
                : fresh(settings, BreakerState.HALF_OPEN, null, nowMs + settings.openMs());
    }

    /**
     * Whether a call may be let through while it is open, where its pool has nothing better: trouble of the target itself may be
     * over at any moment. A provider that named a time, refuses for its quota or credential, or is out of memory is left alone.
     */
    boolean mayBeAskedEarly() {
        if (state != BreakerState.OPEN || held || lastClass == null) {
            return false;
        }
        return switch (lastClass) {
            case NETWORK, UPSTREAM_INTERNAL, OVERLOADED, TIMEOUT_FIRST_TOKEN, TIMEOUT_TOTAL -> true;
            case OUT_OF_MEMORY,
                    RATE_LIMITED,
                    QUOTA_EXHAUSTED,
                    CONTEXT_LENGTH,
                    CONTENT_FILTER,
                    BAD_REQUEST,
                    AUTH,
                    SEMANTIC,
                    CANCELLED -> false;
        };
    }

    /** A call that was let through while it was open succeeded: half-open at once, one probe passed. */
    Breaker answeredEarly(long nowMs) {
        return state == BreakerState.OPEN && !held
                ? fresh(settings, BreakerState.HALF_OPEN, null, nowMs + settings.openMs())
                        .next(null, nowMs, 0)
                : this;
    }

    private Breaker open(FailureClass failure, long nowMs, long holdMs) {
        FailureClass reason = holdMs > 0 ? null : failure;
        return fresh(settings, BreakerState.OPEN, reason, nowMs + Math.max(settings.openMs(), holdMs));
    }

    private Breaker passed() {
        return new Breaker(
                settings, state, 0, 0, failedByBucket, seenByBucket, bucket, null, 0, untilMs, false, probesPassed + 1);
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
                false,
                0);
        return failure != null && counted.tripped() ? open(failure, nowMs, holdMs) : counted;
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
