package io.sluice.data.limit;

import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitKind;

/**
 * What of each limit this node may use by itself. A limit holds for all nodes together; who divides it among them is behind this
 * port. Read on every request: an adapter answers from memory, and keeps its last answer while the authority is away.
 */
public interface RateShares {
    /** The only node has all. */
    RateShares ALONE = (key, kind, limit) -> limit;

    /** At most {@code limit}, at least 0. Called on event loops; must not block. */
    int share(LimitKey key, LimitKind kind, int limit);

    /** Likewise of what an upstream account lets through; {@code key} is that of its {@code UpstreamQuota}. */
    default int ofAccount(String key, LimitKind kind, int limit) {
        return limit;
    }
}
