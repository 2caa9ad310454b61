package io.sluice.plugins.api;

/** Why a model stopped, in the words of the OpenAI dialect. */
public enum FinishReason {
    STOP("stop"),
    LENGTH("length"),
    TOOL_CALLS("tool_calls"),
    CONTENT_FILTER("content_filter"),
    FUNCTION_CALL("function_call");

    private final String word;

    FinishReason(String word) {
        this.word = word;
    }

    /** The word on the wire. */
    public String word() {
        return word;
    }
}
