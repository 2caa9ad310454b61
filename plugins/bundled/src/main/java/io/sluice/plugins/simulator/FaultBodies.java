package io.sluice.plugins.simulator;

import io.sluice.plugins.api.fault.FaultAnswers;
import io.sluice.tenants.fault.FaultKind;

/** The figures of an answer when a fault strikes; its texts are in {@link FaultAnswers}. Pure. */
final class FaultBodies {
    private FaultBodies() {}

    /** The usage object of an answer under the fault; null for none. */
    static String usage(SimulatedAnswer answer, int choices, Fault fault) {
        FaultKind kind = fault == null ? null : fault.kind();
        if (kind == FaultKind.NO_USAGE) {
            return null;
        }
        if (kind == FaultKind.WRONG_USAGE) {
            return FaultAnswers.WRONG_USAGE;
        }
        long completion = (long) choices * answer.completionTokens();
        return "{\"prompt_tokens\":" + answer.promptTokens() + ",\"completion_tokens\":" + completion
                + ",\"total_tokens\":" + (answer.promptTokens() + completion) + "}";
    }
}
