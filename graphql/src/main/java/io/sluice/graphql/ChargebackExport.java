package io.sluice.graphql;

import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendStatements;
import io.sluice.graphql.CsvText.Figure;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The chargeback table: one line per day of the tenant's calendar, app, scenario, model and price; corrections at the end. Memory holds the
 * lines of one day.
 */
final class ChargebackExport implements Export {
    private static final List<String> COLUMNS = List.of(
            "period_start",
            "period_end",
            "tenant",
            "project",
            "cost_center",
            "key_alias",
            "provider",
            "model",
            "requests",
            "input_tokens",
            "cached_input_tokens",
            "cache_write_tokens",
            "output_tokens",
            "reasoning_tokens",
            "list_cost",
            "billed_cost",
            "currency",
            "price_version",
            "server_tool_calls");

    private final ControlPlaneApi api;
    private final ExportPages pages;

    ChargebackExport(ControlPlaneApi api) {
        this.api = api;
        pages = new ExportPages(api);
    }

    /** What is one line of a day. */
    private record Line(String app, String scenario, String provider, String model, String priceVersion) {
        private static final Comparator<String> NULL_FIRST = Comparator.nullsFirst(Comparator.naturalOrder());
        static final Comparator<Line> ORDER = Comparator.comparing(Line::app, NULL_FIRST)
                .thenComparing(Line::scenario, NULL_FIRST)
                .thenComparing(Line::provider, NULL_FIRST)
                .thenComparing(Line::model, NULL_FIRST)
                .thenComparing(Line::priceVersion, NULL_FIRST);

        static Line of(SpendPage.Row row) {
            return new Line(row.app(), row.scenario(), row.provider(), row.model(), row.priceVersion());
        }
    }

    @Override
    public String name() {
        return "spend";
    }

    @Override
    public Future<Void> write(TenantTree tree, YearMonth month, Function<String, Future<Void>> out) {
        TenantConfig tenant = tree.tenant();
        return out.apply(CsvText.line(COLUMNS))
                .compose(done -> days(tenant, month, out))
                .compose(done -> pages.adjustments(tenant.id(), month))
                .compose(entries -> {
                    StringBuilder lines = new StringBuilder();
                    entries.forEach(entry -> lines.append(adjustment(tenant, entry)));
                    return out.apply(lines.toString());
                });
    }

    private Future<Void> days(TenantConfig tenant, YearMonth month, Function<String, Future<Void>> out) {
        Promise<Void> end = Promise.promise();
        day(tenant, month.atDay(1), month.atEndOfMonth(), out, end);
        return end.future();
    }

    private void day(
            TenantConfig tenant, LocalDate day, LocalDate last, Function<String, Future<Void>> out, Promise<Void> end) {
        if (day.isAfter(last)) {
            end.complete();
            return;
        }
        List<Instant> span = api.spend().span(tenant.id(), day, day);
        Map<Line, SpendFigures> sums = new TreeMap<>(Line.ORDER);
        pages.each(tenant.id(), span.get(0), span.get(1), rows -> {
                    rows.forEach(row -> sums.merge(Line.of(row), row.figures(), SpendFigures::plus));
                    return Future.succeededFuture();
                })
                .compose(done -> out.apply(lines(tenant, span, sums)))
                .onFailure(end::tryFail)
                .onSuccess(done -> day(tenant, day.plusDays(1), last, out, end));
    }

    private static String lines(TenantConfig tenant, List<Instant> span, Map<Line, SpendFigures> sums) {
        StringBuilder lines = new StringBuilder();
        sums.forEach((line, sum) -> lines.append(CsvText.line(Arrays.asList(
                span.get(0),
                span.get(1),
                tenant.id(),
                line.app(),
                line.scenario(),
                null,
                line.provider(),
                line.model(),
                sum.requests(),
                sum.input(),
                sum.cachedInput(),
                sum.cacheWrite(),
                sum.output(),
                sum.reasoning(),
                Figure.of(sum.cost()),
                Figure.of(sum.cost()),
                tenant.currency(),
                line.priceVersion(),
                sum.serverToolCalls()))));
        return lines.toString();
    }

    private String adjustment(TenantConfig tenant, SpendStatements.Entry entry) {
        List<Instant> span = api.spend().span(tenant.id(), entry.day(), entry.day());
        return CsvText.line(Arrays.asList(
                span.get(0),
                span.get(1),
                tenant.id(),
                null,
                "ADJUSTMENT",
                null,
                null,
                null,
                0,
                0,
                0,
                0,
                0,
                0,
                Figure.of(Money.ZERO),
                Figure.of(entry.amount()),
                tenant.currency(),
                null,
                0));
    }
}
