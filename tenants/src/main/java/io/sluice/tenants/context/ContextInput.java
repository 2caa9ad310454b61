package io.sluice.tenants.context;

import io.sluice.tenants.json.RecordWriter;
import java.util.List;

/**
 * Everything that the cut of a conversation depends on. Sizes are in bytes as estimates of tokens count them: an image has the
 * bytes of as much text as it is worth.
 *
 * @param turnsMax most turns that are kept; 0 for no limit
 * @param bytesMax most that the whole prompt may have afterwards; 0 for no limit
 * @param bytes of the whole prompt: all messages and tools
 * @param turns what leaving each turn out would save, the oldest first; 0 for one that has to stay, because it holds a call of a tool
 *     that has no result yet
 */
public record ContextInput(int turnsMax, long bytesMax, long bytes, List<Long> turns) implements RecordWriter.Written {
    public ContextInput {
        turns = List.copyOf(turns);
        if (turns.isEmpty()) {
            throw new IllegalArgumentException("a conversation has a newest turn");
        }
    }

    @Override
    public void members(RecordWriter out) {
        out.whole("turnsMax", turnsMax);
        out.whole("bytesMax", bytesMax);
        out.whole("bytes", bytes);
        out.any("turns", turns);
    }
}
