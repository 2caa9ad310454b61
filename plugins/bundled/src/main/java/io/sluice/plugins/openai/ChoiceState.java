package io.sluice.plugins.openai;

import io.sluice.plugins.api.FinishReason;

/** What one choice of an answer has said so far. */
final class ChoiceState {
    private final int index;
    private final ToolCalls calls;
    private final ToolCalls functionCall;
    private FinishReason finish;

    ChoiceState(int index, CallIds callIds) {
        this.index = index;
        this.calls = new ToolCalls(index, callIds);
        this.functionCall = new ToolCalls(index, callIds);
    }

    int index() {
        return index;
    }

    ToolCalls calls() {
        return calls;
    }

    /** The deprecated single call, kept apart: it has a finish reason of its own. */
    ToolCalls functionCall() {
        return functionCall;
    }

    boolean finished() {
        return finish != null;
    }

    boolean filtered() {
        return finish == FinishReason.CONTENT_FILTER;
    }

    void finish(FinishReason reason) {
        finish = reason;
    }
}
