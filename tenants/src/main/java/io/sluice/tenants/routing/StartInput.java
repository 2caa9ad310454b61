package io.sluice.tenants.routing;

import java.util.List;

/**
 * What could make one request start below the first rung, at the moment it came. Part of the decision record, so that the choice
 * can be made again.
 *
 * @param atMs when the request came, milliseconds since 1970
 * @param switches that were on
 * @param drills that were running
 */
public record StartInput(long atMs, List<ActiveSwitch> switches, List<RunningDrill> drills) {
    public StartInput {
        switches = List.copyOf(switches);
        drills = List.copyOf(drills);
    }

    /**
     * A degradation switch in the form the request path needs.
     *
     * @param rung index at which requests start
     * @param untilMs first millisecond at which it does nothing any more
     */
    public record ActiveSwitch(String id, int rung, long untilMs) {}

    /**
     * A drill's run.
     *
     * @param rung index at which drilled requests start
     * @param share of requests that take part, above 0 and at most 1
     * @param unit where this request falls in [0, 1); below {@code share} it takes part
     * @param fromMs when the run begins; with the id it names the run
     * @param untilMs exclusive
     */
    public record RunningDrill(String id, int rung, double share, double unit, long fromMs, long untilMs) {
        boolean takes(long atMs) {
            return atMs >= fromMs && atMs < untilMs && unit < share;
        }
    }
}
