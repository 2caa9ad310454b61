package io.sluice.control.api;

import io.sluice.tenants.TenantId;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/**
 * Finance's view of what was spent. Like {@link ControlPlaneApi}: queries are checked by the caller with {@link Authorizer},
 * {@link #adjust} checks by itself. Methods may be called from any thread; futures complete on the caller's context, and fail
 * with {@link IllegalArgumentException} where the caller asked for something that can not be, in words for the caller.
 */
public interface SpendApi {
    /** What was spent in some days of a tenant. */
    Future<SpendReport> report(SpendQuery query);

    /** Why one period cost more, or less, than another. */
    Future<SpendRise> explain(RiseQuery query);

    /** The statements of closed days, oldest first, with what was added to them later. */
    Future<SpendStatements> statements(TenantId tenant, LocalDate from, LocalDate to);

    /** Whether all who count the tenant's money of a day agree. */
    Future<Reconciliation> reconciliation(TenantId tenant, LocalDate day);

    /** Adds to, or takes from, what a day has cost. It is in the audit log before it counts. */
    Future<AdjustOutcome> adjust(Principal principal, AdjustSpend command);

    /**
     * Some of the rows of an export, in a fixed order.
     *
     * @param from inclusive, on a quarter of an hour
     * @param until exclusive, likewise
     * @param after cursor of the page before; null begins
     */
    Future<SpendPage> export(TenantId tenant, Instant from, Instant until, String after);

    /** Days of {@code query} as a span of time: the tenant's days may be longer or shorter than 24 hours. */
    List<Instant> span(TenantId tenant, LocalDate from, LocalDate to);
}
