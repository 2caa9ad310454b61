package io.sluice.tenants.config;

/** How capable, and dear, the models of a pool are (requirement F6). */
public enum Tier {
    LIGHT,
    STANDARD,
    PREMIUM
}
