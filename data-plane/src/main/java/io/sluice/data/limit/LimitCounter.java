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
    private final AtomicReference<State> state = new AtomicReference<>(State.COUNTS);

    /** Whether it is about to be forgotten. */
    private enum State {
        COUNTS,
        CHECKED,
        FORGOTTEN
    }

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
     * Puts it out of use where it counts nothing, and says whether it did. Called by one thread. Who takes meanwhile is either seen
     * here, or prevents it by {@link #stays}, or hears there that it is too late.
     */
    boolean forget(long nowMs) {
        if (!state.compareAndSet(State.COUNTS, State.CHECKED)) {
            return forgotten();
        }
        boolean unused = running.get() == 0 && empty(requests, nowMs) && empty(tokens, nowMs);
        return state.compareAndSet(State.CHECKED, unused ? State.FORGOTTEN : State.COUNTS) && unused;
    }

    private static boolean empty(AtomicReference<SlidingMinute> window, long nowMs) {
        SlidingMinute there = window.get();
        return there == null || there.used(nowMs) == 0;
    }

    /** Whether what is counted here counts no more. */
    boolean forgotten() {
        return state.get() == State.FORGOTTEN;
    }

    /** Asked by whoever has just taken from it: whether that counts. */
    boolean stays() {
        State now = state.get();
        return now == State.COUNTS
                || (now == State.CHECKED && state.compareAndSet(State.CHECKED, State.COUNTS))
                || state.get() != State.FORGOTTEN;
    }
}
