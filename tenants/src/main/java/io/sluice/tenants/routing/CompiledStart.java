package io.sluice.tenants.routing;

import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.routing.StartInput.ActiveSwitch;
import io.sluice.tenants.routing.StartInput.RunningDrill;
import io.sluice.tenants.routing.StartInput.RunningShift;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The switches and drills of one scenario, with their rungs resolved. They begin and end by the clock of the node that asks,
 * without a new epoch. A scenario that has none shares {@link #NORMAL} and costs a request one comparison.
 *
 * @param drills by id
 */
public record CompiledStart(List<ActiveSwitch> switches, List<CompiledDrill> drills) {
    /** Every request starts at the first rung. */
    public static final CompiledStart NORMAL = new CompiledStart(List.of(), List.of());

    public CompiledStart {
        switches = List.copyOf(switches);
        drills = List.copyOf(drills);
    }

    /**
     * A drill with its rung resolved.
     *
     * @param rung index at which drilled requests start
     * @param zone of the tenant: schedules are in local time
     */
    public record CompiledDrill(int rung, DrillConfig drill, ZoneId zone) {}

    /**
     * What could change the start of a request that came at {@code at}; null where nothing does.
     *
     * @param shift that could take it; null where there is none
     */
    public StartInput at(Instant at, String traceId, RunningShift shift) {
        return with(at(at, traceId), at, shift);
    }

    /** What could change the start of a request that came at {@code at}, shifts aside; null where nothing does. */
    public StartInput at(Instant at, String traceId) {
        return switches.isEmpty() && drills.isEmpty() ? null : at(at, drill -> StartDecider.unit(traceId, drill.id()));
    }

    /** Likewise for no request in particular: only drills, and a shift, that take all requests count. */
    public StartInput forAnyRequest(Instant at, RunningShift shift) {
        return with(at(at, drill -> Math.nextDown(1.0)), at, shift);
    }

    private static StartInput with(StartInput input, Instant at, RunningShift shift) {
        if (shift == null) {
            return input;
        }
        return (input == null ? new StartInput(at.toEpochMilli(), List.of(), List.of()) : input).with(shift);
    }

    private StartInput at(Instant at, ToDoubleFunction<DrillConfig> unit) {
        List<RunningDrill> running = new ArrayList<>(drills.size());
        for (CompiledDrill each : drills) {
            each.drill()
                    .runAt(at, each.zone())
                    .ifPresent(run -> running.add(new RunningDrill(
                            each.drill().id(),
                            each.rung(),
                            run.share(),
                            unit.applyAsDouble(each.drill()),
                            run.window().from().toEpochMilli(),
                            run.window().until().toEpochMilli())));
        }
        return StartDecider.input(at.toEpochMilli(), switches, running);
    }
}
