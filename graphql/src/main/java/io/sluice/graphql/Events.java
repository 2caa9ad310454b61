package io.sluice.graphql;

import graphql.schema.DataFetchingEnvironment;
import io.sluice.control.api.Action;
import io.sluice.control.api.Authorizer;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.EpochEvent;
import io.sluice.control.api.Principal;
import io.sluice.graphql.HealthView.PoolView;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.vertx.core.Vertx;
import java.util.Optional;
import org.reactivestreams.Publisher;

/** The subscriptions. Each subscriber has a listener and a buffer of its own. */
final class Events {
    private final ControlPlaneApi api;

    Events(ControlPlaneApi api) {
        this.api = api;
    }

    void register(Fields fields) {
        fields.of("Subscription", Object.class, Rule.ANY_PRINCIPAL)
                .fetched("poolHealth", new Rule(Action.READ_ROUTING), this::poolHealth)
                .fetched("scenarioShifts", new Rule(Action.READ_ROUTING), this::scenarioShifts)
                .fetched("spendEvents", new Rule(Action.READ_SPEND), this::spendEvents)
                .fetched("configEpoch", new Rule(Action.READ_TENANT), this::configEpoch);
    }

    private Object poolHealth(DataFetchingEnvironment environment) {
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        String asked = environment.getArgument("tenantId");
        TenantId only = null;
        if (asked != null) {
            only = new Sight(api.configuration(), caller)
                    .tenant(asked, Action.READ_ROUTING)
                    .map(tree -> tree.tenant().id())
                    .orElseThrow(() -> new RefusedException(ErrorCode.BAD_USER_INPUT, "there is no such tenant"));
        }
        TenantId wanted = only;
        return publisher(
                caller,
                listener -> api.onPoolHealth(figures -> {
                    if (concerns(caller.principal(), wanted, figures.pool().tenant())) {
                        view(figures).ifPresent(listener);
                    }
                }));
    }

    /** Pools of the platform concern everyone; others their tenant and the platform's administrators. */
    private static boolean concerns(Principal principal, TenantId wanted, TenantId owner) {
        return owner == null
                || (Authorizer.may(principal, Action.READ_ROUTING, owner) && (wanted == null || wanted.equals(owner)));
    }

    /** Empty where the pool was removed meanwhile. */
    private Optional<PoolView> view(PoolHealthMerged figures) {
        Configuration configuration = api.configuration();
        return configuration
                .catalogOf(figures.pool().tenant())
                .map(Catalog::pools)
                .map(pools -> pools.get(figures.pool().id()))
                .map(pool -> HealthView.view(pool, configuration.epoch(), figures));
    }

    private Object spendEvents(DataFetchingEnvironment environment) {
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        TenantId wanted = new Sight(api.configuration(), caller)
                .tenant(environment.getArgument("tenantId"), Action.READ_SPEND)
                .map(tree -> tree.tenant().id())
                .orElseThrow(() -> new RefusedException(ErrorCode.BAD_USER_INPUT, "there is no such tenant"));
        return publisher(
                caller,
                listener -> api.onCapStanding(standing -> {
                    if (standing.account().tenant().equals(wanted)) {
                        listener.accept(standing);
                    }
                }));
    }

    private Object scenarioShifts(DataFetchingEnvironment environment) {
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        TenantId wanted = new Sight(api.configuration(), caller)
                .tenant(environment.getArgument("tenantId"), Action.READ_ROUTING)
                .map(tree -> tree.tenant().id())
                .orElseThrow(() -> new RefusedException(ErrorCode.BAD_USER_INPUT, "there is no such tenant"));
        return publisher(
                caller,
                listener -> api.onShift(standing -> {
                    if (standing.scenario().tenant().equals(wanted)) {
                        listener.accept(standing);
                    }
                }));
    }

    private Object configEpoch(DataFetchingEnvironment environment) {
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        boolean platform = caller.principal().role() == Role.PLATFORM_ADMIN;
        return publisher(
                caller,
                listener -> api.onEpoch(event -> listener.accept(
                        platform ? event : new EpochEvent(event.epoch(), event.at(), "configuration changed"))));
    }

    private static <T> Publisher<T> publisher(
            Caller caller,
            java.util.function.Function<java.util.function.Consumer<T>, ControlPlaneApi.Subscription> source) {
        return new BoundedPublisher<>(Vertx.currentContext(), caller.stillValid(), source);
    }
}
