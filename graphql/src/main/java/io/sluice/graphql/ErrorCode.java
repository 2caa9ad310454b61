package io.sluice.graphql;

/** What stands in {@code errors[].extensions.code}. */
enum ErrorCode {
    /** Not GraphQL, or more of it than is read. */
    GRAPHQL_PARSE_FAILED,
    /** GraphQL that does not fit the schema. */
    GRAPHQL_VALIDATION_FAILED,
    /** An argument or variable that can't be used. */
    BAD_USER_INPUT,
    /** A limit of {@link DocumentLimits} or of a socket. */
    LIMIT_EXCEEDED,
    /** The role may not. */
    FORBIDDEN,
    /** The token is no longer accepted. */
    UNAUTHENTICATED,
    /** Nothing can be changed now: what the nodes of a cluster share can't be reached. Reads go on. */
    UNAVAILABLE,
    /** A fault of Sluice's; the log has it under the request id. */
    INTERNAL
}
