package io.sluice.data.limit;

import io.sluice.data.limit.Limiter.Rule;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.limit.LimitKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** What one limit's subject uses on this node. A window is made when it is first counted in. Thread-safe, without locks. */
final class LimitCounter {
    private final AtomicReference<SlidingMinute> requests = new AtomicReference<>();
    private final AtomicReference<SlidingMinute> tokens = new AtomicReference<>();
    private final AtomicInteger running = new AtomicInteger();
    private volatile Bounds bounds;
    private volatile boolean forgotten;

    /** The limits that were last asked for, ready to use. */
    private record Bounds(LimitsConfig limits, List<LimitUse> uses) {}

    SlidingMinute requests() {
        return made(requests);
    }

    SlidingMinute tokens() {
        return made(tokens);
    }

    private static SlidingMinute made(AtomicReference<SlidingMinute> window) {
        SlidingMinute there = window.get();
        if (there != null) {
            return there;
        }
        SlidingMinute fresh = new SlidingMinute();
        return window.compareAndSet(null, fresh) ? fresh : window.get();
    }

    int running() {
        return running.get();
    }

    boolean tryRun(int max) {
        for (int now = running.get(); now < max; now = running.get()) {
            if (running.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    void ended() {
        running.decrementAndGet();
    }

    /** Each limit of {@code rule}, whose subject this counts for; requests before tokens, and those that run last. */
    List<LimitUse> uses(Rule rule, RateShares shares) {
        Bounds there = bounds;
        if (there == null || !there.limits().equals(rule.limits())) {
            there = new Bounds(rule.limits(), found(rule, shares));
            bounds = there;
        }
        return there.uses();
    }

    private List<LimitUse> found(Rule rule, RateShares shares) {
        LimitsConfig limits = rule.limits();
        List<LimitUse> uses = new ArrayList<>(3);
        if (limits.requestsPerMinute() != null) {
            uses.add(use(rule, LimitKind.REQUESTS, limits.requestsPerMinute(), requests(), shares));
        }
        if (limits.tokensPerMinute() != null) {
            uses.add(use(rule, LimitKind.TOKENS, limits.tokensPerMinute(), tokens(), shares));
        }
        if (limits.maxConcurrency() != null) {
            uses.add(use(rule, LimitKind.CONCURRENCY, limits.maxConcurrency(), null, shares));
        }
        return List.copyOf(uses);
    }

    private LimitUse use(Rule rule, LimitKind kind, int limit, SlidingMinute window, RateShares shares) {
        return new LimitUse(rule.key(), kind, limit, shares.of(rule.key(), kind), this, window);
    }

    /**
     * Puts it out of use where it counts nothing, and says whether it did. Who takes from it meanwhile either is seen here, or sees
     * {@link #forgotten} after it took.
     */
    boolean forget(long nowMs) {
        forgotten = true;
        forgotten = running.get() == 0 && empty(requests, nowMs) && empty(tokens, nowMs);
        return forgotten;
    }

    private static boolean empty(AtomicReference<SlidingMinute> window, long nowMs) {
        SlidingMinute there = window.get();
        return there == null || there.used(nowMs) == 0;
    }

    /** Whether what is counted here counts no more. */
    boolean forgotten() {
        return forgotten;
    }
}
