package io.sluice.graphql;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /livez}, {@code /readyz} and {@code /metrics}: without a token, for machines, and without secrets. */
final class ProbeRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(ProbeRoutes.class);

    private final Vertx vertx;
    private final Probes probes;

    ProbeRoutes(Vertx vertx, Probes probes) {
        this.vertx = vertx;
        this.probes = probes;
    }

    void mount(Router router) {
        router.get("/livez").handler(routing -> live(routing.response()));
        router.get("/readyz").handler(routing -> ready(routing.response()));
        router.get("/metrics").handler(routing -> metrics(routing.response()));
        for (String path : new String[] {"/livez", "/readyz", "/metrics"}) {
            router.route(path).handler(routing -> FallbackRoutes.methodNotAllowed(routing, HttpMethod.GET));
        }
    }

    private void live(HttpServerResponse response) {
        boolean live = probes.live().get();
        JsonAnswer.send(response, live ? 200 : 503, Map.of("status", live ? "live" : "dead"));
    }

    private void ready(HttpServerResponse response) {
        probes.ready().get().onComplete(answer -> {
            if (answer.failed()) {
                LOG.error("readiness can't be told", answer.cause());
            }
            Probes.Readiness readiness =
                    answer.succeeded() ? answer.result() : Probes.Readiness.not("readiness can't be told");
            JsonAnswer.send(
                    response,
                    readiness.ready() ? 200 : 503,
                    readiness.ready()
                            ? Map.of("status", "ready")
                            : Map.of("status", "not_ready", "reason", readiness.reason()));
        });
    }

    private void metrics(HttpServerResponse response) {
        vertx.executeBlocking(probes.metrics()::get)
                .onSuccess(scrape -> response.putHeader(
                                HttpHeaders.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")
                        .end(scrape))
                .onFailure(fault -> {
                    LOG.error("metrics can't be told", fault);
                    JsonAnswer.error(response, 500, "internal_error", "metrics can't be told; the log has the cause");
                });
    }
}
