package io.sluice.control.api;

import io.sluice.tenants.TenantId;
import java.time.LocalDate;
import java.util.List;

/**
 * Asks why a period cost more, or less, than the one before it.
 *
 * @param from first day, in the tenant's time zone
 * @param to last day, inclusive
 * @param baseFrom first day of the period to compare with
 * @param baseTo last day of it, inclusive
 * @param segmentBy what a segment is; not by time
 */
public record RiseQuery(
        TenantId tenant,
        LocalDate from,
        LocalDate to,
        LocalDate baseFrom,
        LocalDate baseTo,
        List<SpendDimension> segmentBy) {
    public RiseQuery {
        segmentBy = segmentBy.stream().distinct().toList();
    }
}
