package io.sluice.tenants.decision;

import io.sluice.tenants.json.RecordWriter;
import io.sluice.tenants.limit.LimitInput;

/**
 * How a request was admitted by its limits; one that was not has no record.
 *
 * @param input of the verdict: {@link LimitInput#tightest}
 * @param tokensUsed what took the place of the tokens that were expected
 */
public record LimitRecord(LimitInput input, long tokensUsed) implements RecordWriter.Written {
    @Override
    public void members(RecordWriter out) {
        out.object("input", input);
        out.whole("tokensUsed", tokensUsed);
    }
}
