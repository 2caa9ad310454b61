package io.sluice.graphql;

import io.sluice.control.api.Action;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.Principal;
import io.sluice.tenants.config.TenantTree;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET /exports/spend.csv} and {@code GET /exports/focus.csv}, with {@code tenant} and {@code month}, for whoever may read spend. A table
 * goes out as fast as its reader takes it and is never whole in memory; where it can't be finished the connection is cut, so
 * that half of it does not look like all.
 */
final class ExportRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(ExportRoutes.class);

    private final ControlPlaneApi api;
    private final List<Export> exports;

    ExportRoutes(ControlPlaneApi api) {
        this.api = api;
        exports = List.of(new ChargebackExport(api), new FocusExport(api));
    }

    void mount(Router router) {
        for (Export export : exports) {
            String path = "/exports/" + export.name() + ".csv";
            router.get(path).handler(routing -> send(routing, export));
            router.route(path).handler(routing -> FallbackRoutes.methodNotAllowed(routing, HttpMethod.GET));
        }
    }

    private void send(RoutingContext routing, Export export) {
        HttpServerResponse response = routing.response();
        Optional<Principal> principal = BearerToken.of(
                        routing.request().headers().getAll(HttpHeaders.AUTHORIZATION))
                .flatMap(api::authenticate);
        if (principal.isEmpty()) {
            GraphqlRoutes.unauthorized(routing);
            return;
        }
        if (!new Rule(Action.READ_SPEND).allows(principal.get())) {
            JsonAnswer.error(response, 403, "forbidden", "exports are not for this role");
            return;
        }
        List<String> tenants = routing.queryParam("tenant");
        Caller caller = new Caller(principal.get(), "export", () -> true);
        Optional<TenantTree> tenant = tenants.size() == 1
                ? new Sight(api.configuration(), caller).tenant(tenants.get(0), Action.READ_SPEND)
                : Optional.empty();
        if (tenant.isEmpty()) {
            JsonAnswer.error(response, 404, "not_found", "name a tenant that you may see: ?tenant=…&month=…");
            return;
        }
        Optional<YearMonth> month = month(routing.queryParam("month"));
        if (month.isEmpty()) {
            JsonAnswer.error(response, 400, "invalid_request", "name a month such as month=2026-01");
            return;
        }
        stream(response, export, tenant.get(), month.get());
    }

    private static void stream(HttpServerResponse response, Export export, TenantTree tenant, YearMonth month) {
        String file = "sluice-" + export.name() + "-" + tenant.tenant().id() + "-" + month + ".csv";
        response.setChunked(true)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/csv; charset=utf-8; header=present")
                .putHeader("content-disposition", "attachment; filename=\"" + file + "\"");
        export.write(tenant, month, lines -> write(response, lines))
                .onSuccess(done -> response.end())
                .onFailure(failure -> {
                    if (response.closed()) {
                        return;
                    }
                    LOG.error("the export {} broke off", file, failure);
                    if (response.headWritten()) {
                        response.reset();
                    } else {
                        response.setChunked(false);
                        JsonAnswer.error(response, 500, "internal_error", "Sluice failed; its log has the cause");
                    }
                });
    }

    /** Completes when the reader has room for more; fails where it is gone. */
    private static Future<Void> write(HttpServerResponse response, String lines) {
        if (response.closed()) {
            return Future.failedFuture("the reader is gone");
        }
        if (lines.isEmpty()) {
            return Future.succeededFuture();
        }
        response.write(lines);
        if (!response.writeQueueFull()) {
            return Future.succeededFuture();
        }
        Promise<Void> room = Promise.promise();
        response.drainHandler(now -> room.tryComplete());
        response.closeHandler(gone -> room.tryFail("the reader is gone"));
        return room.future();
    }

    private static Optional<YearMonth> month(List<String> texts) {
        try {
            return texts.size() == 1 && texts.get(0).length() == 7
                    ? Optional.of(YearMonth.parse(texts.get(0)))
                    : Optional.empty();
        } catch (DateTimeException notOne) {
            return Optional.empty();
        }
    }
}
