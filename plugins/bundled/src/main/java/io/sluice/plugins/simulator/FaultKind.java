package io.sluice.plugins.simulator;

import java.util.Locale;

/** What a simulated provider can do wrong (requirement H6). The word in a script is the name in lower case. */
public enum FaultKind {
    /** 429 {@code rate_limit_exceeded}, with {@code retry-after} where {@code retryAfterS} is given. */
    RATE_LIMIT,
    /** 429 {@code insufficient_quota}. */
    QUOTA,
    /** 500 {@code server_error}. */
    INTERNAL_ERROR,
    /** 503 {@code server_is_overloaded}. */
    UNAVAILABLE,
    /** 529 {@code overloaded_error}. */
    OVERLOADED,
    /** 500 with the text of a GPU that ran out of memory. */
    OUT_OF_MEMORY,
    /** 401 {@code invalid_api_key}. */
    UNAUTHORIZED,
    /** 400 {@code invalid_request_error}. */
    BAD_REQUEST,
    /** 400 {@code context_length_exceeded}. */
    CONTEXT_LENGTH,
    /** 400 {@code content_filter}. */
    CONTENT_FILTER,
    /** The connection is closed before any byte of an answer. */
    RESET,
    /** Silence: before any byte, or after {@code afterEvents} events of a stream where that is given. */
    HANG,
    /** {@code delayMs} (5,000 where absent) before the first byte, on top of the script's latency. */
    SLOW,
    /** The connection is closed after {@code afterEvents} events, or in the middle of a whole answer. */
    CUT,
    /** As {@link #CUT}, but the body ends in good order, as if that were all. */
    TRUNCATED,
    /** An event, or the whole answer, that is half a JSON object. */
    BAD_JSON,
    /** Usage with a negative and an impossibly large figure. */
    WRONG_USAGE,
    /** No usage at all. */
    NO_USAGE,
    /** 200 with no text, no finish_reason and zero usage. */
    EMPTY,
    /** An error object after {@code afterEvents} events of a 200 stream, or as a whole 200 answer. */
    ERROR_IN_STREAM,
    /** 200 with a page. */
    HTML;

    /** The word in a script. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
