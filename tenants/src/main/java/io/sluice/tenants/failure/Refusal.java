package io.sluice.tenants.failure;

/**
 * Every answer but success that the data plane gives: code, HTTP status, OpenAI error type and whether a client may try
 * again by itself. One table, so that no handler invents a status. The texts that go with it say what to do and are written
 * where the facts are known.
 */
public enum Refusal {
    INVALID_JSON(400, "invalid_json", Kind.REQUEST),
    INVALID_REQUEST(400, "invalid_request", Kind.REQUEST),
    DUPLICATE_KEY(400, "duplicate_key", Kind.REQUEST),
    UNKNOWN_PARAMETER(400, "unknown_parameter", Kind.REQUEST),
    MALFORMED_HTTP(400, "malformed_http", Kind.REQUEST),
    BAD_HOST(400, "bad_host", Kind.REQUEST),
    UNKNOWN_SCENARIO(400, "unknown_scenario", Kind.REQUEST),
    SCENARIO_REQUIRED(400, "scenario_required", Kind.REQUEST),
    CONTEXT_LENGTH_EXCEEDED(400, "context_length_exceeded", Kind.REQUEST),
    CONTENT_FILTER(400, "content_filter", Kind.REQUEST),
    INVALID_API_KEY(401, "invalid_api_key", Kind.AUTHENTICATION),
    BUDGET_EXHAUSTED(402, "budget_exhausted", Kind.QUOTA),
    MODEL_NOT_ALLOWED(403, "model_not_allowed", Kind.PERMISSION),
    SCENARIO_NOT_ALLOWED(403, "scenario_not_allowed", Kind.PERMISSION),
    MODEL_NOT_PRICED(403, "model_not_priced", Kind.PERMISSION),
    KEY_DISABLED(403, "key_disabled", Kind.PERMISSION),
    MODEL_NOT_FOUND(404, "model_not_found", Kind.REQUEST),
    NOT_FOUND(404, "not_found", Kind.REQUEST),
    METHOD_NOT_ALLOWED(405, "method_not_allowed", Kind.REQUEST),
    REQUEST_TIMEOUT(408, "request_timeout", Kind.REQUEST),
    REQUEST_IN_FLIGHT(409, "request_in_flight", Kind.REQUEST),
    IDEMPOTENCY_KEY_REUSED(409, "idempotency_key_reused", Kind.REQUEST),
    OUTCOME_UNKNOWN(409, "outcome_unknown", Kind.REQUEST),
    ANSWER_TOO_LARGE_TO_KEEP(409, "answer_too_large_to_keep", Kind.REQUEST),
    BODY_TOO_LARGE(413, "body_too_large", Kind.REQUEST),
    URI_TOO_LONG(414, "uri_too_long", Kind.REQUEST),
    UNSUPPORTED_MEDIA_TYPE(415, "unsupported_media_type", Kind.REQUEST),
    EXPECTATION_FAILED(417, "expectation_failed", Kind.REQUEST),
    RATE_LIMITED(429, "rate_limited", Kind.RATE),
    INSUFFICIENT_QUOTA(429, "insufficient_quota", Kind.QUOTA),
    TOO_MANY_AUTH_FAILURES(429, "too_many_auth_failures", Kind.RATE),
    TOO_MANY_STREAMS(429, "too_many_streams", Kind.RATE),
    QUEUE_FULL(429, "queue_full", Kind.RATE),
    HEADERS_TOO_LARGE(431, "headers_too_large", Kind.REQUEST),
    INTERNAL(500, "internal_error", Kind.SERVER),
    BAD_TRANSFER_ENCODING(501, "bad_transfer_encoding", Kind.REQUEST),
    UPSTREAM_FAILED(502, "upstream_failed", Kind.UPSTREAM),
    NO_HEALTHY_TARGET(503, "no_healthy_target", Kind.OVERLOADED),
    DRAINING(503, "draining", Kind.OVERLOADED),
    NOT_READY(503, "not_ready", Kind.OVERLOADED),
    IDEMPOTENCY_UNAVAILABLE(503, "idempotency_unavailable", Kind.OVERLOADED),
    CAPS_UNAVAILABLE(503, "caps_unavailable", Kind.OVERLOADED),
    DEADLINE_EXCEEDED(504, "deadline_exceeded", Kind.UPSTREAM);

    private enum Kind {
        REQUEST("invalid_request_error"),
        AUTHENTICATION("authentication_error"),
        PERMISSION("permission_error"),
        QUOTA("insufficient_quota"),
        RATE("rate_limit_error"),
        SERVER("server_error"),
        UPSTREAM("upstream_error"),
        OVERLOADED("overloaded_error");

        private final String type;

        Kind(String type) {
            this.type = type;
        }
    }

    private final int status;
    private final String code;
    private final Kind kind;

    Refusal(int status, String code, Kind kind) {
        this.status = status;
        this.code = code;
        this.kind = kind;
    }

    public int status() {
        return status;
    }

    /** The stable word in {@code error.code}. */
    public String code() {
        return code;
    }

    /** The family in {@code error.type}. */
    public String type() {
        return kind.type;
    }
}
