package io.sluice.graphql;

import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.TenantTree;

/** A drill with its tenant, whose zone its schedule is in and whose runs are kept under its id. */
record DrillView(TenantTree tree, DrillConfig drill) {}
