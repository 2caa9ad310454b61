package io.sluice.data.server;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts running requests of a node and knows whether it still takes new ones. Thread-safe. */
public final class Drain {
    private final AtomicInteger running = new AtomicInteger();
    private final Promise<Void> empty = Promise.promise();
    private volatile boolean draining;

    /** Whether new requests are refused. */
    public boolean draining() {
        return draining;
    }

    public int running() {
        return running.get();
    }

    void began() {
        running.incrementAndGet();
    }

    void ended() {
        if (running.decrementAndGet() == 0 && draining) {
            empty.tryComplete();
        }
    }

    /** Takes no new requests; completes when the last running one is over. */
    public Future<Void> start() {
        draining = true;
        if (running.get() == 0) {
            empty.tryComplete();
        }
        return empty.future();
    }
}
