package io.sluice.graphql;

import graphql.schema.DataFetchingEnvironment;
import io.sluice.control.api.Action;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.RungReport;
import io.sluice.graphql.Writes.Payload;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.DrillSchedule;
import io.sluice.tenants.config.DrillSchedule.Window;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.RungTally;
import io.sluice.tenants.failure.FailureClass;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of drills, of what they found out, and of the report of proven and unproven rungs. */
final class DrillTypes {
    private static final Rule ROUTING = new Rule(Action.READ_ROUTING);

    private final ControlPlaneApi api;
    private final Clock clock;

    private DrillTypes(ControlPlaneApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    static void register(Fields fields, ControlPlaneApi api, Clock clock) {
        DrillTypes types = new DrillTypes(api, clock);
        fields.of("Query", Object.class, Rule.ANY_PRINCIPAL)
                .fetched("drills", ROUTING, types::drills)
                .fetched("ladderReport", ROUTING, types::ladderReport);
        fields.of("Tenant", TenantTree.class, ROUTING).field("drills", DrillTypes::views);
        types.drill(fields);
        types.runs(fields);
        fields.of("RungReport", RungReport.class, ROUTING)
                .field("scenario", RungReport::scenario)
                .field("step", RungReport::step)
                .field("lastProvenAt", RungReport::lastProvenAt)
                .field("how", RungReport::how)
                .field("unproven", RungReport::unproven);
        for (String type : List.of("PutDrillPayload", "StartDrillPayload", "StopDrillPayload")) {
            fields.of(type, Payload.class, Rule.ANY_PRINCIPAL)
                    .field("drill", Payload::object)
                    .field("userErrors", Payload::userErrors);
        }
    }

    private void drill(Fields fields) {
        fields.of("Drill", DrillView.class, ROUTING)
                .field("id", view -> view.drill().id())
                .field("version", view -> view.drill().version())
                .field("scenario", view -> view.drill().scenario())
                .field("fromStep", view -> view.drill().fromStep())
                .field("share", view -> view.drill().share())
                .field("schedule", view -> view.drill().schedule())
                .field("owner", view -> view.drill().owner())
                .field("reason", view -> view.drill().reason())
                .field("enabled", view -> view.drill().enabled())
                .field("running", this::running)
                .field("next", this::next)
                .field("runs", view -> api.drillRuns(tenant(view), view.drill().id()));
        fields.of("DrillSchedule", DrillSchedule.class, ROUTING)
                .field("once", schedule -> schedule instanceof DrillSchedule.Once once ? once : null)
                .field("monthly", schedule -> schedule instanceof DrillSchedule.Monthly monthly ? monthly : null);
        fields.of("DrillOnce", DrillSchedule.Once.class, ROUTING)
                .field("from", DrillSchedule.Once::from)
                .field("until", DrillSchedule.Once::until);
        fields.of("DrillMonthly", DrillSchedule.Monthly.class, ROUTING)
                .field("day", DrillSchedule.Monthly::day)
                .field("at", DrillSchedule.Monthly::at)
                .field("duration", DrillSchedule.Monthly::duration);
        fields.of("DrillWindow", Window.class, ROUTING)
                .field("from", Window::from)
                .field("until", Window::until);
    }

    private void runs(Fields fields) {
        fields.of("DrillRun", DrillTally.class, ROUTING)
                .field("fromStep", DrillTally::step)
                .field("from", DrillTally::from)
                .field("until", DrillTally::until)
                .field("share", DrillTally::share)
                .field("requests", DrillTally::requests)
                .field("answered", DrillTally::answered)
                .field("passedOver", DrillTally::passedOver)
                .field("rungs", DrillTally::rungs);
        fields.of("DrillRung", RungTally.class, ROUTING)
                .field("step", RungTally::step)
                .field("requests", RungTally::requests)
                .field("answered", RungTally::answered)
                .field("failures", tally -> failures(tally.failures()))
                .field("p50Ms", tally -> quantile(tally, 0.5))
                .field("p95Ms", tally -> quantile(tally, 0.95))
                .field("cost", RungTally::cost);
        fields.of("FailureCount", FailureCount.class, ROUTING)
                .field("failureClass", FailureCount::failureClass)
                .field("count", FailureCount::count);
    }

    private record FailureCount(String failureClass, long count) {}

    private static List<FailureCount> failures(Map<FailureClass, Long> counts) {
        return counts.entrySet().stream()
                .map(each -> new FailureCount(each.getKey().name(), each.getValue()))
                .sorted(Comparator.comparing(FailureCount::failureClass))
                .toList();
    }

    private static Double quantile(RungTally tally, double share) {
        return tally.answered() == 0 ? null : tally.latency().quantile(share);
    }

    private static TenantId tenant(DrillView view) {
        return view.tree().tenant().id();
    }

    private Window running(DrillView view) {
        return view.drill()
                .runAt(clock.instant(), view.tree().tenant().timeZone())
                .map(DrillConfig.Run::window)
                .orElse(null);
    }

    private Window next(DrillView view) {
        return view.drill()
                .scheduled(clock.instant(), view.tree().tenant().timeZone())
                .orElse(null);
    }

    private static List<DrillView> views(TenantTree tree) {
        return tree.drills().values().stream()
                .sorted(Comparator.comparing(DrillConfig::id))
                .map(drill -> new DrillView(tree, drill))
                .toList();
    }

    private Object drills(DataFetchingEnvironment environment) {
        return tenant(environment).map(DrillTypes::views).orElse(List.of());
    }

    private Object ladderReport(DataFetchingEnvironment environment) {
        String scenario = environment.getArgument("scenario");
        return tenant(environment)
                .map(tree -> api.ladderReport(tree.tenant().id(), scenario))
                .orElse(List.of());
    }

    private Optional<TenantTree> tenant(DataFetchingEnvironment environment) {
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        return new Sight(api.configuration(), caller).tenant(environment.getArgument("tenantId"), Action.READ_ROUTING);
    }
}
