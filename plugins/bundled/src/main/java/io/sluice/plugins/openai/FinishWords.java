package io.sluice.plugins.openai;

import io.sluice.plugins.api.FinishReason;
import io.sluice.tenants.failure.FailureClass;
import java.util.Locale;

/** What providers call the end of an answer, in OpenAI's words. */
final class FinishWords {
    private FinishWords() {}

    /** The meaning of {@code word}; one that nobody knows counts as an ordinary stop. */
    static FinishReason reason(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded" ->
                FinishReason.LENGTH;
            case "tool_calls", "tool_call", "tool_use" -> FinishReason.TOOL_CALLS;
            case "function_call" -> FinishReason.FUNCTION_CALL;
            case "content_filter",
                    "content_filtered",
                    "refusal",
                    "safety",
                    "sensitive",
                    "recitation",
                    "blocklist",
                    "prohibited_content",
                    "guardrail_intervened" -> FinishReason.CONTENT_FILTER;
            default -> FinishReason.STOP;
        };
    }

    /** The failure that {@code word} confesses; null for an ordinary end. */
    static FailureClass failure(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            // DeepSeek: the request was interrupted for lack of resources.
            case "insufficient_system_resource" -> FailureClass.OVERLOADED;
            // GLM, vLLM and proxies.
            case "network_error", "error", "abort", "aborted", "malformed_function_call" ->
                FailureClass.UPSTREAM_INTERNAL;
            default -> null;
        };
    }
}
