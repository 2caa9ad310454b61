package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.routing.RoutePlan.Reason;
import io.sluice.tenants.routing.StartInput.RunningDrill;

/**
 * Where a request starts that does not start at the first rung as usual.
 *
 * @param switchRung rungs above it are switched off; 0 where no switch is on
 * @param switchId null where no switch is on
 * @param drill in which it takes part; null where it does in none
 * @param passedOver whether the drill let it go its normal way, since no rung that the drill leaves could have taken it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Start(int switchRung, String switchId, RunningDrill drill, boolean passedOver) {
    /** Why the rung is out; null where it is not. */
    Reason exclusion(int rung) {
        if (rung < switchRung) {
            return Reason.SWITCHED_OFF;
        }
        return drill != null && !passedOver && rung < drill.rung() ? Reason.DRILLED : null;
    }

    /** Whether a drill decides where it starts. */
    boolean drilled() {
        return drill != null && !passedOver && drill.rung() > switchRung;
    }

    Start lettingPass() {
        return new Start(switchRung, switchId, drill, true);
    }
}
