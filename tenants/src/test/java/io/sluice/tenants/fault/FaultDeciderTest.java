package io.sluice.tenants.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FaultDeciderTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final FaultDecider.Attempt ATTEMPT = new FaultDecider.Attempt("chat", "std", "sim", "small");
    private static final long NOW_MS = 1_000;

    @Test
    void aRuleWithoutFiltersStrikesEveryAttempt() {
        FaultDraw draw = draw(rule("all", null, null, null, null, 1, 0, 2_000));

        assertThat(draw).isEqualTo(new FaultDraw(List.of(new FaultOdds("all", 1)), "all", FaultKind.HANG));
    }

    @Test
    void aRuleWhoseFiltersAllHoldStrikes() {
        assertThat(draw(rule("r", "chat", "std", "sim", "small", 1, 0, 2_000)).struck())
                .isEqualTo("r");
    }

    @Test
    void aRuleForAnotherScenarioPoolProviderOrModelDoesNotApply() {
        assertThat(draw(rule("s", "other", null, null, null, 1, 0, 2_000))).isNull();
        assertThat(draw(rule("p", null, "other", null, null, 1, 0, 2_000))).isNull();
        assertThat(draw(rule("q", null, null, "other", null, 1, 0, 2_000))).isNull();
        assertThat(draw(rule("m", null, null, null, "other", 1, 0, 2_000))).isNull();
    }

    @Test
    void aRuleBeginsAtItsStartAndIsOverAtItsEndByTheClockThatIsGiven() {
        CompiledFaults faults = new CompiledFaults(List.of(rule("r", null, null, null, null, 1, 1_000, 2_000)));

        assertThat(FaultDecider.draw(faults, ATTEMPT, TRACE, 1, 999)).isNull();
        assertThat(FaultDecider.draw(faults, ATTEMPT, TRACE, 1, 1_000)).isNotNull();
        assertThat(FaultDecider.draw(faults, ATTEMPT, TRACE, 1, 1_999)).isNotNull();
        assertThat(FaultDecider.draw(faults, ATTEMPT, TRACE, 1, 2_000)).isNull();
    }

    @Test
    void aRuleThatIsOverHidesNoneThatRuns() {
        FaultDraw draw = draw(
                rule("over", null, null, null, null, 1, 0, 1_000), rule("runs", null, null, null, null, 1, 0, 2_000));

        assertThat(draw.struck()).isEqualTo("runs");
    }

    @Test
    void ofTwoThatStrikeTheOneThatEndsLastWins() {
        FaultDraw draw = draw(
                rule("short", null, null, null, null, 1, 0, 2_000), rule("long", null, null, null, null, 1, 0, 3_000));

        assertThat(draw.struck()).isEqualTo("long");
        assertThat(draw.odds()).extracting(FaultOdds::rule).containsExactly("long", "short");
    }

    @Test
    void anAttemptThatIsSparedIsToldWithTheOddsItHad() {
        FaultDraw draw = draw(rule("rare", null, null, null, null, Double.MIN_VALUE, 0, 2_000));

        assertThat(draw).isEqualTo(new FaultDraw(List.of(new FaultOdds("rare", Double.MIN_VALUE)), null, null));
    }

    @Test
    void onlyFaultsThatShowBeforeAnyEventStandInForTheProvider() {
        assertThat(Fault.of(FaultKind.HANG).standsIn()).isTrue();
        assertThat(new Fault(FaultKind.HANG, 0, 0, 2).standsIn()).isFalse();
        assertThat(Fault.of(FaultKind.RATE_LIMIT).standsIn()).isTrue();
        assertThat(Fault.of(FaultKind.CUT).standsIn()).isFalse();
    }

    private static FaultDraw draw(CompiledFaultRule... rules) {
        return FaultDecider.draw(new CompiledFaults(List.of(rules)), ATTEMPT, TRACE, 1, NOW_MS);
    }

    private static CompiledFaultRule rule(
            String id,
            String scenario,
            String pool,
            String provider,
            String model,
            double share,
            long startsAtMs,
            long endsAtMs) {
        return new CompiledFaultRule(
                id, scenario, pool, provider, model, Fault.of(FaultKind.HANG), share, startsAtMs, endsAtMs);
    }
}
