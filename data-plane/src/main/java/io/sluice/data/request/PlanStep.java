package io.sluice.data.request;

import io.sluice.data.limit.UpstreamQuotas;
import io.sluice.data.money.BandBoard;
import io.sluice.data.pool.PoolGauges;
import io.sluice.data.pool.Pools;
import io.sluice.data.pool.TargetGauge;
import io.sluice.plugins.api.chat.ChatFacts;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.BudgetFacts;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledScenario;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.RequestFacts;
import io.sluice.tenants.routing.RouteDecider;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RungEdit;
import io.sluice.tenants.routing.RungFacts;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.routing.StartDecider;
import io.sluice.tenants.routing.StartInput;
import io.sluice.tenants.routing.StartInput.RunningShift;
import io.sluice.tenants.routing.TargetFacts;
import io.sluice.tenants.shift.ShiftState;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/** Copies the live figures of every target of the ladder and lets {@link RouteDecider} order them. */
public final class PlanStep {
    private final Pools pools;
    private final UpstreamQuotas quotas;
    private final BandBoard bands;
    private final CapBook caps;
    private final CountStep counts;

    PlanStep(Pools pools, UpstreamQuotas quotas, BandBoard bands, CapBook caps, CountStep counts) {
        this.pools = pools;
        this.quotas = quotas;
        this.bands = bands;
        this.caps = caps;
        this.counts = counts;
    }

    /** Goes on with the plan; with another one, where a model is only left out because its window seems too small by estimate. */
    <T> Future<T> plan(Identified identified, Function<Planned, Future<T>> next) {
        Planned planned = plan(identified);
        return CountStep.mayFit(planned)
                ? counts.forWindows(planned).compose(any -> next.apply(plan(identified)))
                : next.apply(planned);
    }

    /** The plan; it may hold no candidate, then it says why. */
    public Planned plan(Identified identified) {
        Snapshot snapshot = identified.arrival().snapshot();
        BudgetFacts budget = bands.of(identified.scenario(), caps.of(identified));
        ShiftState shifted = snapshot.shifts()
                .of(identified.caller().tenant().id(), identified.scenario().name());
        List<RungFacts> ladder = new ArrayList<>(identified.ladder().size());
        for (CompiledRung rung : identified.ladder()) {
            ladder.add(rung.fold(
                    pool -> facts(identified, pool, budget != null, shifted),
                    cache -> RungFacts.ofStatic(cache.name(), RungEdit.STALE_ANSWER),
                    rules -> RungFacts.ofStatic(rules.name()),
                    text -> RungFacts.ofStatic(text.name())));
        }
        ChatFacts chat = identified.chat().facts();
        RouteInput input = new RouteInput(
                snapshot.epoch(),
                snapshot.weights().revision(),
                identified.scenario().name(),
                identified.kind(),
                new RequestFacts(
                        chat.model(),
                        chat.promptTokens(),
                        chat.maxTokens(),
                        chat.streamed(),
                        chat.tools(),
                        chat.images() > 0,
                        chat.jsonSchema(),
                        chat.structured() || chat.choices() > 1,
                        chat.continuesTools()),
                ThreadLocalRandom.current().nextLong(),
                ladder,
                start(identified, shifted),
                budget);
        return new Planned(identified, input, RouteDecider.decide(input));
    }

    private static boolean priced(CompiledTarget target, Identified identified) {
        return target.prices().at(identified.arrival().at()).isPresent();
    }

    /** Who names a pool has chosen it: only a ladder can be gone down. */
    private static StartInput start(Identified identified, ShiftState shifted) {
        Arrival arrival = identified.arrival();
        return identified.chat().facts().model().equals(ScenarioStep.AUTO)
                ? identified.scenario().start().at(arrival.at(), arrival.traceId(), shift(identified, shifted))
                : null;
    }

    /** An open exchange with a tool stays with its model. */
    private static RunningShift shift(Identified identified, ShiftState shifted) {
        if (shifted == null || identified.chat().facts().continuesTools()) {
            return null;
        }
        CompiledScenario scenario = identified.scenario();
        return scenario.shift(shifted, StartDecider.unit(identified.arrival().traceId(), "shift/" + scenario.name()));
    }

    /** What a call of {@code target} is expected to use of its account's tokens. */
    static long tokens(Identified identified, CompiledTarget target) {
        ChatFacts chat = identified.chat().facts();
        return UpstreamQuotas.expected(target, chat.promptTokens(), chat.choices(), chat.maxTokens());
    }

    private RungFacts facts(Identified identified, CompiledRung.Pool rung, boolean capped, ShiftState shifted) {
        Snapshot snapshot = identified.arrival().snapshot();
        CompiledPool pool = rung.pool();
        Map<String, Double> published = snapshot.weights().of(pool.id());
        PoolGauges gauges = pools.gauges(pool.id());
        gauges.used(pool, pools.nowMs());
        List<TargetFacts> targets = new ArrayList<>(pool.targets().size());
        String returning = null;
        boolean asked = false;
        for (CompiledTarget target : pool.targets()) {
            TargetGauge gauge = gauges.of(target.key());
            BreakerState breaker = gauge.breaker();
            if (breaker == BreakerState.OPEN && !asked) {
                asked = true;
                returning = gauges.returning(pool);
            }
            targets.add(new TargetFacts(
                    target.key(),
                    target.weight(),
                    published.getOrDefault(target.key(), 1.0)
                            * (shifted == null ? 1 : shifted.weight(pool.id(), target.key())),
                    gauge.local(),
                    breaker == BreakerState.OPEN && target.key().equals(returning) ? BreakerState.RETURNING : breaker,
                    gauge.inFlight(),
                    target.concurrencyMax(),
                    gauge.limit(target.concurrencyMax(), identified.lane()),
                    quotas.untilQuotaMs(target, tokens(identified, target)),
                    target.contextWindow(),
                    target.maxOutputTokens(),
                    target.tools(),
                    target.vision(),
                    target.jsonSchema(),
                    !capped || priced(target, identified),
                    identified
                            .prompt()
                            .tokens(target.nameUpstream(), identified.chat().facts())));
        }
        return new RungFacts(
                rung.name(),
                pool.id().key(),
                pool.tier(),
                rung.timeoutMs(),
                rung.minRemainingMs(),
                targets,
                rung.edit().givesUp());
    }
}
