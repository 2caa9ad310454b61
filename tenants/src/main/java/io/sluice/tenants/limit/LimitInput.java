package io.sluice.tenants.limit;

import io.sluice.tenants.json.RecordWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that admitting a request depends on.
 *
 * @param tokens that the request is expected to use, prompt and answer
 * @param facts of every limit that applies
 */
public record LimitInput(long tokens, List<LimitFacts> facts) implements RecordWriter.Written {
    public LimitInput {
        facts = List.copyOf(facts);
    }

    /**
     * The verdict's reasons where the request is admitted: of each kind the limit with the least room for it. All others of the kind have
     * more, so they change nothing.
     */
    public LimitInput tightest() {
        Map<LimitKind, LimitFacts> least = new EnumMap<>(LimitKind.class);
        for (int i = 0; i < facts.size(); i++) {
            LimitFacts each = facts.get(i);
            LimitFacts before = least.get(each.kind());
            if (before == null || each.share() - each.used() < before.share() - before.used()) {
                least.put(each.kind(), each);
            }
        }
        return new LimitInput(tokens, List.copyOf(least.values()));
    }

    /** What the request needs of a limit. */
    public long need(LimitKind kind) {
        return kind == LimitKind.TOKENS ? tokens : 1;
    }

    @Override
    public void members(RecordWriter out) {
        out.whole("tokens", tokens);
        out.each("facts", facts);
    }
}
