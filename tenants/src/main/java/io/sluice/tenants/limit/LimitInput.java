package io.sluice.tenants.limit;

import io.sluice.tenants.json.RecordWriter;
import java.util.List;

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

    /** What the request needs of a limit. */
    public long need(LimitKind kind) {
        return kind == LimitKind.TOKENS ? tokens : 1;
    }

    @Override
    public void members(RecordWriter out) {
        out.whole("tokens", tokens);
        out.any("facts", facts);
    }
}
