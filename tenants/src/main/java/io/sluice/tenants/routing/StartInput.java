package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * What could make one request start below the first rung, at the moment it came. Part of the decision record, so that the choice
 * can be made again.
 *
 * @param atMs when the request came, milliseconds since 1970
 * @param switches that were on
 * @param drills that were running
 * @param shift of the scenario's traffic; null where it is not shifted
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StartInput(long atMs, List<ActiveSwitch> switches, List<RunningDrill> drills, RunningShift shift) {
    public StartInput {
        switches = List.copyOf(switches);
        drills = List.copyOf(drills);
    }

    /** Of a scenario whose traffic is not shifted. */
    public StartInput(long atMs, List<ActiveSwitch> switches, List<RunningDrill> drills) {
        this(atMs, switches, drills, null);
    }

    /** The same with a shift. */
    StartInput with(RunningShift running) {
        return new StartInput(atMs, switches, drills, running);
    }

    /**
     * A degradation switch in the form the request path needs.
     *
     * @param rung index at which requests start
     * @param untilMs first millisecond at which it does nothing any more
     */
    public record ActiveSwitch(String id, int rung, long untilMs) {}

    /**
     * A shift of traffic.
     *
     * @param rung index at which shifted requests start
     * @param share of requests that are shifted, above 0 and at most 1
     * @param unit where this request falls in [0, 1); below {@code share} it is shifted
     * @param version of the published state that it follows from
     */
    public record RunningShift(int rung, double share, double unit, long version) {
        boolean takes() {
            return unit < share;
        }
    }

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
