package io.sluice.tenants.decision;

import io.sluice.tenants.context.ContextCut;
import io.sluice.tenants.context.ContextInput;
import io.sluice.tenants.json.RecordWriter;

/** How a conversation was cut before anything else was decided of it; one that was not has no record. */
public record ContextRecord(ContextInput input, ContextCut cut) implements RecordWriter.Written {
    @Override
    public void members(RecordWriter out) {
        out.object("input", input);
        out.object("cut", cut);
    }
}
