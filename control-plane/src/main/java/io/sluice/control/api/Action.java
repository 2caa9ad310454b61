package io.sluice.control.api;

/** What a principal may want to do; {@link Authorizer} says who may. */
public enum Action {
    READ_TENANT,
    /** Metadata of API keys; the secrets can be read by nobody. */
    READ_KEYS,
    /** Caps, spend, statements. */
    READ_SPEND,
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
    /** A platform administrator may only lower. */
    WRITE_CAPS,
    /** Caps that wait for lost nodes grant again: an operator's risk with a tenant's money. */
    UNFREEZE_CAPS,
    /** Corrections of what days have cost. */
    ADJUST_SPEND,
    /** Where events about money are posted. */
    WRITE_WEBHOOKS,
    /** What prepaid accounts hold. */
    WRITE_BALANCES,
    WRITE_ACCESS_TOKENS
}
