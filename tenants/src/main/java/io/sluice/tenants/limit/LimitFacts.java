package io.sluice.tenants.limit;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.tenants.json.RecordWriter;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;

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
    /** The first two members, by level and kind: they are written some dozen times per request. */
    private static final Map<LimitLevel, Map<LimitKind, byte[]>> WORDS = new EnumMap<>(LimitLevel.class);

    static {
        for (LimitLevel level : LimitLevel.values()) {
            Map<LimitKind, byte[]> kinds = new EnumMap<>(LimitKind.class);
            for (LimitKind kind : LimitKind.values()) {
                String words = ",\"level\":\"" + level.name() + "\",\"kind\":\"" + kind.name() + "\"";
                kinds.put(kind, words.getBytes(StandardCharsets.US_ASCII));
            }
            WORDS.put(level, kinds);
        }
    }

    /** As it was written: {@code share} is null where it is the whole limit. */
    @JsonCreator
    static LimitFacts read(
            @JsonProperty("level") LimitLevel level,
            @JsonProperty("kind") LimitKind kind,
            @JsonProperty("limit") int limit,
            @JsonProperty("share") Integer share,
            @JsonProperty("used") long used,
            @JsonProperty("freeMs") long freeMs) {
        return new LimitFacts(level, kind, limit, share == null ? limit : share, used, freeMs);
    }

    /** What is left. */
    public long remaining() {
        return Math.max(0, share - used);
    }

    @Override
    public void members(RecordWriter out) {
        out.same(WORDS.get(level).get(kind));
        out.whole("limit", limit);
        out.any("share", share == limit ? null : share); // of one node it nearly always is
        out.whole("used", used);
        out.whole("freeMs", freeMs);
    }
}
