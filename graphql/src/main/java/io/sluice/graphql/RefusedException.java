package io.sluice.graphql;

/** A refusal with a text for the caller, on its way out of a data fetcher. It is no fault, so it has no stack trace. */
final class RefusedException extends RuntimeException {
    private final ErrorCode code;

    RefusedException(ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    ErrorCode code() {
        return code;
    }
}
