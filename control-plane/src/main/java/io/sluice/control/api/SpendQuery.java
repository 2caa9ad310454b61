package io.sluice.control.api;

import io.sluice.tenants.TenantId;
import java.time.LocalDate;
import java.util.List;

/**
 * Asks what was spent.
 *
 * @param from first day, in the tenant's time zone
 * @param to last day, inclusive
 * @param groupBy without repetitions; empty gives one row
 */
public record SpendQuery(TenantId tenant, LocalDate from, LocalDate to, List<SpendDimension> groupBy) {
    /** A year and a day of a leap year; longer periods are asked for in parts. */
    public static final int DAYS_MAX = 366;

    public SpendQuery {
        groupBy = groupBy.stream().distinct().toList();
    }
}
