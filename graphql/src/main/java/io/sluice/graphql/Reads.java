package io.sluice.graphql;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.schema.DataFetchingEnvironment;
import io.sluice.control.api.Action;
import io.sluice.control.api.AuditEntry;
import io.sluice.control.api.AuditPage;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.DateTimeText;
import io.sluice.control.api.PlanQuery;
import io.sluice.control.api.PlannedRoute;
import io.sluice.graphql.HealthView.PoolView;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The queries: find what was asked for, within what the caller may see. */
final class Reads {
    private static final String NO_NULL = "null is no value here; leave it out for the default";

    private final ControlPlaneApi api;
    private final Clock clock;

    Reads(ControlPlaneApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    void register(Fields fields) {
        fields.of("Query", Object.class, Rule.ANY_PRINCIPAL)
                .fetched(
                        "me",
                        Rule.ANY_PRINCIPAL,
                        environment -> sight(environment).principal())
                .fetched("tenant", new Rule(Action.READ_TENANT), this::tenant)
                .fetched("tenants", new Rule(Action.READ_TENANT), this::tenants)
                .fetched(
                        "platform",
                        new Rule(Action.READ_TENANT),
                        environment -> api.configuration().platform())
                .fetched("pools", new Rule(Action.READ_ROUTING), this::pools)
                .fetched("decision", new Rule(Action.READ_DECISIONS), this::decision)
                .fetched("decisions", new Rule(Action.READ_DECISIONS), this::decisions)
                .fetched("planRoute", new Rule(Action.READ_ROUTING), this::planRoute)
                .fetched("auditLog", new Rule(Action.READ_AUDIT), this::auditLog)
                .fetched("cluster", new Rule(Action.READ_CLUSTER), environment -> api);
    }

    private Sight sight(DataFetchingEnvironment environment) {
        return new Sight(api.configuration(), environment.getGraphQlContext().<Caller>get(Caller.class));
    }

    private Object tenant(DataFetchingEnvironment environment) {
        String id = environment.getArgument("id");
        return sight(environment).tenant(id, Action.READ_TENANT).orElse(null);
    }

    private Object tenants(DataFetchingEnvironment environment) {
        String search = environment.getArgument("search");
        String wanted = search == null ? "" : search.toLowerCase(Locale.ROOT);
        List<TenantTree> matching = sight(environment).tenants().stream()
                .filter(tree -> matches(tree.tenant().id().value(), wanted)
                        || matches(tree.tenant().displayName(), wanted))
                .toList();
        return page(matching, tree -> tree.tenant().id().value(), environment);
    }

    private static boolean matches(String text, String wanted) {
        return text.toLowerCase(Locale.ROOT).contains(wanted);
    }

    private static <T> Page<T> page(
            List<T> all, java.util.function.Function<T, String> key, DataFetchingEnvironment environment) {
        int first = environment.getArgument("first");
        return Page.of(all, key, first, environment.getArgument("after"));
    }

    private Object pools(DataFetchingEnvironment environment) {
        Sight sight = sight(environment);
        String tenantId = environment.getArgument("tenantId");
        List<TenantTree> owners = tenantId == null
                ? sight.tenants()
                : sight.tenant(tenantId, Action.READ_ROUTING).stream().toList();
        if (tenantId != null && owners.isEmpty()) {
            return Page.empty();
        }
        HealthView health = HealthView.of(api, environment);
        long epoch = sight.configuration().epoch();
        Stream<PoolConfig> shared = sight.configuration().platform().pools().values().stream();
        Stream<PoolConfig> owned = owners.stream().flatMap(tree -> tree.catalog().pools().values().stream());
        Instant now = clock.instant();
        Page<PoolConfig> page =
                page(Stream.concat(shared, owned).toList(), pool -> pool.id().key(), environment);
        List<PoolView> nodes =
                page.nodes().stream().map(pool -> health.view(pool, epoch, now)).toList();
        return new Page<>(nodes, page.info(), page.totalCount());
    }

    private Object decision(DataFetchingEnvironment environment) {
        Sight sight = sight(environment);
        String traceId = environment.getArgument("traceId");
        String asked = environment.getArgument("tenantId");
        TenantId own = sight.principal().tenantId();
        Optional<TenantId> tenant = asked == null
                ? Optional.ofNullable(own)
                : sight.tenant(asked, Action.READ_DECISIONS)
                        .map(tree -> tree.tenant().id());
        if (asked != null && tenant.isEmpty()) {
            return null;
        }
        return tenant.map(of -> api.decision(of, traceId))
                .orElseGet(() -> api.decision(traceId))
                .map(found -> found.filter(record -> sight.sees(Action.READ_DECISIONS, record.tenant()))
                        .orElse(null));
    }

    private Object decisions(DataFetchingEnvironment environment) {
        Optional<TenantTree> tenant =
                sight(environment).tenant(environment.getArgument("tenantId"), Action.READ_DECISIONS);
        if (tenant.isEmpty()) {
            return Page.empty();
        }
        Map<String, Object> filter = Optional.ofNullable(environment.<Map<String, Object>>getArgument("filter"))
                .orElse(Map.of());
        int first = environment.getArgument("first");
        return refusingCursor(api.decisions(new FindDecisions(
                        tenant.get().tenant().id(),
                        (String) filter.get("scenario"),
                        (String) filter.get("step"),
                        (String) filter.get("outcome"),
                        instant(filter, "from"),
                        instant(filter, "to"),
                        cursor(environment),
                        first)))
                .map(page -> Page.<DecisionRecord>cut(page.records(), page.next()));
    }

    /** A store knows best whether a cursor is one of its own. */
    private static <T> Future<T> refusingCursor(Future<T> page) {
        return page.recover(failure ->
                Future.failedFuture(failure instanceof IllegalArgumentException ? Page.foreignCursor() : failure));
    }

    private static String cursor(DataFetchingEnvironment environment) {
        String after = environment.getArgument("after");
        return after == null ? null : Page.decode(after);
    }

    private static Instant instant(Map<String, Object> filter, String name) {
        String text = (String) filter.get(name);
        return text == null
                ? null
                : DateTimeText.parse(text)
                        .orElseThrow(() -> new RefusedException(
                                ErrorCode.BAD_USER_INPUT, "filter." + name + " must be " + DateTimeText.RULE));
    }

    private Object auditLog(DataFetchingEnvironment environment) {
        Sight sight = sight(environment);
        String asked = environment.getArgument("tenantId");
        TenantId own = sight.principal().tenantId();
        Optional<TenantId> tenant = asked == null
                ? Optional.ofNullable(own)
                : sight.tenant(asked, Action.READ_AUDIT)
                        .map(tree -> tree.tenant().id());
        if (asked != null && tenant.isEmpty()) {
            return Page.empty();
        }
        int first = environment.getArgument("first");
        Set<String> actions = sight.principal().role() == Role.FINANCE ? AuditEntry.OF_MONEY : Set.of();
        Future<AuditPage> page = api.audit(tenant.orElse(null), actions, first, cursor(environment));
        return refusingCursor(page).map(cut -> Page.<AuditEntry>cut(cut.entries(), cut.next()));
    }

    private Object planRoute(DataFetchingEnvironment environment) {
        Map<String, Object> input = InputObject.object(environment.getArgument("input"));
        String model = (String) input.get("model");
        Integer promptTokens = (Integer) input.get("promptTokens");
        Integer maxTokens = (Integer) input.get("maxTokens");
        List<String> mistakes = planMistakes(model, promptTokens, maxTokens);
        Optional<TenantTree> tenant = sight(environment).tenant((String) input.get("tenantId"), Action.READ_ROUTING);
        if (!mistakes.isEmpty()) {
            Stream<String> missing =
                    tenant.isPresent() ? Stream.of() : Stream.of("input.tenantId: there is no such tenant");
            throw new RefusedException(
                    ErrorCode.BAD_USER_INPUT,
                    Stream.concat(missing, mistakes.stream()).collect(Collectors.joining("; ")));
        }
        if (tenant.isEmpty()) {
            return new PlannedRoute(List.of(), "not_found: there is no such tenant");
        }
        return api.plan(new PlanQuery(
                tenant.get().tenant().id(),
                (String) input.get("scenario"),
                model,
                promptTokens,
                maxTokens == null ? 0 : maxTokens,
                input.get("band") == null ? null : BudgetBand.valueOf((String) input.get("band")),
                (JsonNode) input.get("config")));
    }

    /** All that is wrong with the members that have a default or a range, each with its path. */
    private static List<String> planMistakes(String model, Integer promptTokens, Integer maxTokens) {
        List<String> mistakes = new ArrayList<>();
        if (model == null) {
            mistakes.add("input.model: " + NO_NULL);
        }
        if (promptTokens == null) {
            mistakes.add("input.promptTokens: " + NO_NULL);
        } else if (promptTokens < 0) {
            mistakes.add("input.promptTokens: must be at least 0");
        }
        if (maxTokens != null && maxTokens < 1) {
            mistakes.add("input.maxTokens: must be at least 1; leave it out where the request would not say");
        }
        return mistakes;
    }
}
