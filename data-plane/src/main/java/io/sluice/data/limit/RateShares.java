package io.sluice.data.limit;

import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitKind;
import io.vertx.core.Future;
import java.util.List;

/**
 * What of each limit this node may use by itself. A limit holds for all nodes together; who divides it among them is behind this
 * port. Read on every request: an adapter answers from memory, and keeps its last answer while the authority is away.
 */
public interface RateShares {
    /** The only node has all. */
    RateShares ALONE = (key, kind) -> limit -> limit;

    /** This node's part of one limit, now and later: found once and kept by whoever reads it on every request. */
    Part of(LimitKey key, LimitKind kind);

    /** A part of one limit. Thread-safe; nothing blocks. */
    @FunctionalInterface
    interface Part {
        /** At most {@code limit}, at least 0. */
        int share(int limit);

        /** What other nodes use of it, as far as is known: for what callers are told is left. */
        default long elsewhere() {
            return 0;
        }
    }

    /** Likewise of what an upstream account lets through; {@code key} is that of its {@code UpstreamQuota}. */
    default int ofAccount(String key, LimitKind kind, int limit) {
        return limit;
    }

    /**
     * A request that does not fit into this node's share, and might fit into a larger one.
     *
     * @param used of the share now
     * @param need of the request
     */
    record Need(LimitKey key, LimitKind kind, int limit, long used, long need) {}

    /** Tells the authority what is used and gives back what is not; called once a second. Never fails. */
    default Future<Void> tick() {
        return Future.succeededFuture();
    }

    /** Asks for larger shares; completes soon, with whether it is worth to look again. Never fails. */
    default Future<Boolean> draw(List<Need> needs) {
        return Future.succeededFuture(false);
    }
}
