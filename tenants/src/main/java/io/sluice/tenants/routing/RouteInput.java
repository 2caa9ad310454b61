package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.json.RecordWriter;
import java.util.List;

/**
 * Everything a route depends on.
 *
 * @param epoch configuration
 * @param weightsRevision published weights
 * @param seed random bits of this request; with them the choice is a function of this record
 * @param start what could make it start below the first rung; null where nothing does
 * @param budget how money stands; null where no spend cap applies
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RouteInput(
        long epoch,
        long weightsRevision,
        String scenario,
        RequestKind kind,
        RequestFacts request,
        long seed,
        List<RungFacts> ladder,
        StartInput start,
        BudgetFacts budget)
        implements RecordWriter.Written {
    public RouteInput {
        ladder = List.copyOf(ladder);
    }

    /** Of a request to which no spend cap applies. */
    public RouteInput(
            long epoch,
            long weightsRevision,
            String scenario,
            RequestKind kind,
            RequestFacts request,
            long seed,
            List<RungFacts> ladder,
            StartInput start) {
        this(epoch, weightsRevision, scenario, kind, request, seed, ladder, start, null);
    }

    /** The same request with other money. */
    public RouteInput with(BudgetFacts other) {
        return new RouteInput(epoch, weightsRevision, scenario, kind, request, seed, ladder, start, other);
    }

    /** Of a request that starts at the first rung. */
    public RouteInput(
            long epoch,
            long weightsRevision,
            String scenario,
            RequestKind kind,
            RequestFacts request,
            long seed,
            List<RungFacts> ladder) {
        this(epoch, weightsRevision, scenario, kind, request, seed, ladder, null, null);
    }

    @Override
    public void members(RecordWriter out) {
        out.whole("epoch", epoch);
        out.whole("weightsRevision", weightsRevision);
        out.text("scenario", scenario);
        out.word("kind", kind);
        out.object("request", request);
        out.whole("seed", seed);
        out.each("ladder", ladder);
        out.any("start", start);
        out.object("budget", budget);
    }
}
