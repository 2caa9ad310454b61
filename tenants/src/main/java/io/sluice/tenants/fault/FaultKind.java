package io.sluice.tenants.fault;

import java.util.Locale;

/**
 * What a provider can do wrong (requirement H6): the same words in fault rules of a tenant, which strike calls of any provider,
 * and in scripts of the simulator, where the word is the name in lower case.
 */
public enum FaultKind {
    /** 429 {@code rate_limit_exceeded}, with {@code retry-after} where one is given. */
    RATE_LIMIT(true),
    /** 429 {@code insufficient_quota}. */
    QUOTA(true),
    /** 500 {@code server_error}. */
    INTERNAL_ERROR(true),
    /** 503 {@code server_is_overloaded}. */
    UNAVAILABLE(true),
    /** 529 {@code overloaded_error}. */
    OVERLOADED(true),
    /** 500 with the text of a GPU that ran out of memory. */
    OUT_OF_MEMORY(true),
    /** 401 {@code invalid_api_key}. */
    UNAUTHORIZED(true),
    /** 400 {@code invalid_request_error}. */
    BAD_REQUEST(true),
    /** 400 {@code context_length_exceeded}. */
    CONTEXT_LENGTH(true),
    /** 400 {@code content_filter}. */
    CONTENT_FILTER(true),
    /** No connection is made. */
    REFUSED(true),
    /** The connection is closed before any byte of an answer. */
    RESET(true),
    /** Silence: before any byte, or after so many events of a stream where that is given. */
    HANG(true),
    /** A delay before the first byte, on top of the provider's own time. */
    SLOW(false),
    /** A delay before each event of a stream, or before a whole answer. */
    SLOW_BODY(false),
    /** The connection is closed after so many events, or in the middle of a whole answer. */
    CUT(false),
    /** As {@link #CUT}, but the body ends in good order, as if that were all. */
    TRUNCATED(false),
    /** An event, or the whole answer, that is half a JSON object. */
    BAD_JSON(false),
    /** Usage with a negative and an impossibly large figure. */
    WRONG_USAGE(false),
    /** No usage at all. */
    NO_USAGE(false),
    /** 200 with no text, no finish_reason and zero usage. */
    EMPTY(true),
    /** An error object after so many events of a 200 stream, or as a whole 200 answer. */
    ERROR_IN_STREAM(false),
    /** 200 with a page. */
    HTML(true);

    private final boolean beforeAnyEvent;

    FaultKind(boolean beforeAnyEvent) {
        this.beforeAnyEvent = beforeAnyEvent;
    }

    /** Whether it shows before the first event of an answer, so that no provider has to be called for it. */
    public boolean beforeAnyEvent() {
        return beforeAnyEvent;
    }

    /** The word in a script. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
