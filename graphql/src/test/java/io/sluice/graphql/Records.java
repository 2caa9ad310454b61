package io.sluice.graphql;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.fault.FaultOdds;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.routing.AttemptDecider;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.RequestFacts;
import io.sluice.tenants.routing.RouteDecider;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RungFacts;
import io.sluice.tenants.routing.TargetFacts;
import java.util.List;

/** Decisions as the data plane makes them. */
final class Records {
    private Records() {}

    /** One failed attempt, then one that answered. */
    static DecisionRecord decision(String traceId, String tenant) {
        RouteInput input = new RouteInput(
                7,
                3,
                "chat",
                RequestKind.READ,
                new RequestFacts("auto", 120, 0, true, false, false, false, false),
                0x5EED_CAFE_F00D_1234L,
                List.of(new RungFacts("first", "acme|fast", 0, 200, List.of(target("a/m"), target("b/m")))));
        AttemptDecider.Input after = new AttemptDecider.Input(
                FailureClass.OVERLOADED, false, 1, 4, 0, 9_000, 0, 200, true, -1, 0, false, true, true, true);
        AttemptRecord failed = new AttemptRecord(
                1,
                0,
                0,
                "first",
                "a",
                "m",
                FailureClass.OVERLOADED,
                529,
                true,
                null,
                1.5,
                -1,
                40.25,
                null,
                null,
                after,
                AttemptDecider.decide(after),
                new FaultDraw(List.of(new FaultOdds("storm", 1)), "storm", FaultKind.OVERLOADED),
                null,
                null);
        AttemptRecord answered = new AttemptRecord(
                2,
                0,
                1,
                "first",
                "b",
                "m",
                null,
                200,
                true,
                null,
                42,
                80.5,
                200.5,
                null,
                Money.of("0.000036"),
                null,
                null,
                null,
                null,
                null);
        return new DecisionRecord(
                traceId,
                MemoryControlPlane.NOW,
                new TenantId(tenant),
                "app",
                "k1",
                "chat",
                "first",
                "b/m",
                "ok",
                200,
                250,
                300,
                Money.of("0.000036"),
                input,
                RouteDecider.decide(input),
                List.of(failed, answered),
                null,
                Lane.REALTIME,
                List.of(),
                null,
                null,
                null,
                null,
                null);
    }

    private static TargetFacts target(String key) {
        return new TargetFacts(key, 100, 1, 1, BreakerState.CLOSED, 0, 64, 64, 8_192, 1_024, true, false, true);
    }
}
