package io.sluice.tenants.ledger;

/** How long a cap runs before it begins anew, in the tenant's time zone. */
public enum CapPeriod {
    DAY,
    MONTH
}
