package io.sluice.tenants;

import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.context.ContextDecider;
import io.sluice.tenants.context.ContextInput;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.ContextRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.Degradation;
import io.sluice.tenants.decision.LimitRecord;
import io.sluice.tenants.decision.PromptRecord;
import io.sluice.tenants.decision.QueueWait;
import io.sluice.tenants.decision.RecallRecord;
import io.sluice.tenants.decision.Uncovered;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.FaultDecider;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.fault.FaultOdds;
import io.sluice.tenants.limit.LimitDecider;
import io.sluice.tenants.limit.LimitFacts;
import io.sluice.tenants.limit.LimitInput;
import io.sluice.tenants.limit.LimitKind;
import io.sluice.tenants.limit.LimitLevel;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.money.Vocabulary;
import io.sluice.tenants.recall.CacheDecider;
import io.sluice.tenants.recall.IdempotencyDecider;
import io.sluice.tenants.routing.AttemptDecider;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.BudgetFacts;
import io.sluice.tenants.routing.QueueDecider;
import io.sluice.tenants.routing.RequestFacts;
import io.sluice.tenants.routing.RouteDecider;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RoutePlan;
import io.sluice.tenants.routing.RungEdit;
import io.sluice.tenants.routing.RungFacts;
import io.sluice.tenants.routing.StartInput;
import io.sluice.tenants.routing.TargetFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes inputs of decisions and records of decided requests. */
public final class RandomDecision {
    private final SplittableRandom random;
    private final RandomConfig config;

    public RandomDecision(SplittableRandom random) {
        this.random = random;
        config = new RandomConfig(random);
    }

    public RouteInput routeInput() {
        List<RungFacts> ladder = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            ladder.add(rung("rung" + i));
        }
        return new RouteInput(
                random.nextLong(1_000_000),
                random.nextLong(1_000_000),
                config.text(),
                config.oneOf(RequestKind.READ, RequestKind.READ, RequestKind.WRITE, RequestKind.COMPLIANCE),
                requestFacts(),
                random.nextLong(),
                ladder);
    }

    /** The same, of a request that switches and drills may send down. */
    public RouteInput started(RouteInput input) {
        return new RouteInput(
                input.epoch(),
                input.weightsRevision(),
                input.scenario(),
                input.kind(),
                input.request(),
                input.seed(),
                input.ladder(),
                config.orNull(this::startInput),
                config.orNull(this::budget));
    }

    private BudgetFacts budget() {
        BudgetBand band = config.oneOf(BudgetBand.values());
        return new BudgetFacts(
                band,
                band == BudgetBand.NORMAL ? null : "day-tenant",
                config.oneOf(AtExhaustion.values()),
                random.nextBoolean(),
                random.nextInt(4) == 0,
                config.orNull(() -> config.oneOf(Tier.values())));
    }

    private StartInput startInput() {
        List<StartInput.ActiveSwitch> switches = new ArrayList<>();
        List<StartInput.RunningDrill> drills = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            switches.add(new StartInput.ActiveSwitch("switch" + i, random.nextInt(5), random.nextInt(200)));
            drills.add(new StartInput.RunningDrill(
                    "drill" + i,
                    random.nextInt(5),
                    config.oneOf(0.5, 1.0),
                    random.nextDouble(),
                    random.nextInt(200),
                    random.nextInt(200)));
        }
        return new StartInput(
                100,
                switches,
                drills,
                config.orNull(() -> new StartInput.RunningShift(
                        1 + random.nextInt(3), config.oneOf(0.25, 1.0), random.nextDouble(), random.nextLong(1_000))));
    }

    public RequestFacts requestFacts() {
        return new RequestFacts(
                config.text(),
                random.nextInt(2_000),
                random.nextInt(5_000),
                random.nextBoolean(),
                random.nextInt(5) == 0,
                random.nextInt(5) == 0,
                random.nextInt(5) == 0,
                random.nextInt(5) == 0,
                random.nextInt(5) == 0);
    }

    private RungFacts rung(String step) {
        if (random.nextInt(4) == 0) {
            return RungFacts.ofStatic(step);
        }
        List<TargetFacts> targets = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            targets.add(target("provider/model" + i));
        }
        return new RungFacts(
                step,
                "t|pool",
                config.oneOf(Tier.values()),
                random.nextInt(10_000),
                random.nextInt(1_000),
                targets,
                random.nextBoolean() ? List.of() : List.of(RungEdit.SHORTER_ANSWER, RungEdit.FEWER_EXAMPLES));
    }

    public TargetFacts target(String key) {
        return new TargetFacts(
                key,
                random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(1_000),
                share(),
                share(),
                config.oneOf(
                        BreakerState.CLOSED,
                        BreakerState.CLOSED,
                        BreakerState.HALF_OPEN,
                        BreakerState.OPEN,
                        BreakerState.RETURNING),
                random.nextInt(20),
                30,
                10 + random.nextInt(20),
                random.nextInt(5) == 0 ? random.nextInt(60_000) : 0,
                config.oneOf(1_000, 128_000),
                random.nextInt(4_096),
                random.nextInt(4) != 0,
                random.nextInt(4) != 0,
                random.nextInt(4) != 0,
                random.nextInt(8) != 0,
                random.nextInt(4) == 0 ? (Integer) random.nextInt(2_000) : null);
    }

    private double share() {
        return random.nextInt(3) == 0 ? 1 : random.nextDouble();
    }

    public AttemptDecider.Input attemptInput() {
        return new AttemptDecider.Input(
                config.oneOf(FailureClass.values()),
                random.nextInt(5) == 0,
                1 + random.nextInt(5),
                1 + random.nextInt(5),
                random.nextInt(3),
                random.nextInt(11_000) - 1_000,
                random.nextInt(1_000),
                random.nextInt(2_000),
                random.nextBoolean(),
                random.nextInt(2_000) - 1,
                random.nextInt(4),
                random.nextBoolean(),
                random.nextInt(5) != 0,
                random.nextInt(4) != 0,
                random.nextInt(4) != 0);
    }

    public DecisionRecord record() {
        RouteInput input = started(routeInput());
        String traceId = String.format("%016x%016x", random.nextLong(), random.nextLong());
        List<AttemptRecord> attempts = new ArrayList<>();
        for (int n = 1 + random.nextInt(4); n > 0; n--) {
            attempts.add(attempt(traceId, attempts.size() + 1));
        }
        RoutePlan plan = RouteDecider.decide(input);
        List<QueueWait> waits = random.nextInt(3) == 0 ? List.of(queueWait()) : List.of();
        Uncovered uncovered = config.orNull(() -> new Uncovered("day-tenant", config.money()));
        Degradation degraded = random.nextBoolean()
                ? null
                : new Degradation(
                        Degradation.reason(plan, attempts, waits, uncovered),
                        random.nextBoolean() ? List.of() : List.of(RungEdit.SHORTER_ANSWER),
                        List.of());
        return new DecisionRecord(
                traceId,
                config.instant(),
                new TenantId("acme"),
                "app",
                "key",
                config.text(),
                config.orNull(config::text),
                config.orNull(config::text),
                config.oneOf("ok", "incomplete", "client_abort", "upstream_failed"),
                config.oneOf(200, 502, 504),
                millis(),
                random.nextLong(1_000_000),
                config.orNull(config::money),
                input,
                plan,
                attempts,
                config.orNull(this::recall),
                config.oneOf(Lane.values()),
                waits,
                degraded,
                config.orNull(this::limits),
                uncovered,
                config.orNull(this::context),
                config.orNull(this::prompt));
    }

    private PromptRecord prompt() {
        return new PromptRecord(
                random.nextInt(100_000),
                List.of(new PromptRecord.Count(config.oneOf(Vocabulary.values()), random.nextInt(100_000))),
                List.of(config.oneOf(PromptRecord.Use.values())));
    }

    private ContextRecord context() {
        List<Long> turns = new ArrayList<>();
        long bytes = random.nextInt(5_000);
        for (int i = random.nextInt(1, 30); i > 0; i--) {
            turns.add(random.nextLong(3_000));
            bytes += turns.get(turns.size() - 1);
        }
        ContextInput input = new ContextInput(random.nextInt(12), random.nextLong(40_000), bytes, turns);
        return new ContextRecord(input, ContextDecider.decide(input));
    }

    private LimitRecord limits() {
        List<LimitFacts> facts = new ArrayList<>();
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            int limit = 1 + random.nextInt(1_000);
            facts.add(new LimitFacts(
                    config.oneOf(LimitLevel.values()),
                    config.oneOf(LimitKind.values()),
                    limit,
                    limit,
                    random.nextInt(limit + 100) - 100,
                    random.nextInt(2) * 500L));
        }
        LimitInput input = new LimitInput(random.nextInt(100), facts);
        return LimitDecider.decide(input) == null
                ? new LimitRecord(input, random.nextInt(200))
                : new LimitRecord(new LimitInput(input.tokens(), List.of()), 0);
    }

    public QueueDecider.Input queueInput() {
        return new QueueDecider.Input(
                config.oneOf(Lane.values()),
                random.nextInt(70_000) - 1_000,
                random.nextInt(2_000),
                random.nextInt(500),
                random.nextInt(500));
    }

    private QueueWait queueWait() {
        QueueDecider.Input input = queueInput();
        return new QueueWait(
                random.nextInt(4),
                config.text(),
                random.nextInt(4) - 1,
                millis(),
                millis(),
                config.oneOf(QueueWait.End.values()),
                input,
                QueueDecider.decide(input));
    }

    private RecallRecord recall() {
        IdempotencyDecider.Input input = new IdempotencyDecider.Input(
                config.oneOf(IdempotencyDecider.Standing.values()),
                random.nextBoolean(),
                config.oneOf(RequestKind.values()),
                random.nextBoolean());
        IdempotencyDecider.End end = new IdempotencyDecider.End(
                random.nextBoolean(), random.nextBoolean(), random.nextBoolean(), input.kind(), random.nextBoolean());
        CacheDecider.Input cache = config.orNull(() -> new CacheDecider.Input(
                random.nextInt(3) * 1_000L,
                input.kind(),
                random.nextBoolean(),
                1 + random.nextInt(2),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextInt(4_000) - 1));
        boolean began = IdempotencyDecider.decide(input).begins();
        return new RecallRecord(
                input,
                IdempotencyDecider.decide(input),
                began ? end : null,
                began ? IdempotencyDecider.end(end) : null,
                cache,
                cache == null ? null : CacheDecider.decide(cache),
                cache == null ? null : config.orNull(() -> stale(cache)),
                config.orNull(config::text));
    }

    private RecallRecord.Stale stale(CacheDecider.Input cache) {
        long maxAgeMs = random.nextInt(5_000);
        return new RecallRecord.Stale(maxAgeMs, CacheDecider.mayAnswerStale(cache, maxAgeMs));
    }

    private AttemptRecord attempt(String traceId, int n) {
        AttemptDecider.Input next = config.orNull(this::attemptInput);
        return new AttemptRecord(
                n,
                random.nextInt(4),
                random.nextInt(4) - 1,
                config.text(),
                "provider",
                "model",
                next == null ? null : next.failure(),
                next == null ? 200 : random.nextInt(600),
                random.nextBoolean(),
                config.orNull(config::text),
                millis(),
                random.nextBoolean() ? -1 : millis(),
                millis(),
                new TokenUsage(
                                random.nextInt(9_999),
                                random.nextInt(9),
                                0,
                                random.nextInt(999),
                                0,
                                random.nextBoolean())
                        .withServerToolCalls(random.nextInt(3)),
                config.orNull(config::money),
                next,
                next == null ? null : AttemptDecider.decide(next),
                config.orNull(() -> fault(traceId, n)),
                config.orNull(config::text),
                random.nextBoolean() ? null : "flex");
    }

    private FaultDraw fault(String traceId, int n) {
        List<FaultOdds> odds =
                List.of(new FaultOdds("a", random.nextDouble()), new FaultOdds("b", random.nextDouble()));
        String struck = FaultDecider.struck(odds, traceId, n);
        return new FaultDraw(odds, struck, struck == null ? null : config.oneOf(FaultKind.values()));
    }

    private double millis() {
        return random.nextInt(4) == 0 ? random.nextInt(100) : random.nextDouble() * 60_000;
    }
}
