package io.sluice.data.decision;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.AttemptDecider;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.RequestFacts;
import io.sluice.tenants.routing.RouteDecider;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RungFacts;
import io.sluice.tenants.routing.TargetFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Decision records as the request path makes them: every decision is what the deciders say. */
final class SampleRecords {
    static final TenantId T1 = new TenantId("t1");
    static final TenantId T2 = new TenantId("t2");

    private SampleRecords() {}

    /** A trace id that tells its number. */
    static String trace(int n) {
        return String.format("%032x", n + 1);
    }

    /** A record of fixed content. */
    static DecisionRecord record(TenantId tenant, int n, String scenario, String outcome) {
        return make(tenant, trace(n), scenario, outcome, Instant.ofEpochSecond(1_700_000_000L + n), new Random(n));
    }

    /** A record of random content with consistent decisions. */
    static DecisionRecord make(
            TenantId tenant, String traceId, String scenario, String outcome, Instant at, Random random) {
        List<RungFacts> ladder = new ArrayList<>();
        for (int rung = 0; rung <= random.nextInt(3); rung++) {
            ladder.add(rung(rung, random));
        }
        if (random.nextBoolean()) {
            ladder.add(new RungFacts("text", null, 0, 0, List.of()));
        }
        RouteInput input = new RouteInput(
                random.nextInt(100),
                random.nextInt(100),
                scenario,
                oneOf(random, RequestKind.values()),
                new RequestFacts(
                        "auto",
                        random.nextInt(9_000),
                        random.nextInt(2_000),
                        random.nextBoolean(),
                        random.nextInt(4) == 0,
                        random.nextInt(8) == 0,
                        random.nextInt(4) == 0,
                        random.nextInt(8) == 0),
                random.nextLong(),
                ladder);
        List<AttemptRecord> attempts = new ArrayList<>();
        for (int n = 1; n <= random.nextInt(4); n++) {
            attempts.add(attempt(n, random));
        }
        return new DecisionRecord(
                traceId,
                at,
                tenant,
                "app",
                "key",
                scenario,
                random.nextBoolean() ? "rung0" : null,
                random.nextBoolean() ? "p/m" : null,
                outcome,
                200,
                random.nextDouble() * 1_000,
                random.nextInt(5_000),
                random.nextBoolean() ? Money.of("0.000123") : null,
                input,
                RouteDecider.decide(input),
                attempts,
                null,
                oneOf(random, Lane.values()),
                List.of(),
                null,
                null,
                null,
                null,
                null);
    }

    private static RungFacts rung(int rung, Random random) {
        List<TargetFacts> targets = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            targets.add(new TargetFacts(
                    "p" + i + "/m",
                    random.nextInt(1_000),
                    random.nextDouble(),
                    random.nextDouble(),
                    oneOf(random, BreakerState.values()),
                    random.nextInt(12),
                    10,
                    10,
                    random.nextInt(20_000),
                    4_096,
                    random.nextBoolean(),
                    random.nextBoolean(),
                    random.nextBoolean()));
        }
        return new RungFacts("rung" + rung, "t1/pool" + rung, 0, 200, targets);
    }

    private static <T> T oneOf(Random random, T[] values) {
        return values[random.nextInt(values.length)];
    }

    private static AttemptRecord attempt(int n, Random random) {
        FailureClass failure = oneOf(random, FailureClass.values());
        AttemptDecider.Input input = new AttemptDecider.Input(
                failure,
                random.nextInt(5) == 0,
                n,
                4,
                random.nextInt(3),
                random.nextInt(10_000),
                random.nextInt(3_000),
                200,
                random.nextBoolean(),
                random.nextInt(3) - 1,
                random.nextInt(3),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean());
        return new AttemptRecord(
                n,
                0,
                0,
                "rung0",
                "p",
                "m",
                failure,
                503,
                true,
                "überlastet \"\n\u2028",
                random.nextDouble() * 100,
                -1,
                random.nextDouble() * 100,
                new TokenUsage(1, 2, 3, 4, 5, true),
                Money.of("0.1"),
                input,
                AttemptDecider.decide(input),
                null,
                null,
                null);
    }
}
