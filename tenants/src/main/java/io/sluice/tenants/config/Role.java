package io.sluice.tenants.config;

/** What the holder of an access token may do with the management API (permission matrix of the security model). */
public enum Role {
    PLATFORM_ADMIN,
    TENANT_ADMIN,
    FINANCE,
    REVIEWER,
    AUDITOR
}
