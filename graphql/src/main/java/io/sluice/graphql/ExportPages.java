package io.sluice.graphql;

import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendStatements;
import io.sluice.tenants.TenantId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.function.Function;

/** Walks through what exports are made of, page after page and never ahead of whoever takes it. */
final class ExportPages {
    private final ControlPlaneApi api;

    ExportPages(ControlPlaneApi api) {
        this.api = api;
    }

    /** Hands over all rows of a span in pages; the next page is read when the future for the one before completes. */
    Future<Void> each(TenantId tenant, Instant from, Instant until, Function<List<SpendPage.Row>, Future<Void>> taker) {
        Promise<Void> end = Promise.promise();
        next(tenant, from, until, null, taker, end);
        return end.future();
    }

    private void next(
            TenantId tenant,
            Instant from,
            Instant until,
            String after,
            Function<List<SpendPage.Row>, Future<Void>> taker,
            Promise<Void> end) {
        api.spend()
                .export(tenant, from, until, after)
                .compose(page -> taker.apply(page.rows()).map(page))
                .onFailure(end::tryFail)
                .onSuccess(page -> {
                    if (page.next() == null) {
                        end.tryComplete();
                    } else {
                        next(tenant, from, until, page.next(), taker, end);
                    }
                });
    }

    /** Corrections of the days of a month, in the order of the days. */
    Future<List<SpendStatements.Entry>> adjustments(TenantId tenant, YearMonth month) {
        return api.spend()
                .statements(tenant, month.atDay(1), month.atEndOfMonth())
                .map(found -> found.days().stream()
                        .flatMap(day -> day.additions().stream())
                        .filter(entry -> entry.kind().equals("ADJUSTMENT"))
                        .toList());
    }
}
