package io.sluice.graphql;

import io.sluice.control.api.AdjustOutcome;
import io.sluice.control.api.AdjustSpend;
import io.sluice.control.api.Principal;
import io.sluice.control.api.Reconciliation;
import io.sluice.control.api.RiseQuery;
import io.sluice.control.api.SpendApi;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendQuery;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendRise;
import io.sluice.control.api.SpendStatements;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers what it was given, and keeps what it was asked. Days are those of Berlin. Thread-safe. */
final class MemorySpend implements SpendApi {
    static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    final List<Object> asked = new CopyOnWriteArrayList<>();
    final List<SpendPage.Row> rows = new CopyOnWriteArrayList<>();
    final AtomicInteger pages = new AtomicInteger();
    volatile SpendReport report;
    volatile SpendRise rise;
    volatile SpendStatements statements = new SpendStatements(List.of(), true, null);
    volatile Reconciliation reconciliation;
    volatile int pageRows = 2;
    volatile int failsAtPage = Integer.MAX_VALUE;
    volatile IllegalArgumentException refusal;

    @Override
    public Future<SpendReport> report(SpendQuery query) {
        return answer(query, report);
    }

    @Override
    public Future<SpendRise> explain(RiseQuery query) {
        return answer(query, rise);
    }

    @Override
    public Future<SpendStatements> statements(TenantId tenant, LocalDate from, LocalDate to) {
        return answer(List.of(tenant, from, to), statements);
    }

    @Override
    public Future<Reconciliation> reconciliation(TenantId tenant, LocalDate day) {
        return answer(List.of(tenant, day), reconciliation);
    }

    private <T> Future<T> answer(Object query, T answer) {
        asked.add(query);
        return refusal == null ? Future.succeededFuture(answer) : Future.failedFuture(refusal);
    }

    @Override
    public Future<AdjustOutcome> adjust(Principal principal, AdjustSpend command) {
        asked.add(command);
        return Future.succeededFuture(new AdjustOutcome(
                new SpendStatements.Entry(
                        3,
                        LocalDate.parse(command.day()),
                        "ADJUSTMENT",
                        Money.of(command.amount()),
                        command.reason(),
                        principal.name(),
                        MemoryControlPlane.NOW,
                        "abc"),
                List.of()));
    }

    @Override
    public Future<SpendPage> export(TenantId tenant, Instant from, Instant until, String after) {
        if (pages.incrementAndGet() >= failsAtPage) {
            return Future.failedFuture("the disk is gone");
        }
        List<SpendPage.Row> within = rows.stream()
                .filter(row -> !row.hour().isBefore(from) && row.hour().isBefore(until))
                .toList();
        int begin = after == null ? 0 : Integer.parseInt(after);
        int end = Math.min(within.size(), begin + pageRows);
        return Future.succeededFuture(
                new SpendPage(within.subList(begin, end), end == within.size() ? null : Integer.toString(end)));
    }

    @Override
    public List<Instant> span(TenantId tenant, LocalDate from, LocalDate to) {
        return List.of(
                from.atStartOfDay(ZONE).toInstant(),
                to.plusDays(1).atStartOfDay(ZONE).toInstant());
    }
}
