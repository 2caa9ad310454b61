package io.sluice.plugins.api.fault;

import io.sluice.plugins.api.chat.JsonText;
import io.sluice.tenants.fault.FaultKind;
import java.util.Optional;

/**
 * What a provider of the OpenAI dialect answers when a fault strikes, in the words of real ones: the one place for fault rules,
 * which stand in for any provider, and for the simulator, which is one. Pure.
 */
public final class FaultAnswers {
    /** Usage with a negative figure and one of more than 53 bits. */
    public static final String WRONG_USAGE =
            "{\"prompt_tokens\":-5,\"completion_tokens\":9007199254740993,\"total_tokens\":0}";

    /** The error object of a 200, as a whole answer or as an event. */
    public static final String ERROR_WITHIN =
            "{\"error\":{\"message\":\"The server had an error\",\"type\":\"server_error\",\"param\":null,\"code\":502}}";

    private FaultAnswers() {}

    /** A whole answer. */
    public record Answer(int status, String contentType, String body) {}

    /** The answer with an error status, or the page, that the fault stands for; empty where it shows in another way. */
    public static Optional<Answer> instead(FaultKind kind) {
        return Optional.ofNullable(
                switch (kind) {
                    case RATE_LIMIT -> json(429, "Rate limit reached for requests", "requests", "rate_limit_exceeded");
                    case QUOTA ->
                        json(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota");
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
                    case UNAUTHORIZED ->
                        json(401, "Incorrect API key provided", "invalid_request_error", "invalid_api_key");
                    case BAD_REQUEST ->
                        json(400, "Invalid value for 'temperature'", "invalid_request_error", "invalid_value");
                    case CONTEXT_LENGTH ->
                        json(
                                400,
                                "This model's maximum context length is 8192 tokens",
                                "invalid_request_error",
                                "context_length_exceeded");
                    case CONTENT_FILTER ->
                        json(400, "The prompt was filtered", "invalid_request_error", "content_filter");
                    case HTML ->
                        new Answer(200, "text/html", "<!doctype html><html><body><h1>It works</h1></body></html>");
                    case REFUSED,
                            RESET,
                            HANG,
                            SLOW,
                            SLOW_BODY,
                            CUT,
                            TRUNCATED,
                            BAD_JSON,
                            WRONG_USAGE,
                            NO_USAGE,
                            EMPTY,
                            ERROR_IN_STREAM -> null;
                });
    }

    private static Answer json(int status, String message, String type, String code) {
        return new Answer(status, "application/json", error(message, type, code));
    }

    /** An error in the dialect's form. */
    public static String error(String message, String type, String code) {
        return "{\"error\":{\"message\":" + JsonText.quote(message) + ",\"type\":\"" + type
                + "\",\"param\":null,\"code\":\"" + code + "\"}}";
    }

    /** An answer that says nothing, whole or as the only chunk of a stream. */
    public static String empty(boolean chunk) {
        return "{\"id\":\"chatcmpl-empty\",\"object\":\"chat.completion" + (chunk ? ".chunk" : "")
                + "\",\"created\":0,\"model\":\"simulated\",\"choices\":[{\"index\":0,\""
                + (chunk ? "delta" : "message")
                + "\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}],"
                + "\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0,\"total_tokens\":0}}";
    }
}
