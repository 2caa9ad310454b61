package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.json.RecordWriter;
import java.util.List;

/**
 * One rung at the moment of a decision.
 *
 * @param step the rung's name
 * @param pool key of the pool; null for a text rung
 * @param targets empty for a text rung
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RungFacts(String step, String pool, long timeoutMs, long minRemainingMs, List<TargetFacts> targets)
        implements RecordWriter.Written {
    public RungFacts {
        targets = List.copyOf(targets);
    }

    @Override
    public void members(RecordWriter out) {
        out.text("step", step);
        out.text("pool", pool);
        out.whole("timeoutMs", timeoutMs);
        out.whole("minRemainingMs", minRemainingMs);
        out.any("targets", targets);
    }
}
