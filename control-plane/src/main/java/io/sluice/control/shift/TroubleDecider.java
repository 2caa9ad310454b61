package io.sluice.control.shift;

import io.sluice.tenants.shift.Trouble;
import java.util.ArrayList;
import java.util.List;

/** Says what is wrong with the first rung of a scenario (requirement F4), and whether it is well. */
final class TroubleDecider {
    /** A p95 of fewer calls is the slowest one's luck. */
    static final long CALLS_MIN = 5;

    /** So many troubles together are a reason to shift: one alone may have a harmless cause. */
    static final int JOINT = 2;

    private TroubleDecider() {}

    /** All that is wrong, in the order of {@link Trouble}; what is not known is not wrong. */
    static List<Trouble> decide(TroubleInput input, TroubleLimits limits) {
        List<Trouble> found = new ArrayList<>();
        if (input.samples().size() >= input.wanted()
                && input.samples().stream().allMatch(sample -> slow(sample, input, limits))) {
            found.add(Trouble.LATENCY);
        }
        Figures recent = input.recent();
        if (recent.errors() >= limits.errorsMin() && recent.errorRate() > limits.errorRate()) {
            found.add(Trouble.ERRORS);
        }
        if (recent.usable() + recent.useless() >= Baseline.CALLS_MIN && recent.uselessRate() > limits.uselessRate()) {
            found.add(Trouble.QUALITY);
        }
        if (input.resources() != null && input.resources() > limits.resourcesMax()) {
            found.add(Trouble.RESOURCES);
        }
        return List.copyOf(found);
    }

    private static boolean slow(Figures sample, TroubleInput input, TroubleLimits limits) {
        return sample.latency().count() >= CALLS_MIN && limits.slow(sample.p95Ms(), input.baselineP95Ms());
    }

    /** Whether it is known that nothing is wrong: as many samples as make a trouble have calls, and none is bad in any way. */
    static boolean well(TroubleInput input, TroubleLimits limits) {
        return input.samples().size() >= input.wanted()
                && input.baselineP95Ms() > 0
                && decide(input, limits).isEmpty()
                && input.recent().errorRate() <= limits.errorRate()
                && input.recent().uselessRate() <= limits.uselessRate()
                && input.samples().stream()
                        .allMatch(sample -> sample.latency().count() >= CALLS_MIN && !slow(sample, input, limits));
    }
}
