package io.sluice.graphql;

import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantConfig;

/** A cap with its tenant, in whose calendar and currency it is. */
record CapView(TenantConfig tenant, SpendCapConfig cap) {}
