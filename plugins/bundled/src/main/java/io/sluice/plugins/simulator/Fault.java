package io.sluice.plugins.simulator;

import io.sluice.tenants.fault.FaultKind;

/**
 * One fault of a script. It strikes a call when every condition that is given holds; one without conditions strikes always.
 *
 * @param model only calls for this model; null for all
 * @param probability share of calls, 0 to 1
 * @param every the n-th, 2n-th, … call only; 0 for no such condition
 * @param first the first n calls only; 0 for no such condition
 * @param fromMs not before this time since the script was set
 * @param toMs not at or after this time; 0 for no end
 * @param retryAfterS the header's value; -1 for no header
 * @param afterEvents events of a stream before the fault shows; -1 where absent
 * @param delayMs for {@link FaultKind#SLOW} and {@link FaultKind#SLOW_BODY}
 */
public record Fault(
        FaultKind kind,
        String model,
        double probability,
        long every,
        long first,
        long fromMs,
        long toMs,
        int retryAfterS,
        int afterEvents,
        long delayMs) {
    /**
     * Whether the fault strikes.
     *
     * @param call number of the call since the script was set, from 1
     * @param elapsedMs since the script was set
     * @param random 0 (included) to 1 (excluded)
     */
    boolean strikes(String calledModel, long call, long elapsedMs, double random) {
        return (model == null || model.equals(calledModel))
                && (every == 0 || call % every == 0)
                && (first == 0 || call <= first)
                && elapsedMs >= fromMs
                && (toMs == 0 || elapsedMs < toMs)
                && random < probability;
    }

    /** {@link #afterEvents} with the default of one: the fault shows when something was already delivered. */
    int events() {
        return afterEvents < 0 ? 1 : afterEvents;
    }
}
