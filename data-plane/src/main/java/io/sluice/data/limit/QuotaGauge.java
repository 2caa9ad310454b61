package io.sluice.data.limit;

import io.sluice.plugins.api.QuotaFigures;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What is left of one upstream account's limits, as this node knows it: what it has sent itself within the last minute, what the
 * provider says in its answers, and how it refuses. Thread-safe, without locks.
 */
final class QuotaGauge {
    /** No answer takes an account out for longer; then one call shows how things are (bad-input row 71). */
    static final long OUT_MS_MAX = 60_000;

    private static final long NEVER = Long.MIN_VALUE / 2;

    private final SlidingMinute requests = new SlidingMinute();
    private final SlidingMinute tokens = new SlidingMinute();
    private final AtomicReference<RateFactor> factor = new AtomicReference<>(RateFactor.WHOLE);
    private volatile long usedMs;
    private volatile long saidRequests;
    private volatile long saidTokens;
    private volatile long emptyUntilMs = NEVER;
    private volatile long refusedUntilMs = NEVER;

    /** Of an account that nothing is known of yet. */
    QuotaGauge(long nowMs) {
        usedMs = nowMs;
    }

    /** Most that may be sent in a minute; {@link Long#MAX_VALUE} where nothing speaks for less. */
    record Allowed(long requests, long tokens) {}

    /**
     * What may be sent now.
     *
     * @param configuredRequests 0 where none are
     * @param configuredTokens likewise
     * @param share of a known limit that is used
     */
    Allowed allowed(int configuredRequests, int configuredTokens, double share, long nowMs) {
        double now = factor.get().at(nowMs);
        return new Allowed(
                known(configuredRequests, saidRequests, share * now), known(configuredTokens, saidTokens, share * now));
    }

    private static long known(int configured, long said, double part) {
        long limit = configured > 0 && said > 0 ? Math.min(configured, said) : Math.max(configured, said);
        return limit <= 0 ? Long.MAX_VALUE : Math.max(1, (long) (limit * part));
    }

    /** Milliseconds until a call of {@code amount} tokens may be sent; 0 where it may be now. */
    long untilQuotaMs(Allowed allowed, long amount, long nowMs) {
        long outMs = Math.max(emptyUntilMs, refusedUntilMs) - nowMs;
        if (outMs > 0) {
            return outMs;
        }
        long requestsMs = allowed.requests() == Long.MAX_VALUE ? 0 : requests.untilRoomMs(1, allowed.requests(), nowMs);
        long tokensMs = allowed.tokens() == Long.MAX_VALUE
                ? 0
                : tokens.untilRoomMs(Math.min(amount, allowed.tokens()), allowed.tokens(), nowMs);
        return Math.min(OUT_MS_MAX, Math.max(requestsMs, tokensMs));
    }

    /** Counts a call of {@code amount} tokens; null where it may not be sent now, then nothing is counted. */
    QuotaPermit tryTake(Allowed allowed, long amount, long nowMs) {
        usedMs = nowMs;
        if (Math.max(emptyUntilMs, refusedUntilMs) > nowMs || !requests.tryTake(1, allowed.requests(), nowMs)) {
            return null;
        }
        long counted = Math.min(amount, allowed.tokens());
        if (!tokens.tryTake(counted, allowed.tokens(), nowMs)) {
            requests.giveBack(1, nowMs, nowMs);
            return null;
        }
        return new QuotaPermit(this, counted, nowMs);
    }

    /** When a call was last asked for, or this was made. */
    long usedMs() {
        return usedMs;
    }

    void settle(long counted, long used, long takenMs, long nowMs) {
        if (used > counted) {
            tokens.take(used - counted, nowMs);
        } else if (used < counted) {
            tokens.giveBack(counted - used, takenMs, nowMs);
        }
    }

    /** A call that was counted was not sent. */
    void unsent(long counted, long takenMs, long nowMs) {
        requests.giveBack(1, takenMs, nowMs);
        tokens.giveBack(counted, takenMs, nowMs);
    }

    /** The provider said how much is left. */
    void said(QuotaFigures figures, double share, long nowMs) {
        long emptyMs = Math.max(emptyMs(figures.requests(), share), emptyMs(figures.tokens(), share));
        emptyUntilMs = emptyMs == 0 ? NEVER : nowMs + emptyMs;
        if (figures.requests().limit() > 0) {
            saidRequests = figures.requests().limit();
        }
        if (figures.tokens().limit() > 0) {
            saidTokens = figures.tokens().limit();
        }
    }

    /** How long there is less left than what is not used anyway; a limit fills evenly until its reset. */
    private static long emptyMs(QuotaFigures.Window window, double share) {
        long kept = window.limit() < 0 ? 0 : (long) ((1 - share) * window.limit());
        if (window.remaining() < 0 || window.resetMs() <= 0 || window.remaining() > kept) {
            return 0;
        }
        double part =
                window.remaining() == 0 ? 1 : (kept - window.remaining() + 1.0) / (window.limit() - window.remaining());
        return Math.min(OUT_MS_MAX, (long) Math.ceil(part * window.resetMs()));
    }

    /**
     * The provider refused a call because there were too many: 429. Where no limit is known there is no rate to lower; then the
     * limit of calls in flight is.
     */
    void refused(long retryAfterMs, long nowMs) {
        factor.updateAndGet(before -> before.refused(nowMs));
        if (retryAfterMs > 0) {
            refusedUntilMs = Math.max(refusedUntilMs, nowMs + Math.min(OUT_MS_MAX, retryAfterMs));
        }
    }
}
