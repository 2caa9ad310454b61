package io.sluice.control.spend;

import io.sluice.control.api.Reconciliation.NodeTotal;
import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.spend.SpendLogEntry.DaysClosed;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/**
 * Keeps what was spent.
 * <ol>
 *   <li>A line of a node's journal counts once, however often it is shipped: sums, lines and the place in the journal are stored together.
 *   <li>When a future succeeds, what it stored survives a crash of process and machine.
 *   <li>Spans begin and end on quarters of an hour: every time zone's midnight is on one.
 * </ol>
 * Methods may be called from any thread and do not block; futures complete on the context of whoever called, where there
 * is one, else on a thread of the store.
 */
public interface SpendStore {
    /** A span of time, in seconds since 1970: {@code from} inclusive, {@code until} exclusive. */
    record Span(long from, long until) {}

    /** One of the tenant's days as a span. */
    record DaySpan(LocalDate day, Span span) {}

    /** How far a journal is stored; 0 where it is unknown. */
    Future<Long> position(String node, long journal);

    /**
     * Stores lines, unless {@code afterSeq} is not where the journal is; late usage of closed days becomes entries of their
     * statements.
     *
     * @return how far the journal is stored then
     */
    Future<Long> append(SpendShipped shipped);

    /** The sum of a span. */
    Future<SpendFigures> total(TenantId tenant, Span span);

    /**
     * Sums of a span by dimensions, the dearest first.
     *
     * @param groupBy not by day
     */
    Future<List<SpendReport.Row>> rows(TenantId tenant, Span span, List<SpendDimension> groupBy, int max);

    /** What each node has told of a span, the dearest first. */
    Future<List<NodeTotal>> byNode(TenantId tenant, Span span);

    /** Sums of several days by dimensions, the day among them; days in their order, within a day the dearest first. */
    Future<List<SpendReport.Row>> rowsByDay(TenantId tenant, List<DaySpan> days, List<SpendDimension> groupBy, int max);

    /**
     * What calls of a provider cost in a span, micro-units by the tenant that made them.
     *
     * @param tenant null means all
     * @param provider its id, whoever owns it
     */
    Future<Map<TenantId, Long>> ofProvider(TenantId tenant, String provider, Span span);

    /**
     * Requests of a span one by one, as they were shipped: what a sum is made of, while that is kept.
     *
     * @param max more are left out
     */
    Future<List<SpendFacts>> charges(TenantId tenant, Span span, int max);

    /** Some rows of an export, in a fixed order. */
    Future<SpendPage> page(TenantId tenant, Span span, String after, int max);

    /**
     * Closes the days of a tenant that are over: up to {@code before}, from the first day with usage on, or the first that is not
     * closed; at most some hundred at once.
     *
     * @return how many were closed
     */
    Future<Integer> close(Closing closing);

    /** Those of {@code closings} by which {@link #close} would close something. */
    Future<List<Closing>> due(List<Closing> closings);

    /**
     * What days are closed with.
     *
     * @param before the first day that stays open
     */
    record Closing(TenantId tenant, ZoneId zone, String tzdb, String currency, LocalDate before, Instant now) {
        DaysClosed of(List<DaySpan> days) {
            return new DaysClosed(tenant, zone.getId(), tzdb, currency, now, days);
        }
    }

    /** Adds a correction, unless the one with its id is there: it is added once. */
    Future<SpendStatements.Entry> adjust(Adjustment adjustment);

    /**
     * A correction that was checked and stands in the audit log.
     *
     * @param id drawn by whoever asks
     */
    record Adjustment(
            String id, TenantId tenant, LocalDate day, Money amount, String reason, String actor, Instant at) {}

    /** Sum of all that was added to the days later. */
    Future<Money> adjustments(TenantId tenant, LocalDate from, LocalDate to);

    /** Statements and whether all of the tenant's entries are as they were written. */
    Future<SpendStatements> statements(TenantId tenant, LocalDate from, LocalDate to);

    /** Forgets single requests from before {@code before}; sums stay. */
    Future<Void> purge(Instant before);

    /** Takes over what other nodes have stored; asked again and again, and once before the first question. */
    Future<Void> refresh();

    /** How many things that other nodes have stored are not taken over, as {@link #refresh} found last. */
    long behind();

    /** Finishes what was begun and closes; later calls fail. */
    Future<Void> close();
}
