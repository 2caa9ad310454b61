package io.sluice.tenants.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.Seeds;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.BudgetFacts;
import io.sluice.tenants.routing.RequestFacts;
import io.sluice.tenants.routing.RouteDecider;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RoutePlan;
import io.sluice.tenants.routing.RungFacts;
import io.sluice.tenants.routing.TargetFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A day at twice the planned spend, with core, non-core and exempt scenarios and one with a floor, under the real deciders: bands
 * every ten seconds, and a ledger that refuses what the cap does not cover (show 4 of the money issue).
 */
class BudgetDaySimulationTest {
    private static final Instant OPENS = Instant.parse("2026-11-30T00:00:00Z");
    private static final int DAY_SECONDS = 86_400;
    private static final int TICK_SECONDS = 10;
    private static final long CAP_MICROS = 1_000_000_000;
    private static final BandLimits LIMITS = new BandLimits(CAP_MICROS, 700_000_000, 900_000_000);

    /** What a request costs on average by tier, micro-units: each a quarter of the one above. */
    private static final Map<Tier, Long> COST_MICROS =
            Map.of(Tier.PREMIUM, 160_000L, Tier.STANDARD, 40_000L, Tier.LIGHT, 10_000L);

    private static final RequestFacts REQUEST = new RequestFacts("auto", 10, 0, false, false, false, false, false);

    private static final Scenario ASSISTANT =
            new Scenario("assistant", 0.40, true, false, null, List.of(Tier.PREMIUM, Tier.STANDARD, Tier.LIGHT));
    private static final Scenario SUMMARY =
            new Scenario("summary", 0.35, false, false, null, List.of(Tier.PREMIUM, Tier.LIGHT));
    private static final Scenario SEARCH =
            new Scenario("search", 0.20, false, false, Tier.STANDARD, List.of(Tier.PREMIUM, Tier.STANDARD, Tier.LIGHT));
    private static final Scenario ALARM = new Scenario("alarm", 0.05, false, true, null, List.of(Tier.PREMIUM));
    private static final List<Scenario> SCENARIOS = List.of(ASSISTANT, SUMMARY, SEARCH, ALARM);

    /** A scenario of the trace: {@code share} of the demand at its usual tier, the first. */
    private record Scenario(String name, double share, boolean core, boolean exempt, Tier floor, List<Tier> tiers) {
        List<RungFacts> ladder() {
            List<RungFacts> ladder = new ArrayList<>();
            for (Tier tier : tiers) {
                TargetFacts target = new TargetFacts(
                        "p/m",
                        100,
                        1,
                        1,
                        BreakerState.CLOSED,
                        0,
                        64,
                        64,
                        0,
                        8_000,
                        1_000,
                        true,
                        true,
                        true,
                        true,
                        null);
                ladder.add(new RungFacts(tier.name(), "|" + tier, tier, 0, 200, List.of(target), null));
            }
            ladder.add(RungFacts.ofStatic("text"));
            return ladder;
        }
    }

    @Test
    void aDayAtTwiceThePlannedSpend() {
        Seeds.check(25, random -> {
            Day day = new Day(random, random.nextBoolean() ? AtExhaustion.REFUSE : AtExhaustion.DEGRADE);
            day.run();

            assertThat(day.spentMicros).isBetween(CAP_MICROS * 9 / 10, CAP_MICROS);
            assertThat(day.refused.getOrDefault(ALARM, 0)).isZero();
            assertThat(day.servedByModel.get(ALARM)).isPositive();
            assertThat(day.belowFloor).isZero();
            assertThat(day.changes).hasSizeBetween(2, 20);
            for (Instant change : day.changes) {
                Instant hourAgo = change.minusSeconds(3_600);
                assertThat(day.changes.stream().filter(each -> each.isAfter(hourAgo) && !each.isAfter(change)))
                        .hasSizeLessThanOrEqualTo(4);
            }
            assertThat(day.explanations)
                    .allSatisfy(
                            words -> assertThat(words)
                                    .matches(
                                            "(NORMAL|CONSERVE|RESTRICT|EXHAUSTED): .* of 1000 is used, .* an hour it will be .*"));
            assertThat(day.demandMicros).isBetween(CAP_MICROS * 17 / 10, CAP_MICROS * 23 / 10);
        });
    }

    @Test
    void withoutBandsTheSameDayRefusesWhatIsExempt() {
        Day day = new Day(new SplittableRandom(1), AtExhaustion.REFUSE);
        day.bandless = true;
        day.run();
        assertThat(day.refused.get(ALARM)).isPositive();
    }

    private static final class Day {
        private final SplittableRandom random;
        private final AtExhaustion wanted;
        private final Map<Scenario, List<RungFacts>> ladders = new HashMap<>();
        private final Map<Scenario, Integer> refused = new HashMap<>();
        private final Map<Scenario, Integer> servedByModel = new HashMap<>();
        private final List<Instant> changes = new ArrayList<>();
        private final List<String> explanations = new ArrayList<>();
        private boolean bandless;
        private long spentMicros;
        private long exemptMicros;
        private long demandMicros;
        private int belowFloor;
        private BandState state;
        private BurnWindow burn = BurnWindow.EMPTY;
        private BurnWindow exemptBurn = BurnWindow.EMPTY;

        Day(SplittableRandom random, AtExhaustion wanted) {
            this.random = random;
            this.wanted = wanted;
            for (Scenario each : SCENARIOS) {
                ladders.put(each, each.ladder());
            }
        }

        void run() {
            // Twice the cap in a day of usual costs, a third more at noon and a third less at night.
            double perTick = 2.0 * CAP_MICROS / COST_MICROS.get(Tier.PREMIUM) / DAY_SECONDS * TICK_SECONDS;
            for (int second = 0; second < DAY_SECONDS; second += TICK_SECONDS) {
                Instant at = OPENS.plusSeconds(second);
                decide(at);
                double load = 1 - Math.cos(2 * Math.PI * second / DAY_SECONDS) / 3;
                for (Scenario scenario : SCENARIOS) {
                    double expected = perTick * load * scenario.share;
                    int requests = (int) expected + (random.nextDouble() < expected - (int) expected ? 1 : 0);
                    for (int i = 0; i < requests; i++) {
                        request(scenario);
                    }
                }
            }
        }

        private void decide(Instant at) {
            burn = burn.next(at, spentMicros);
            exemptBurn = exemptBurn.next(at, exemptMicros);
            BandDecision decision = BandDecider.decide(new BandInput(
                    LIMITS,
                    spentMicros,
                    0,
                    burn.microsPerHour(at, spentMicros),
                    exemptBurn.microsPerHour(at, exemptMicros),
                    OPENS,
                    OPENS.plusSeconds(DAY_SECONDS),
                    at,
                    state));
            state = decision.state();
            if (decision.changed()) {
                changes.add(at);
                explanations.add(decision.explanation());
            }
        }

        private void request(Scenario scenario) {
            demandMicros += COST_MICROS.get(scenario.tiers.get(0));
            BudgetBand band = bandless ? BudgetBand.NORMAL : state.band();
            BudgetFacts budget =
                    new BudgetFacts(band, "day-tenant", wanted, scenario.core, scenario.exempt, scenario.floor);
            RoutePlan plan = RouteDecider.decide(new RouteInput(
                    1, 1, scenario.name, RequestKind.READ, REQUEST, 1, ladders.get(scenario), null, budget));
            if (plan.candidates().isEmpty()) {
                refused.merge(scenario, 1, Integer::sum);
                return;
            }
            Tier tier =
                    ladders.get(scenario).get(plan.candidates().get(0).rung()).tier();
            if (scenario.floor != null && (tier == null || tier.compareTo(scenario.floor) < 0)) {
                belowFloor++;
            }
            if (tier == null) {
                return; // a text
            }
            long worst = 2 * COST_MICROS.get(tier);
            if (spentMicros + worst > CAP_MICROS) {
                refused.merge(scenario, 1, Integer::sum);
                return;
            }
            long cost = worst / 4 + random.nextLong(worst / 2);
            spentMicros += cost;
            exemptMicros += scenario.exempt ? cost : 0;
            servedByModel.merge(scenario, 1, Integer::sum);
        }
    }
}
