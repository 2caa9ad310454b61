package io.sluice.tenants.config;

/** What requests get when a cap is used up. */
public enum AtExhaustion {
    /** An error that says which cap, and when it begins anew. */
    REFUSE,
    /** What costs nothing: the ladder's static rungs; an error where it has none, or may not be gone down. */
    DEGRADE
}
