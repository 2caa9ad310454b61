package io.sluice.tenants.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RoutePlan.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a band does to a ladder of a premium, a standard and a light pool, rules and a text. */
class BandRuleTest {
    private static final RequestFacts REQUEST = new RequestFacts("auto", 10, 0, false, false, false, false, false);
    private static final RequestFacts TOOL_RESULT =
            new RequestFacts("auto", 10, 0, false, false, false, false, false, true);
    private static final RequestFacts JSON = new RequestFacts("auto", 10, 0, false, false, false, false, true);

    private static final List<RungFacts> LADDER = List.of(
            pool("premium", Tier.PREMIUM),
            pool("standard", Tier.STANDARD),
            pool("light", Tier.LIGHT),
            RungFacts.ofStatic("rules"),
            RungFacts.ofStatic("text"));

    @ParameterizedTest
    @CsvSource({
        // band, core, exempt, floor, kind, rungs that are left
        "NORMAL,false,false,,READ,0 1 2 3 4",
        "CONSERVE,false,false,,READ,2 3 4",
        "CONSERVE,true,false,,READ,0 1 2 3 4",
        "CONSERVE,false,true,,READ,0 1 2 3 4",
        "CONSERVE,false,false,STANDARD,READ,1 2 3 4",
        "CONSERVE,false,false,PREMIUM,READ,0 1 2 3 4",
        "CONSERVE,false,false,,WRITE,0",
        "RESTRICT,false,false,,READ,3 4",
        "RESTRICT,true,false,,READ,0 1 2 3 4",
        "RESTRICT,false,true,,READ,0 1 2 3 4",
        "RESTRICT,false,false,STANDARD,READ,1 2 3 4",
        "RESTRICT,false,false,STANDARD,WRITE,0",
        "RESTRICT,true,false,,COMPLIANCE,0",
        "EXHAUSTED,true,true,,WRITE,0"
    })
    void whatIsLeftOfTheLadder(
            BudgetBand band, boolean core, boolean exempt, Tier floor, RequestKind kind, String left) {
        RoutePlan plan = plan(new BudgetFacts(band, "c", AtExhaustion.REFUSE, core, exempt, floor), kind, REQUEST);

        assertThat(plan.candidates().stream().map(Candidate::rung).map(String::valueOf))
                .containsExactly(left.split(" "));
        assertThat(plan.refused()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "RESTRICT,REFUSE,,WRITE",
        "RESTRICT,DEGRADE,,COMPLIANCE",
        "EXHAUSTED,REFUSE,,READ",
        "EXHAUSTED,REFUSE,,WRITE",
        "EXHAUSTED,DEGRADE,,WRITE",
        "EXHAUSTED,DEGRADE,LIGHT,READ"
    })
    void whatMayNotBeDegradedIsRefused(BudgetBand band, AtExhaustion wanted, Tier floor, RequestKind kind) {
        RoutePlan plan = plan(new BudgetFacts(band, "c", wanted, false, false, floor), kind, REQUEST);

        assertThat(plan.refused()).isEqualTo(Refusal.BUDGET_EXHAUSTED);
        assertThat(plan.candidates()).isEmpty();
    }

    @Test
    void aUsedUpCapThatDegradesLeavesWhatCostsNothing() {
        RoutePlan plan = plan(
                new BudgetFacts(BudgetBand.EXHAUSTED, "c", AtExhaustion.DEGRADE, true, false, null),
                RequestKind.READ,
                REQUEST);

        assertThat(plan.candidates()).extracting(Candidate::rung).containsExactly(3, 4);
        assertThat(plan.excluded())
                .containsOnly(
                        new Excluded(0, -1, Reason.BUDGET_EXHAUSTED),
                        new Excluded(1, -1, Reason.BUDGET_EXHAUSTED),
                        new Excluded(2, -1, Reason.BUDGET_EXHAUSTED));
    }

    @Test
    void aReservationThatFailedIsPlannedAgainAsIfTheCapWereUsedUp() {
        BudgetFacts normal = new BudgetFacts(BudgetBand.NORMAL, null, AtExhaustion.REFUSE, true, true, null);
        assertThat(plan(normal.exhausted("day-tenant", AtExhaustion.DEGRADE), RequestKind.READ, REQUEST)
                        .candidates())
                .extracting(Candidate::rung)
                .containsExactly(3, 4);
    }

    @ParameterizedTest
    @CsvSource({"CONSERVE,0 1 2 3 4", "RESTRICT,0 1 2 3 4"})
    void aToolCallThatIsUnderWayKeepsItsModel(BudgetBand band, String left) {
        RoutePlan plan = plan(
                new BudgetFacts(band, "c", AtExhaustion.REFUSE, false, false, null), RequestKind.READ, TOOL_RESULT);
        assertThat(plan.candidates().stream().map(Candidate::rung).map(String::valueOf))
                .containsExactly(left.split(" "));
    }

    @Test
    void whoNeedsAFormThatTextsHaveNotIsRefusedForWantOfMoney() {
        RoutePlan plan = plan(
                new BudgetFacts(BudgetBand.RESTRICT, "c", AtExhaustion.REFUSE, false, false, null),
                RequestKind.READ,
                JSON);
        assertThat(plan.refused()).isEqualTo(Refusal.BUDGET_EXHAUSTED);
    }

    @Test
    void aLadderWithoutALightPoolGoesToTheLightestItHas() {
        RouteInput input = new RouteInput(
                1,
                1,
                "s",
                RequestKind.READ,
                REQUEST,
                1,
                List.of(pool("premium", Tier.PREMIUM), pool("standard", Tier.STANDARD)),
                null,
                new BudgetFacts(BudgetBand.CONSERVE, "c", AtExhaustion.REFUSE, false, false, null));
        assertThat(RouteDecider.decide(input).candidates())
                .extracting(Candidate::rung)
                .containsExactly(1);
    }

    @Test
    void aLighterRungThatStandsBeforeTheFloorIsNotWhereTheBandLeads() {
        RouteInput input = new RouteInput(
                1,
                1,
                "s",
                RequestKind.READ,
                REQUEST,
                1,
                List.of(pool("premium", Tier.PREMIUM), pool("light", Tier.LIGHT), pool("standard", Tier.STANDARD)),
                null,
                new BudgetFacts(BudgetBand.CONSERVE, "c", AtExhaustion.REFUSE, false, false, Tier.STANDARD));
        RoutePlan plan = RouteDecider.decide(input);
        assertThat(plan.candidates()).extracting(Candidate::rung).containsExactly(2);
        assertThat(plan.excluded())
                .containsExactly(new Excluded(0, -1, Reason.BUDGET_CONSERVES), new Excluded(1, -1, Reason.BELOW_FLOOR));
    }

    /** Case US12: no spend can be bounded that nobody can count. */
    @Test
    void us12UnderACapATargetWithoutAPriceIsOut() {
        BudgetFacts normal = new BudgetFacts(BudgetBand.NORMAL, null, AtExhaustion.REFUSE, true, false, null);
        List<RungFacts> ladder =
                List.of(new RungFacts("only", "|only", Tier.LIGHT, 0, 200, List.of(target(false)), null));

        RoutePlan capped =
                RouteDecider.decide(new RouteInput(1, 1, "s", RequestKind.READ, REQUEST, 1, ladder, null, normal));
        RoutePlan free = RouteDecider.decide(new RouteInput(1, 1, "s", RequestKind.READ, REQUEST, 1, ladder));

        assertThat(capped.excluded()).containsExactly(new Excluded(0, 0, Reason.UNPRICED));
        assertThat(capped.refused()).isEqualTo(Refusal.MODEL_NOT_PRICED);
        assertThat(free.candidates()).hasSize(1);
    }

    private static RoutePlan plan(BudgetFacts budget, RequestKind kind, RequestFacts request) {
        return RouteDecider.decide(new RouteInput(1, 1, "s", kind, request, 1, LADDER, null, budget));
    }

    private static RungFacts pool(String name, Tier tier) {
        return new RungFacts(name, "|" + name, tier, 0, 200, List.of(target(true)), null);
    }

    private static TargetFacts target(boolean priced) {
        return new TargetFacts(
                "p/m", 100, 1, 1, BreakerState.CLOSED, 0, 64, 64, 0, 8_000, 1_000, true, true, true, priced, null);
    }
}
