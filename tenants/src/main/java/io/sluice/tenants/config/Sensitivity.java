package io.sluice.tenants.config;

/** How strictly a scenario's answers are bound to form (requirement D2). */
public enum Sensitivity {
    STRICT,
    SEMANTIC,
    CREATIVE
}
