package io.sluice.control.api;

/** What a principal may want to do; {@link Authorizer} says who may. */
public enum Action {
    READ_TENANT,
    READ_ROUTING,
    READ_DECISIONS,
    READ_AUDIT,
    READ_CLUSTER,
    WRITE_TENANT,
    WRITE_APPS,
    WRITE_KEYS,
    REVOKE_KEYS,
    WRITE_ROUTING,
    WRITE_PRICES,
    WRITE_ACCESS_TOKENS
}
