package io.sluice.control.routing;

import io.sluice.control.api.PlanQuery;
import io.sluice.control.api.PlannedRoute;
import io.sluice.control.api.PlannedRoute.Candidate;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.BudgetSetting;
import io.sluice.tenants.config.ScenarioDefaults;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.MergedTarget;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.BudgetFacts;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledScenario;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.CompiledTenant;
import io.sluice.tenants.routing.RequestFacts;
import io.sluice.tenants.routing.RouteDecider;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RoutePlan;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RungEdit;
import io.sluice.tenants.routing.RungFacts;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.routing.StartInput;
import io.sluice.tenants.routing.TargetFacts;
import io.sluice.tenants.shift.ShiftState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Says what {@link RouteDecider} would choose for a request, from a snapshot and the merged health of all nodes. A node may
 * still choose otherwise, since it knows its own breakers and permits. Pure.
 */
public final class RoutePlanner {
    /** What stands for provider and model where people wrote the answer. */
    private static final String OWN = "sluice";

    private RoutePlanner() {}

    /**
     * The route; {@link PlannedRoute#refused} where there is none.
     *
     * @param now which switches are on, and which drills of all requests run; a shift counts where it takes all requests
     */
    public static PlannedRoute plan(
            Snapshot snapshot, Map<ScopedId, PoolHealthMerged> health, PlanQuery query, Instant now) {
        CompiledTenant tenant = snapshot.tenants().get(query.tenant());
        if (tenant == null) {
            return refused(Refusal.NOT_FOUND, "there is no such tenant");
        }
        CompiledScenario scenario = tenant.scenarios().get(query.scenario());
        if (scenario == null) {
            return refused(
                    Refusal.UNKNOWN_SCENARIO,
                    "the tenant's scenarios are " + String.join(", ", tenant.scenarioNames()));
        }
        List<CompiledRung> ladder = scenario.ladder();
        ShiftState shifted = snapshot.shifts().of(tenant.id(), scenario.name());
        StartInput start = scenario.start().forAnyRequest(now, scenario.shift(shifted, Math.nextDown(1.0)));
        if (!query.model().equals("auto")) {
            CompiledPool pool = tenant.pools().get(query.model());
            if (pool == null) {
                return refused(Refusal.MODEL_NOT_FOUND, "there is no pool " + query.model());
            }
            ladder = List.of(rungOf(scenario, pool));
            start = null;
        }
        RequestFacts request = new RequestFacts(
                query.model(), promptTokens(scenario, query), query.maxTokens(), false, false, false, false, false);
        List<RungFacts> facts = ladder.stream()
                .map(rung -> facts(rung, snapshot, shifted, health, now))
                .toList();
        RouteInput input = new RouteInput(
                snapshot.epoch(),
                snapshot.weights().revision(),
                scenario.name(),
                scenario.kind(),
                request,
                0,
                facts,
                start,
                budget(tenant, scenario, query.band()));
        return described(ladder, input, RouteDecider.decide(input));
    }

    /** A longer prompt is cut before it is routed. */
    private static int promptTokens(CompiledScenario scenario, PlanQuery query) {
        int tokensMax = scenario.settings().context().tokensMax();
        return tokensMax == 0 ? query.promptTokens() : Math.min(tokensMax, query.promptTokens());
    }

    /** As the data plane does: the scenario's own rung for the pool, with its name and times, where it has one. */
    private static CompiledRung rungOf(CompiledScenario scenario, CompiledPool pool) {
        return scenario.ladder().stream()
                .filter(rung -> rung.fold(
                        named -> named.pool().id().equals(pool.id()), cache -> false, rules -> false, text -> false))
                .findFirst()
                .orElseGet(() ->
                        new CompiledRung.Pool(pool.id().id(), pool, 0, ScenarioDefaults.MIN_REMAINING.toMillis()));
    }

    private static PlannedRoute refused(Refusal refusal, String why) {
        return new PlannedRoute(List.of(), refusal.code() + ": " + why);
    }

    /** As if the shortest of the tenant's caps had that band; null where nothing is asked about money. */
    private static BudgetFacts budget(CompiledTenant tenant, CompiledScenario scenario, BudgetBand band) {
        if (band == null) {
            return null;
        }
        AtExhaustion wanted = tenant.caps().tenant().stream()
                .map(CompiledCap::atExhaustion)
                .findFirst()
                .orElse(AtExhaustion.REFUSE);
        BudgetSetting setting = scenario.settings().budget();
        return new BudgetFacts(band, null, wanted, scenario.core(), setting.exempt(), setting.floor());
    }

    private static RungFacts facts(
            CompiledRung rung,
            Snapshot snapshot,
            ShiftState shifted,
            Map<ScopedId, PoolHealthMerged> health,
            Instant now) {
        return rung.fold(
                pool -> new RungFacts(
                        pool.name(),
                        pool.pool().id().key(),
                        pool.pool().tier(),
                        pool.timeoutMs(),
                        pool.minRemainingMs(),
                        targets(
                                pool.pool(),
                                snapshot,
                                shifted,
                                health.get(pool.pool().id()),
                                now),
                        pool.edit().givesUp()),
                cache -> RungFacts.ofStatic(cache.name(), RungEdit.STALE_ANSWER),
                rules -> RungFacts.ofStatic(rules.name()),
                text -> RungFacts.ofStatic(text.name()));
    }

    private static List<TargetFacts> targets(
            CompiledPool pool, Snapshot snapshot, ShiftState shifted, PoolHealthMerged health, Instant now) {
        Map<String, Double> published = snapshot.weights().of(pool.id());
        Map<String, MergedTarget> merged = health == null
                ? Map.of()
                : health.targets().stream().collect(Collectors.toMap(MergedTarget::key, each -> each, (a, b) -> a));
        return pool.targets().stream()
                .map(target -> facts(
                        target,
                        published.getOrDefault(target.key(), 1.0)
                                * (shifted == null ? 1 : shifted.weight(pool.id(), target.key())),
                        merged.get(target.key()),
                        now))
                .toList();
    }

    private static TargetFacts facts(CompiledTarget target, double published, MergedTarget merged, Instant now) {
        return new TargetFacts(
                target.key(),
                target.weight(),
                published,
                merged == null ? 1 : merged.local(),
                breaker(merged == null ? TargetState.SERVING : merged.state()),
                merged == null ? 0 : merged.inFlight(),
                target.concurrencyMax(),
                target.concurrencyMax(),
                0,
                target.contextWindow(),
                target.maxOutputTokens(),
                target.tools(),
                target.vision(),
                target.jsonSchema(),
                target.prices().at(now).isPresent(),
                null);
    }

    private static BreakerState breaker(TargetState state) {
        return switch (state) {
            case EJECTED -> BreakerState.OPEN;
            case PROBING -> BreakerState.HALF_OPEN;
            case SERVING, SLOW, WARMING, DRAINED -> BreakerState.CLOSED;
        };
    }

    private static PlannedRoute described(List<CompiledRung> ladder, RouteInput input, RoutePlan plan) {
        List<Candidate> candidates = new ArrayList<>();
        for (int rung = 0; rung < ladder.size(); rung++) {
            RungFacts facts = input.ladder().get(rung);
            int index = rung;
            List<Excluded> out = plan.excluded().stream()
                    .filter(each -> each.rung() == index)
                    .toList();
            ladder.get(rung)
                    .fold(
                            pool -> candidates.addAll(ofPool(pool, facts, input, out)),
                            cache -> candidates.add(ofStatic(
                                    cache.name(), "cache", "answers where an equal request was answered before", out)),
                            rules -> candidates.add(
                                    ofStatic(rules.name(), "rules", "answers where keywords are in the question", out)),
                            text -> candidates.add(ofStatic(
                                    text.name(), "text", "a text written by people, which always answers", out)));
        }
        String refused = plan.refused() == null
                ? null
                : plan.refused().code() + ": "
                        + plan.excluded().stream()
                                .map(each -> each.reason().text())
                                .distinct()
                                .collect(Collectors.joining("; "));
        return new PlannedRoute(candidates, refused);
    }

    private static Candidate ofStatic(String step, String kind, String words, List<Excluded> out) {
        return out.isEmpty()
                ? new Candidate(step, OWN, kind, 1, List.of(words))
                : new Candidate(step, OWN, kind, 0, List.of(out.get(0).reason().text()));
    }

    private static List<Candidate> ofPool(
            CompiledRung.Pool rung, RungFacts facts, RouteInput input, List<Excluded> out) {
        double[] first = RouteDecider.probabilities(input.request(), facts.targets(), input.budget() != null);
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < first.length; i++) {
            int index = i;
            List<String> reasons = out.stream()
                    .filter(each -> each.target() == index || each.target() < 0)
                    .map(each -> each.reason().text())
                    .toList();
            CompiledTarget target = rung.pool().targets().get(i);
            candidates.add(new Candidate(
                    rung.name(),
                    target.provider().id(),
                    target.model().id(),
                    reasons.isEmpty() ? first[i] : 0,
                    reasons.isEmpty() ? List.of(words(facts.targets().get(i))) : reasons));
        }
        return candidates;
    }

    private static String words(TargetFacts target) {
        return String.format(
                Locale.ROOT,
                "weight %d × published health %.2f × local health %.2f, %d of %d calls in flight",
                target.weight(),
                target.published(),
                target.local(),
                target.inFlight(),
                target.concurrencyMax());
    }
}
