package io.sluice.control.api;

import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ShiftState;
import io.sluice.tenants.shift.Trouble;
import java.time.Instant;
import java.util.List;

/**
 * How a scenario stands: its first rung, and where its traffic is (requirements F3, F4).
 *
 * @param enabled whether its traffic may be shifted; what is wrong is found out in any case
 * @param troubles of the first rung at {@code at}
 * @param baselineP95Ms what the first rung usually needs; 0 where unknown
 * @param currentP95Ms what it needed lately; 0 where it had no calls
 * @param calls of the first rung lately
 * @param errorRate share of them that failed
 * @param uselessRate share of their answers that were of no use
 */
public record ShiftStanding(
        ScenarioKey scenario,
        ShiftState state,
        boolean enabled,
        List<Trouble> troubles,
        double baselineP95Ms,
        double currentP95Ms,
        long calls,
        double errorRate,
        double uselessRate,
        Instant at) {
    public ShiftStanding {
        troubles = List.copyOf(troubles);
    }
}
