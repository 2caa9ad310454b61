package io.sluice.data.seeing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.decision.QueueWait;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.limit.LimitKind;
import io.sluice.tenants.limit.LimitLevel;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The metrics of requests and attempts. A meter is made when a combination of labels is first seen and kept; after that a
 * request costs a few hash reads and additions. Labels hold only configured names, bounded by {@link Labels}. Thread-safe.
 */
public final class RequestMeters {
    /** Beyond this many tenants the others share one series; each tenant costs a few dozen series. */
    private static final int TENANTS_MAX = 200;

    /** Scenarios, steps, providers and models over all tenants. */
    private static final int NAMES_MAX = 500;

    private final MeterRegistry registry;
    private final Labels tenants = new Labels(TENANTS_MAX);
    private final Labels scenarios = new Labels(NAMES_MAX);
    private final Labels steps = new Labels(NAMES_MAX);
    private final Labels targets = new Labels(NAMES_MAX);
    private final Labels pools = new Labels(NAMES_MAX);
    private final Map<RequestKey, RequestSeries> requests = new ConcurrentHashMap<>();
    private final Map<AttemptKey, AttemptSeries> attempts = new ConcurrentHashMap<>();
    private final Map<SpendKey, SpendSeries> spends = new ConcurrentHashMap<>();
    private final Map<WaitKey, WaitSeries> waits = new ConcurrentHashMap<>();
    private final Map<String, Counter> refusals = new ConcurrentHashMap<>();
    private final Map<FaultKind, Counter> faults = new ConcurrentHashMap<>();
    private final Map<String, Counter> budgets = new ConcurrentHashMap<>();
    private final Map<String, Counter> caches = new ConcurrentHashMap<>();
    private final Map<String, Counter> idempotency = new ConcurrentHashMap<>();
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();
    private final Map<LoweredKey, Counter> lowered = new ConcurrentHashMap<>();

    private final Map<DescentKey, Counter> descents = new ConcurrentHashMap<>();
    private final Map<StaticKey, Counter> statics = new ConcurrentHashMap<>();
    private final Map<String, Counter> withoutQuota = new ConcurrentHashMap<>();
    private final Map<LimitedKey, Counter> limited = new ConcurrentHashMap<>();

    private final Map<CutKey, Counter> cuts = new ConcurrentHashMap<>();

    private record CutKey(String tenant, String scenario) {}

    private record DescentKey(String step, String reason) {}

    private record LimitedKey(String tenant, LimitLevel level, LimitKind kind) {}

    private record StaticKey(String tenant, String scenario, String kind) {}

    private record RequestKey(String tenant, String scenario, String step, String outcome) {}

    private record RequestSeries(Counter count, Timer duration) {}

    /** Hashed by hand for every attempt: a record's own way leads through method handles and costs half a percent of a request. */
    private record AttemptKey(String target, String failure, boolean first) {
        @Override
        public int hashCode() {
            return 31 * (31 * target.hashCode() + failure.hashCode()) + Boolean.hashCode(first);
        }
    }

    private record AttemptSeries(Counter count, Timer duration) {}

    private record WaitKey(Lane lane, QueueWait.End end) {}

    private record WaitSeries(Counter ended, Timer duration) {}

    private record SpendKey(String tenant, String target) {}

    private record SpendSeries(
            Counter input, Counter cached, Counter written, Counter output, Counter reasoning, Counter cost) {}

    public RequestMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** A request ended. */
    public void request(String tenant, String scenario, String step, String outcome, double durationMs) {
        RequestKey key = new RequestKey(tenants.of(tenant), scenarios.of(scenario), steps.of(step), outcome);
        RequestSeries series = requests.get(key);
        if (series == null) {
            series = requests.computeIfAbsent(key, this::requestSeries);
        }
        series.count().increment();
        series.duration().record((long) (durationMs * 1_000), TimeUnit.MICROSECONDS);
    }

    /** A lower rung answered; {@code reason} is a word of a closed list. */
    public void descended(String step, String reason, int rungs) {
        descents.computeIfAbsent(
                        new DescentKey(steps.of(step), reason),
                        made -> Counter.builder("sluice.descents")
                                .description(
                                        "Rungs that answered requests went down, by the rung that answered and why")
                                .tag("step", made.step())
                                .tag("reason", made.reason())
                                .register(registry))
                .increment(rungs);
    }

    /** A rung without a model answered; {@code kind} is that of the rung. */
    public void answeredStatically(String tenant, String scenario, String kind) {
        statics.computeIfAbsent(
                        new StaticKey(tenants.of(tenant), scenarios.of(scenario), kind),
                        made -> Counter.builder("sluice.answers.static")
                                .description("Answers that no model wrote, by kind of rung")
                                .tag("tenant", made.tenant())
                                .tag("scenario", made.scenario())
                                .tag("kind", made.kind())
                                .register(registry))
                .increment();
    }

    /** A target was not chosen because its provider's account has no quota. */
    public void withoutQuota(String target) {
        withoutQuota
                .computeIfAbsent(
                        targets.of(target),
                        made -> Counter.builder("sluice.targets.without.quota")
                                .description("Requests whose plan left a target out because its provider has no quota")
                                .tag("target", made)
                                .register(registry))
                .increment();
    }

    /** A limit kept a request out. */
    public void limited(String tenant, LimitLevel level, LimitKind kind) {
        limited.computeIfAbsent(
                        new LimitedKey(tenants.of(tenant), level, kind),
                        made -> Counter.builder("sluice.limited")
                                .description("Requests that a limit kept out, by whose limit it is and what it counts")
                                .tag("tenant", made.tenant())
                                .tag("level", made.level().name().toLowerCase(Locale.ROOT))
                                .tag("kind", made.kind().name().toLowerCase(Locale.ROOT))
                                .register(registry))
                .increment();
    }

    /** The oldest turns of a conversation were left out. */
    public void contextCut(String tenant, String scenario) {
        cuts.computeIfAbsent(
                        new CutKey(tenants.of(tenant), scenarios.of(scenario)),
                        made -> Counter.builder("sluice.context.cut")
                                .description("Requests whose models read only the newest turns of the conversation")
                                .tag("tenant", made.tenant())
                                .tag("scenario", made.scenario())
                                .register(registry))
                .increment();
    }

    private RequestSeries requestSeries(RequestKey key) {
        return new RequestSeries(
                Counter.builder("sluice.requests")
                        .description("Requests that reached a plan, by how they ended")
                        .tag("tenant", key.tenant())
                        .tag("scenario", key.scenario())
                        .tag("step", key.step())
                        .tag("outcome", key.outcome())
                        .register(registry),
                Timer.builder("sluice.request.duration")
                        .description("From the request's arrival to the end of its answer")
                        .tag("scenario", key.scenario())
                        .serviceLevelObjectives(
                                Duration.ofMillis(50),
                                Duration.ofMillis(250),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(15),
                                Duration.ofMinutes(1))
                        .register(registry));
    }

    /** An attempt ended; {@code failure} null where it succeeded. */
    public void attempt(String target, FailureClass failure, boolean first, double totalMs) {
        AttemptKey key = new AttemptKey(targets.of(target), failure == null ? "none" : failure.name(), first);
        AttemptSeries series = attempts.get(key);
        if (series == null) {
            series = attempts.computeIfAbsent(key, this::attemptSeries);
        }
        series.count().increment();
        series.duration().record((long) (totalMs * 1_000), TimeUnit.MICROSECONDS);
        if (failure != null && failure.alerts()) {
            counter("sluice.alerts", "Failures that an operator has to look at").increment();
        }
    }

    private AttemptSeries attemptSeries(AttemptKey key) {
        return new AttemptSeries(
                Counter.builder("sluice.attempts")
                        .description("Calls of upstreams, by failure class; first tells first attempts from repeats")
                        .tag("target", key.target())
                        .tag("failure", key.failure())
                        .tag("first", Boolean.toString(key.first()))
                        .register(registry),
                Timer.builder("sluice.attempt.duration")
                        .description("From the start of a call to its end")
                        .tag("target", key.target())
                        .register(registry));
    }

    /** What a request used and cost; {@code cost} null where the model has no price. */
    public void spend(String tenant, String target, TokenUsage usage, Money cost) {
        SpendKey key = new SpendKey(tenants.of(tenant), targets.of(target));
        SpendSeries series = spends.get(key);
        if (series == null) {
            series = spends.computeIfAbsent(key, this::spendSeries);
        }
        series.input().increment((double) usage.input());
        series.cached().increment((double) usage.cachedInput());
        series.written().increment((double) usage.cacheWrite());
        series.output().increment((double) usage.output());
        series.reasoning().increment((double) usage.reasoning());
        if (cost != null) {
            series.cost().increment((double) cost.micros());
        } else {
            counter("sluice.unpriced", "Attempts of models that have no price").increment();
        }
    }

    private SpendSeries spendSeries(SpendKey key) {
        return new SpendSeries(
                tokens(key, "input"),
                tokens(key, "cached_input"),
                tokens(key, "cache_write"),
                tokens(key, "output"),
                tokens(key, "reasoning"),
                Counter.builder("sluice.cost.micros")
                        .description("Cost of attempts in millionths of the tenant's currency")
                        .tag("tenant", key.tenant())
                        .tag("target", key.target())
                        .register(registry));
    }

    private Counter tokens(SpendKey key, String tokenClass) {
        return Counter.builder("sluice.tokens")
                .description("Tokens by class; the classes are disjoint")
                .tag("tenant", key.tenant())
                .tag("target", key.target())
                .tag("class", tokenClass)
                .register(registry);
    }

    /** A fault struck an attempt on purpose. */
    public void faultInjected(FaultKind kind) {
        faults.computeIfAbsent(
                        kind,
                        made -> Counter.builder("sluice.faults.injected")
                                .description("Attempts that failed, or went on otherwise, on purpose")
                                .tag("kind", made.word())
                                .register(registry))
                .increment();
    }

    /** A stay in a queue ended. */
    public void waited(Lane lane, QueueWait.End end, double waitedMs) {
        WaitSeries series = waits.computeIfAbsent(new WaitKey(lane, end), this::waitSeries);
        series.ended().increment();
        series.duration().record((long) (waitedMs * 1_000), TimeUnit.MICROSECONDS);
    }

    private WaitSeries waitSeries(WaitKey key) {
        return new WaitSeries(
                Counter.builder("sluice.queue.ended")
                        .description("Requests that left a queue, by how: served, expired, shed, full, left")
                        .tag("lane", key.lane().word())
                        .tag("end", key.end().name().toLowerCase(Locale.ROOT))
                        .register(registry),
                Timer.builder("sluice.queue.wait")
                        .description("How long requests stayed in a queue")
                        .tag("lane", key.lane().word())
                        .serviceLevelObjectives(
                                Duration.ofMillis(10),
                                Duration.ofMillis(50),
                                Duration.ofMillis(100),
                                Duration.ofMillis(250),
                                Duration.ofSeconds(1),
                                Duration.ofSeconds(10))
                        .register(registry));
    }

    /** A request was refused before it reached a plan. */
    public void refused(String code) {
        Counter counter = refusals.get(code);
        if (counter == null) {
            counter = refusals.computeIfAbsent(
                    code,
                    made -> Counter.builder("sluice.refusals")
                            .description("Requests refused before a plan was made")
                            .tag("code", made)
                            .register(registry));
        }
        counter.increment();
    }

    /** Repeats of one target within a request ended; {@code success} where one of them answered. */
    public void retried(boolean success) {
        counter(success ? "sluice.retries.succeeded" : "sluice.retries.exhausted", "Repeats of the same target")
                .increment();
    }

    /** Another target or rung than the first was tried; {@code success} where one of them answered. */
    public void fellBack(boolean success) {
        counter(success ? "sluice.fallbacks.succeeded" : "sluice.fallbacks.exhausted", "Answers of another target")
                .increment();
    }

    /** A pool's retry budget kept a request from another attempt. */
    public void retryBudgetExhausted(String pool) {
        budgets.computeIfAbsent(
                        pools.of(pool),
                        label -> Counter.builder("sluice.retry.budget.exhausted")
                                .description("Retries that a pool's retry budget did not allow")
                                .tag("pool", label)
                                .register(registry))
                .increment();
    }

    /** A request with an idempotency key was told {@code verdict}, one of a few words. */
    public void idempotency(String verdict) {
        Counter counter = idempotency.get(verdict);
        if (counter == null) {
            counter = idempotency.computeIfAbsent(
                    verdict,
                    made -> Counter.builder("sluice.idempotency")
                            .description("Requests with an idempotency key, by what became of them")
                            .tag("verdict", made)
                            .register(registry));
        }
        counter.increment();
    }

    /** A request of a scenario with a cache; {@code outcome} is hit, miss or bypass. */
    public void cache(String outcome) {
        Counter counter = caches.get(outcome);
        if (counter == null) {
            counter = caches.computeIfAbsent(
                    outcome,
                    made -> Counter.builder("sluice.cache")
                            .description("Requests of scenarios with an exact cache, by what came of it")
                            .tag("outcome", made)
                            .register(registry));
        }
        counter.increment();
    }

    /** A request ended that a degradation switch had started at a lower rung; {@code step} null where none answered. */
    public void switched(String tenant, String scenario, String step) {
        lowered("sluice.requests.switched", tenant, scenario, step, "any").increment();
    }

    /** A drilled request ended; {@code step} null where no rung of the drill answered. */
    public void drilled(String tenant, String scenario, String step, boolean answered) {
        lowered("sluice.requests.drilled", tenant, scenario, step, answered ? "ok" : "failed")
                .increment();
    }

    private record LoweredKey(String name, String tenant, String scenario, String step, String outcome) {}

    private Counter lowered(String name, String tenant, String scenario, String step, String outcome) {
        return lowered.computeIfAbsent(
                new LoweredKey(name, tenants.of(tenant), scenarios.of(scenario), steps.of(step), outcome),
                key -> Counter.builder(key.name())
                        .description("Requests that were started at a lower rung")
                        .tag("tenant", key.tenant())
                        .tag("scenario", key.scenario())
                        .tag("step", key.step())
                        .tag("outcome", key.outcome())
                        .register(registry));
    }

    private Counter counter(String name, String description) {
        Counter counter = counters.get(name);
        return counter != null
                ? counter
                : counters.computeIfAbsent(
                        name,
                        made -> Counter.builder(made).description(description).register(registry));
    }
}
