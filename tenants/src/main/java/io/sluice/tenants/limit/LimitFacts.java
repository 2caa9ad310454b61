package io.sluice.tenants.limit;

import io.sluice.tenants.json.RecordWriter;

/**
 * One limit at the moment of a decision.
 *
 * @param limit most that may be used by all nodes together; of a window, in any 60 seconds
 * @param share what of it this node may use
 * @param used now, or within the last 60 seconds; may be more than the limit where answers were longer than expected, or
 *     the limit was lowered
 * @param freeMs when there would be room for the request; only where there is none now
 */
public record LimitFacts(LimitLevel level, LimitKind kind, int limit, int share, long used, long freeMs)
        implements RecordWriter.Written {
    /** What is left. */
    public long remaining() {
        return Math.max(0, share - used);
    }

    @Override
    public void members(RecordWriter out) {
        out.any("level", level);
        out.any("kind", kind);
        out.whole("limit", limit);
        out.whole("share", share);
        out.whole("used", used);
        out.whole("freeMs", freeMs);
    }
}
