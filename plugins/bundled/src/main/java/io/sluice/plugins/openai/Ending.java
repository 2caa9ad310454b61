package io.sluice.plugins.openai;

import io.sluice.plugins.api.AnswerEvent;
import io.sluice.tenants.failure.FailureClass;
import java.util.List;

/** How an answer with status 200 ends: the last word on whether it was one. */
final class Ending {
    /** The status under which these answers came. */
    private static final int STATUS = 200;

    private Ending() {}

    /**
     * The last events. An answer is complete when every choice has its finish_reason, whatever markers came or did not; one that
     * said nothing, or only blanks, is an answer only where the provider's usage has tokens of an answer, which proves that a model
     * was at work, or a filter explains it. What an empty one used is reported first: the provider charges for it.
     *
     * @param closed whether the provider itself said that this is all, so that nothing can have been cut off
     */
    static List<AnswerEvent> of(AnswerState state, boolean closed) {
        boolean silent = !state.spoke() && !state.usageKnown() && !state.filtered();
        if (silent && state.started() && (closed || state.complete())) {
            AnswerEvent empty = failed(FailureClass.SEMANTIC, "the answer is empty and has no tokens of an answer");
            return state.heldUsage() == null ? List.of(empty) : List.of(state.reported(state.heldUsage()), empty);
        }
        if (!state.complete()) {
            return List.of(failed(FailureClass.UPSTREAM_INTERNAL, "the answer ended without a finish_reason"));
        }
        return state.heldUsage() == null
                ? List.of(new AnswerEvent.Completed())
                : List.of(state.reported(state.heldUsage()), new AnswerEvent.Completed());
    }

    static AnswerEvent.Failed failed(FailureClass failure, String message) {
        return new AnswerEvent.Failed(failure, STATUS, OperatorText.of(message), 0);
    }
}
