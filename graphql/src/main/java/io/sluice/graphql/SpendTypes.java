package io.sluice.graphql;

import graphql.schema.DataFetchingEnvironment;
import io.sluice.control.api.Action;
import io.sluice.control.api.AdjustOutcome;
import io.sluice.control.api.AdjustSpend;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.Reconciliation;
import io.sluice.control.api.RiseQuery;
import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendQuery;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendRise;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.api.UnfreezeCap;
import io.sluice.control.api.UnfreezeOutcome;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The fields of what was spent, of why it rose, and of statements. */
final class SpendTypes {
    private static final Rule SPEND = new Rule(Action.READ_SPEND);

    private final ControlPlaneApi api;

    private SpendTypes(ControlPlaneApi api) {
        this.api = api;
    }

    /** Figures and what they are of. */
    private record Row(Map<String, String> key, SpendFigures figures) {
        static Row of(SpendFigures figures) {
            return new Row(Map.of(), figures);
        }
    }

    static void register(Fields fields, ControlPlaneApi api) {
        SpendTypes types = new SpendTypes(api);
        fields.of("Query", Object.class, Rule.ANY_PRINCIPAL)
                .fetched("spend", SPEND, types::spend)
                .fetched("explainSpend", SPEND, types::explain)
                .fetched("spendStatements", SPEND, types::statements)
                .fetched("reconciliation", SPEND, types::reconciliation);
        fields.of("Mutation", Object.class, Rule.ANY_PRINCIPAL)
                .fetched("adjustSpend", new Rule(Action.ADJUST_SPEND), types::adjust)
                .fetched("unfreezeSpendCap", new Rule(Action.UNFREEZE_CAPS), types::unfreeze);
        report(fields);
        rise(fields);
        statement(fields);
        reconciled(fields);
        fields.of("AdjustSpendPayload", AdjustOutcome.class, Rule.ANY_PRINCIPAL)
                .field("entry", AdjustOutcome::entry)
                .field("userErrors", AdjustOutcome::errors);
        fields.of("UnfreezeSpendCapPayload", UnfreezeOutcome.class, Rule.ANY_PRINCIPAL)
                .field("period", UnfreezeOutcome::period)
                .field("userErrors", UnfreezeOutcome::errors);
    }

    private static void report(Fields fields) {
        fields.of("SpendReport", SpendReport.class, SPEND)
                .field(
                        "rows",
                        report -> report.rows().stream()
                                .map(row -> new Row(row.key(), row.figures()))
                                .toList())
                .field("truncated", SpendReport::truncated)
                .field("total", report -> report.total().cost())
                .field("totals", report -> Row.of(report.total()))
                .field("adjustments", SpendReport::adjustments)
                .field("forecast", SpendReport::forecast)
                .field("currency", SpendReport::currency);
        fields.of("SpendRow", Row.class, SPEND)
                .field("key", Row::key)
                .field("requests", row -> row.figures().requests())
                .field("calls", row -> row.figures().calls())
                .field("inputTokens", row -> row.figures().input())
                .field("cachedInputTokens", row -> row.figures().cachedInput())
                .field("cacheWriteTokens", row -> row.figures().cacheWrite())
                .field("outputTokens", row -> row.figures().output())
                .field("reasoningTokens", row -> row.figures().reasoning())
                .field("serverToolCalls", row -> row.figures().serverToolCalls())
                .field("cost", row -> row.figures().cost())
                .field("estimatedCost", row -> row.figures().estimated())
                .field("unpricedCalls", row -> row.figures().unpricedCalls())
                .field("tokensPerCall", row -> tokensPerCall(row.figures()))
                .field("costPerMTok", row -> costPerMTok(row.figures()));
    }

    private static Double tokensPerCall(SpendFigures figures) {
        return figures.calls() == 0 ? null : (double) figures.tokens() / figures.calls();
    }

    private static Money costPerMTok(SpendFigures figures) {
        return figures.tokens() == 0
                ? null
                : new Money(BigDecimal.valueOf(figures.cost().micros())
                        .movePointRight(6)
                        .divide(BigDecimal.valueOf(figures.tokens()), 0, RoundingMode.HALF_EVEN)
                        .longValueExact());
    }

    private static void rise(Fields fields) {
        fields.of("SpendRise", SpendRise.class, SPEND)
                .field("base", rise -> Row.of(rise.base()))
                .field("present", rise -> Row.of(rise.present()))
                .field("change", SpendRise::change)
                .field("calls", SpendRise::calls)
                .field("mix", SpendRise::mix)
                .field("tokensPerCall", SpendRise::tokensPerCall)
                .field("price", SpendRise::price)
                .field("unusual", SpendRise::unusual)
                .field("segments", SpendRise::segments)
                .field("currency", SpendRise::currency);
        fields.of("SpendSegment", SpendRise.Segment.class, SPEND)
                .field("key", SpendRise.Segment::key)
                .field("base", segment -> new Row(segment.key(), segment.base()))
                .field("present", segment -> new Row(segment.key(), segment.present()))
                .field("change", SpendRise.Segment::change)
                .field("calls", SpendRise.Segment::calls)
                .field("tokensPerCall", SpendRise.Segment::tokensPerCall)
                .field("price", SpendRise.Segment::price);
    }

    private static void statement(Fields fields) {
        fields.of("SpendStatements", SpendStatements.class, SPEND)
                .field("days", SpendStatements::days)
                .field("verified", SpendStatements::verified)
                .field("problem", SpendStatements::problem);
        fields.of("DayStatement", SpendStatements.Day.class, SPEND)
                .field("day", SpendStatements.Day::day)
                .field("charged", SpendStatements.Day::charged)
                .field("closing", SpendStatements.Day::closing)
                .field("additions", SpendStatements.Day::additions);
        fields.of("DayClosing", SpendStatements.Closing.class, SPEND)
                .field("no", SpendStatements.Closing::no)
                .field("from", SpendStatements.Closing::from)
                .field("until", SpendStatements.Closing::until)
                .field("timeZone", SpendStatements.Closing::timeZone)
                .field("tzdb", SpendStatements.Closing::tzdb)
                .field("currency", SpendStatements.Closing::currency)
                .field("figures", closing -> Row.of(closing.figures()))
                .field("closedAt", SpendStatements.Closing::closedAt)
                .field("hash", SpendStatements.Closing::hash);
        fields.of("StatementEntry", SpendStatements.Entry.class, SPEND)
                .field("no", SpendStatements.Entry::no)
                .field("day", SpendStatements.Entry::day)
                .field("kind", SpendStatements.Entry::kind)
                .field("amount", SpendStatements.Entry::amount)
                .field("reason", SpendStatements.Entry::reason)
                .field("actor", SpendStatements.Entry::actor)
                .field("at", SpendStatements.Entry::at)
                .field("hash", SpendStatements.Entry::hash);
    }

    private static void reconciled(Fields fields) {
        fields.of("Reconciliation", Reconciliation.class, SPEND)
                .field("day", Reconciliation::day)
                .field("currency", Reconciliation::currency)
                .field("journals", Reconciliation::journals)
                .field("nodes", Reconciliation::nodes)
                .field("cap", Reconciliation::cap)
                .field("statement", Reconciliation::statement)
                .field("corrections", Reconciliation::corrections)
                .field(
                        "differenceMicros",
                        of -> of.difference() == null ? null : of.difference().micros())
                .field("balanced", Reconciliation::balanced)
                .field("explanations", Reconciliation::explanations);
        fields.of("NodeTotal", Reconciliation.NodeTotal.class, SPEND)
                .field("node", Reconciliation.NodeTotal::node)
                .field("cost", Reconciliation.NodeTotal::cost)
                .field("requests", Reconciliation.NodeTotal::requests);
        fields.of("CapTotal", Reconciliation.CapTotal.class, SPEND)
                .field("capId", Reconciliation.CapTotal::capId)
                .field("spent", Reconciliation.CapTotal::spent)
                .field("held", Reconciliation.CapTotal::held)
                .field("burned", Reconciliation.CapTotal::burned)
                .field("corrected", Reconciliation.CapTotal::corrected)
                .field("closed", Reconciliation.CapTotal::closed);
    }

    private Object spend(DataFetchingEnvironment environment) {
        TenantId tenant = tenant(environment);
        return answered(() -> api.spend()
                .report(new SpendQuery(
                        tenant, day(environment, "from"), day(environment, "to"), dimensions(environment, "groupBy"))));
    }

    private Object explain(DataFetchingEnvironment environment) {
        TenantId tenant = tenant(environment);
        return answered(() -> api.spend()
                .explain(new RiseQuery(
                        tenant,
                        day(environment, "from"),
                        day(environment, "to"),
                        day(environment, "baseFrom"),
                        day(environment, "baseTo"),
                        dimensions(environment, "segmentBy"))));
    }

    private Object statements(DataFetchingEnvironment environment) {
        TenantId tenant = tenant(environment);
        return answered(() -> api.spend().statements(tenant, day(environment, "from"), day(environment, "to")));
    }

    private Object reconciliation(DataFetchingEnvironment environment) {
        TenantId tenant = tenant(environment);
        return answered(() -> api.spend().reconciliation(tenant, day(environment, "day")));
    }

    private Object adjust(DataFetchingEnvironment environment) {
        Map<String, Object> input = InputObject.object(environment.getArgument("input"));
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        return api.spend()
                .adjust(
                        caller.principal(),
                        new AdjustSpend(
                                (String) input.get("tenantId"),
                                (String) input.get("day"),
                                (String) input.get("amount"),
                                (String) input.get("reason")));
    }

    private Object unfreeze(DataFetchingEnvironment environment) {
        Map<String, Object> input = InputObject.object(environment.getArgument("input"));
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        return api.unfreeze(
                caller.principal(),
                new UnfreezeCap(
                        (String) input.get("tenantId"), (String) input.get("capId"), (String) input.get("reason")));
    }

    /** What can not be asked is told to whoever asked. */
    private static <T> Future<T> answered(Supplier<Future<T>> question) {
        return question.get()
                .recover(failure -> Future.failedFuture(
                        failure instanceof IllegalArgumentException
                                ? new RefusedException(ErrorCode.BAD_USER_INPUT, failure.getMessage())
                                : failure));
    }

    private TenantId tenant(DataFetchingEnvironment environment) {
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        return new Sight(api.configuration(), caller)
                .tenant(environment.getArgument("tenantId"), Action.READ_SPEND)
                .map(tree -> tree.tenant().id())
                .orElseThrow(() -> new RefusedException(ErrorCode.BAD_USER_INPUT, "tenantId: there is no such tenant"));
    }

    private static List<SpendDimension> dimensions(DataFetchingEnvironment environment, String name) {
        return environment.<List<String>>getArgument(name).stream()
                .map(SpendDimension::valueOf)
                .toList();
    }

    private static LocalDate day(DataFetchingEnvironment environment, String name) {
        return Days.parse(environment.getArgument(name))
                .orElseThrow(() ->
                        new RefusedException(ErrorCode.BAD_USER_INPUT, name + " must be a day such as 2026-01-31"));
    }
}
