package io.sluice.data.request;

import io.sluice.tenants.fault.CompiledFaults;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultDecider;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;

/** Asks whether a fault rule of the tenant strikes an attempt. Costs a tenant without rules one look at a null. */
final class FaultStep {
    private FaultStep() {}

    /**
     * What attempt {@code n} meets; null where no rule applies.
     *
     * @param startedMs since the request came: time is counted from its arrival by this node's clock
     */
    static FaultDraw draw(Planned planned, int n, CompiledRung.Pool rung, CompiledTarget target, double startedMs) {
        CompiledFaults faults = planned.identified().caller().tenant().faults();
        if (faults == null) {
            return null;
        }
        Arrival arrival = planned.identified().arrival();
        return FaultDecider.draw(
                faults,
                new FaultDecider.Attempt(
                        planned.identified().scenario().name(),
                        rung.pool().id().id(),
                        target.provider().id(),
                        target.model().id()),
                arrival.traceId(),
                n,
                arrival.at().toEpochMilli() + (long) startedMs);
    }

    /** What goes wrong by {@code draw}; null for nothing. */
    static Fault fault(Planned planned, FaultDraw draw) {
        return draw == null || draw.struck() == null
                ? null
                : planned.identified().caller().tenant().faults().fault(draw.struck());
    }

    /**
     * Whether a pool may learn from the attempt. A pool of the platform serves other tenants too, who must not lose a target
     * because of this tenant's fault.
     */
    static boolean tellsAboutTheTarget(CompiledRung.Pool rung, Fault fault) {
        return fault == null || !rung.pool().id().ofPlatform();
    }

    /** Likewise they must not go without permits and retries that calls take which are never made. */
    static boolean needsNoPermit(CompiledRung.Pool rung, Fault fault) {
        return !tellsAboutTheTarget(rung, fault) && fault.standsIn();
    }
}
