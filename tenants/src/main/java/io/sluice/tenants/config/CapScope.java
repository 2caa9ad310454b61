package io.sluice.tenants.config;

/** Whose spend a cap bounds. */
public enum CapScope {
    /** All of a tenant's. */
    TENANT,
    /** One app's. */
    APP,
    /** One scenario's. */
    SCENARIO,
    /** One end user's, as requests name them. */
    END_USER
}
