package io.sluice.data.limit;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** What one limit's subject uses on this node. A window is made when it is first counted in. Thread-safe, without locks. */
final class LimitCounter {
    private final AtomicReference<SlidingMinute> requests = new AtomicReference<>();
    private final AtomicReference<SlidingMinute> tokens = new AtomicReference<>();
    private final AtomicInteger running = new AtomicInteger();

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
}
