package io.sluice.data.recall;

import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.vertx.core.Future;

/**
 * Keeps what becomes of requests that their callers named. A future completes when what it promises would survive the sudden end
 * of the process; it may complete on any thread. Operations take effect in the order of the calls. Safe for use by any thread.
 *
 * <p>A record that was begun and not ended counts as running no longer, unless it runs on another node that is alive: whoever asks
 * knows its own running requests and asks about others only.
 */
public interface IdempotencyStore {
    /**
     * Looks the key up and, where {@link io.sluice.tenants.recall.IdempotencyDecider} lets the request begin, keeps that it has
     * begun.
     */
    Future<Found> begin(Claim claim);

    /**
     * Keeps how a request that began has ended.
     *
     * @param answer with {@link Fate#KEEP} only, else null
     */
    Future<Void> end(Claim claim, Fate fate, KeptAnswer answer);

    /**
     * Completes when it is worth to ask again about a request that {@link #begin} found running on another node. At once where no
     * other node uses this store.
     */
    default Future<Void> changed(Claim claim) {
        return Future.succeededFuture();
    }

    /** Ends what was begun and releases everything. */
    Future<Void> close();
}
