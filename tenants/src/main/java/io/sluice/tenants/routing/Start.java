package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.routing.RoutePlan.Reason;
import io.sluice.tenants.routing.StartInput.RunningDrill;
import io.sluice.tenants.routing.StartInput.RunningShift;

/**
 * Where a request starts that does not start at the first rung as usual.
 *
 * @param switchRung rungs above it are switched off; 0 where no switch is on
 * @param switchId null where no switch is on
 * @param drill in which it takes part; null where it does in none
 * @param passedOver whether the drill or the shift let it go its normal way, since no rung that the drill leaves, or not the one to
 *     which traffic is shifted, could have taken it
 * @param shift that takes it; null where none does, and where it takes part in a drill
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Start(int switchRung, String switchId, RunningDrill drill, boolean passedOver, RunningShift shift) {
    /** Of a request that is not shifted. */
    public Start(int switchRung, String switchId, RunningDrill drill, boolean passedOver) {
        this(switchRung, switchId, drill, passedOver, null);
    }

    /** Why the rung is out; null where it is not. */
    Reason exclusion(int rung) {
        if (rung < switchRung) {
            return Reason.SWITCHED_OFF;
        }
        if (drill != null && !passedOver && rung < drill.rung()) {
            return Reason.DRILLED;
        }
        return shift != null && !passedOver && rung < shift.rung() ? Reason.SHIFTED : null;
    }

    /** Whether a drill decides where it starts. */
    boolean drilled() {
        return drill != null && !passedOver && drill.rung() > switchRung;
    }

    /** Whether a shift of traffic decides where it starts. */
    boolean shifted() {
        return shift != null && !passedOver;
    }

    Start lettingPass() {
        return new Start(switchRung, switchId, drill, true, shift);
    }
}
