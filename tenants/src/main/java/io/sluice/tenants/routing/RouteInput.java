package io.sluice.tenants.routing;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.json.RecordWriter;
import java.util.List;

/**
 * Everything a route depends on.
 *
 * @param epoch configuration
 * @param weightsRevision published weights
 * @param seed random bits of this request; with them the choice is a function of this record
 */
public record RouteInput(
        long epoch,
        long weightsRevision,
        String scenario,
        RequestKind kind,
        RequestFacts request,
        long seed,
        List<RungFacts> ladder)
        implements RecordWriter.Written {
    public RouteInput {
        ladder = List.copyOf(ladder);
    }

    @Override
    public void members(RecordWriter out) {
        out.whole("epoch", epoch);
        out.whole("weightsRevision", weightsRevision);
        out.text("scenario", scenario);
        out.any("kind", kind);
        out.any("request", request);
        out.whole("seed", seed);
        out.any("ladder", ladder);
    }
}
