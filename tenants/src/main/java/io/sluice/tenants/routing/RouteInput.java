package io.sluice.tenants.routing;

import io.sluice.tenants.config.RequestKind;
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
        List<RungFacts> ladder) {
    public RouteInput {
        ladder = List.copyOf(ladder);
    }
}
