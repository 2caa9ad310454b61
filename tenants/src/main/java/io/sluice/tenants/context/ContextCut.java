package io.sluice.tenants.context;

import io.sluice.tenants.json.RecordWriter;

/**
 * What of a conversation is left out.
 *
 * @param fits whether the rest is short enough; where it is not, nothing that may be left out would make it so
 * @param keptFrom the first turn of which all is kept; older ones are left out, but for those that have to stay
 * @param turnsDropped so many are left out
 */
public record ContextCut(boolean fits, int keptFrom, int turnsDropped) implements RecordWriter.Written {
    @Override
    public void members(RecordWriter out) {
        out.flag("fits", fits);
        out.whole("keptFrom", keptFrom);
        out.whole("turnsDropped", turnsDropped);
    }
}
