package io.sluice.tenants.config;

/** Which kind of mistake a caller made. */
public enum UserErrorCode {
    REQUIRED,
    INVALID,
    NOT_FOUND,
    DUPLICATE,
    CONFLICT_VERSION,
    IN_USE,
    LIMIT_EXCEEDED,
    FALSE_REDUNDANCY,
    FORBIDDEN
}
