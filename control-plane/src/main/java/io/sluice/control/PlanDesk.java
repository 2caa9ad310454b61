package io.sluice.control;

import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.PlanQuery;
import io.sluice.control.api.PlannedRoute;
import io.sluice.control.config.ConfigDecider;
import io.sluice.control.routing.RoutePlanner;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.routing.SnapshotCompiler;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Says what would be decided of a request now, or with a draft of the configuration. Thread-safe. */
final class PlanDesk {
    private final Vertx vertx;
    private final Supplier<Configuration> configuration;
    private final DecisionContexts contexts;
    private final Boards boards;

    PlanDesk(Vertx vertx, Supplier<Configuration> configuration, DecisionContexts contexts, Boards boards) {
        this.vertx = vertx;
        this.configuration = configuration;
        this.contexts = contexts;
        this.boards = boards;
    }

    /** The route, reckoned on a worker thread. */
    Future<PlannedRoute> plan(PlanQuery query) {
        return vertx.executeBlocking(() -> planNow(query), false);
    }

    private PlannedRoute planNow(PlanQuery query) {
        Configuration present = configuration.get();
        if (query.document() == null) {
            return planned(present, query);
        }
        ConfigCommand draft = new ConfigCommand.ApplyDocument(query.tenant().value(), query.document(), true, null);
        // Nothing is written and no credential is looked up, so what roles may write does not matter.
        return ConfigDecider.decide(present, draft, contexts.context(Role.PLATFORM_ADMIN))
                .fold(
                        accepted -> planned(accepted.configuration(), query),
                        refused -> new PlannedRoute(
                                List.of(),
                                "invalid_config: "
                                        + refused.errors().stream()
                                                .map(error -> String.join(".", error.path()) + " " + error.message())
                                                .collect(Collectors.joining("; "))));
    }

    /** Compiles the one tenant that is asked for, whatever the number of others. */
    private PlannedRoute planned(Configuration whole, PlanQuery query) {
        TenantTree tree = whole.tenants().get(query.tenant());
        Map<TenantId, TenantTree> one = tree == null ? Map.of() : Map.of(query.tenant(), tree);
        Catalog platform = whole.platform();
        Configuration alone = new Configuration(whole.epoch(), platform, one, Map.of());
        return RoutePlanner.plan(
                new SnapshotCompiler()
                        .compile(alone)
                        .with(boards.watched().weights())
                        .with(boards.shifts().shifts()),
                boards.watched().health(),
                query,
                contexts.now());
    }
}
