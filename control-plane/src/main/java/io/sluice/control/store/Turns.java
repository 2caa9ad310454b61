package io.sluice.control.store;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** Runs work that takes futures one after the other: the next begins when the one before has ended. Thread-safe. */
public final class Turns {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean busy;

    /** Runs {@code work} when all before it have ended, on the thread on which the last one did. */
    public <T> Future<T> take(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        Runnable turn = () -> {
            Future<T> started;
            try {
                started = work.get();
            } catch (RuntimeException bug) {
                started = Future.failedFuture(bug);
            }
            started.onComplete((value, failure) -> {
                next();
                done.complete(value, failure);
            });
        };
        synchronized (waiting) {
            if (busy) {
                waiting.add(turn);
                return done.future();
            }
            busy = true;
        }
        turn.run();
        return done.future();
    }

    private void next() {
        Runnable turn;
        synchronized (waiting) {
            turn = waiting.poll();
            busy = turn != null;
        }
        if (turn != null) {
            turn.run();
        }
    }
}
