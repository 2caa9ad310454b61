package io.sluice.control;

import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Which epoch this node's data plane serves, for commands that wait for it: whoever is told that a key was made may use it in
 * the next request, and whoever is told that one was revoked knows that it is. Any thread.
 */
final class AppliedEpochs {
    /** No data plane of this node has reported. */
    private static final long NONE = -1;

    private final List<Waiter> waiters = new ArrayList<>();
    private long applied = NONE;

    private record Waiter(long epoch, Promise<Void> reached) {}

    /** The data plane serves {@code epoch} now. */
    void reached(long epoch) {
        List<Waiter> served = new ArrayList<>();
        synchronized (this) {
            applied = Math.max(applied, epoch);
            for (Iterator<Waiter> each = waiters.iterator(); each.hasNext(); ) {
                Waiter waiter = each.next();
                if (waiter.epoch() <= applied) {
                    each.remove();
                    served.add(waiter);
                }
            }
        }
        served.forEach(waiter -> waiter.reached().tryComplete());
    }

    /** Completes when {@code epoch} or a later one is served; at once where this node has no data plane. */
    Promise<Void> await(long epoch) {
        Promise<Void> reached = Promise.promise();
        synchronized (this) {
            if (applied != NONE && applied < epoch) {
                waiters.add(new Waiter(epoch, reached));
                return reached;
            }
        }
        reached.complete();
        return reached;
    }

    /** Gives up a wait: completes {@code reached} and forgets it. */
    void forget(Promise<Void> reached) {
        synchronized (this) {
            waiters.removeIf(waiter -> waiter.reached() == reached);
        }
        reached.tryComplete();
    }
}
