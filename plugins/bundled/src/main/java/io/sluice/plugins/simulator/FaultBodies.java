package io.sluice.plugins.simulator;

/** What a simulated provider answers when a fault strikes, in the words of real ones. Pure. */
final class FaultBodies {
    /**
     * An answer instead of the right one.
     *
     * @param status of the answer
     * @param html whether it is a page
     */
    record Body(int status, String text, boolean html) {}

    private FaultBodies() {}

    /** The answer with an error status, or the page, that the fault stands for; null where it shows in another way. */
    static Body instead(FaultKind kind) {
        return switch (kind) {
            case RATE_LIMIT -> json(429, "Rate limit reached for requests", "requests", "rate_limit_exceeded");
            case QUOTA -> json(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota");
            case INTERNAL_ERROR -> json(500, "The server had an error", "server_error", "internal_error");
            case UNAVAILABLE ->
                json(503, "The server is overloaded", "service_unavailable_error", "server_is_overloaded");
            case OVERLOADED -> json(529, "Overloaded", "overloaded_error", "overloaded_error");
            case OUT_OF_MEMORY ->
                json(
                        500,
                        "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 79.15 GiB total capacity)",
                        "server_error",
                        "internal_error");
            case UNAUTHORIZED -> json(401, "Incorrect API key provided", "invalid_request_error", "invalid_api_key");
            case BAD_REQUEST -> json(400, "Invalid value for 'temperature'", "invalid_request_error", "invalid_value");
            case CONTEXT_LENGTH ->
                json(
                        400,
                        "This model's maximum context length is 8192 tokens",
                        "invalid_request_error",
                        "context_length_exceeded");
            case CONTENT_FILTER -> json(400, "The prompt was filtered", "invalid_request_error", "content_filter");
            case HTML -> new Body(200, "<!doctype html><html><body><h1>It works</h1></body></html>", true);
            case RESET, HANG, SLOW, CUT, TRUNCATED, BAD_JSON, WRONG_USAGE, NO_USAGE, EMPTY, ERROR_IN_STREAM -> null;
        };
    }

    private static Body json(int status, String message, String type, String code) {
        return new Body(status, SimulatorServer.error(message, type, code), false);
    }

    /** The usage object of an answer under the fault; null for none. */
    static String usage(SimulatedAnswer answer, int choices, Fault fault) {
        FaultKind kind = fault == null ? null : fault.kind();
        if (kind == FaultKind.NO_USAGE) {
            return null;
        }
        if (kind == FaultKind.WRONG_USAGE) {
            return "{\"prompt_tokens\":-5,\"completion_tokens\":9007199254740993,\"total_tokens\":0}";
        }
        long completion = (long) choices * answer.completionTokens();
        return "{\"prompt_tokens\":" + answer.promptTokens() + ",\"completion_tokens\":" + completion
                + ",\"total_tokens\":" + (answer.promptTokens() + completion) + "}";
    }

    /** An answer that says nothing, whole or as the only chunk of a stream. */
    static String empty(boolean chunk) {
        return "{\"id\":\"chatcmpl-empty\",\"object\":\"chat.completion" + (chunk ? ".chunk" : "")
                + "\",\"created\":0,\"model\":\"simulated\",\"choices\":[{\"index\":0,\""
                + (chunk ? "delta" : "message")
                + "\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}],"
                + "\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0,\"total_tokens\":0}}";
    }

    /** The error object of a 200. */
    static String errorWithin() {
        return "{\"error\":{\"message\":\"The server had an error\",\"type\":\"server_error\",\"param\":null,\"code\":502}}";
    }
}
