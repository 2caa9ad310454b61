package io.sluice.tenants.routing;

import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.ledger.CapPeriod;

/**
 * A spend cap in the form the request path needs.
 *
 * @param display for people, such as {@code the day cap of the tenant}
 * @param limitMicros micro-units of the tenant's currency
 */
public record CompiledCap(String id, String display, CapPeriod period, long limitMicros, AtExhaustion atExhaustion) {}
