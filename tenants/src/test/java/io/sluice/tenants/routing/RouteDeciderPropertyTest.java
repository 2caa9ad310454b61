package io.sluice.tenants.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.tenants.RandomDecision;
import io.sluice.tenants.Seeds;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouteDeciderPropertyTest {
    private static final int DRAWS = 4_000;

    /** Five standard deviations of a share of one half: one case in two million fails by chance, and the seeds are fixed. */
    private static final double BOUND = 5 * 0.5 / Math.sqrt(DRAWS);

    @Test
    void measuredSharesAreThoseThatAreAnnounced() {
        Seeds.check(60, random -> {
            RandomDecision make = new RandomDecision(random);
            RequestFacts request = make.requestFacts();
            List<TargetFacts> targets = new ArrayList<>();
            for (int i = 1 + random.nextInt(5); i > 0; i--) {
                targets.add(make.target("p/m" + i));
            }
            // who is asked because nothing else is left has no share
            targets.removeIf(target -> target.breaker() == BreakerState.RETURNING);
            double[] announced = RouteDecider.probabilities(request, targets, false);
            int[] firsts = new int[targets.size()];
            int planned = 0;
            for (int i = 0; i < DRAWS; i++) {
                List<Candidate> candidates = RouteDecider.decide(new RouteInput(
                                1, 1, "s", RequestKind.READ, request, random.nextLong(), List.of(rung(targets))))
                        .candidates();
                if (!candidates.isEmpty()) {
                    firsts[candidates.get(0).target()]++;
                    planned++;
                }
            }
            assertThat(Arrays.stream(announced).sum()).isCloseTo(planned == 0 ? 0 : 1, within(1e-9));
            for (int i = 0; i < firsts.length; i++) {
                assertThat(firsts[i] / (double) DRAWS).isCloseTo(announced[i], within(BOUND));
            }
        });
    }

    @Test
    void everyTargetIsEitherACandidateOnceOrExcludedOnce() {
        Seeds.check(20_000, random -> {
            RouteInput input = new RandomDecision(random).routeInput();
            RoutePlan plan = RouteDecider.decide(input);
            List<String> told = new ArrayList<>();
            plan.candidates().forEach(each -> told.add(each.rung() + "/" + each.target()));
            plan.excluded().forEach(each -> told.add(each.rung() + "/" + each.target()));
            assertThat(told).containsExactlyInAnyOrderElementsOf(allOf(input));
            assertThat(plan.refused() == null).isEqualTo(!plan.candidates().isEmpty());
            assertThat(plan.candidates()).isSortedAccordingTo((a, b) -> Integer.compare(a.rung(), b.rung()));
            assertThat(plan.excluded()).extracting(Excluded::reason).doesNotContainNull();
        });
    }

    private static List<String> allOf(RouteInput input) {
        List<String> all = new ArrayList<>();
        for (int rung = 0; rung < input.ladder().size(); rung++) {
            RungFacts facts = input.ladder().get(rung);
            if (facts.pool() == null || (rung > 0 && !input.kind().mayDescend())) {
                all.add(rung + "/-1");
            } else {
                for (int target = 0; target < facts.targets().size(); target++) {
                    all.add(rung + "/" + target);
                }
            }
        }
        return all;
    }

    private static RungFacts rung(List<TargetFacts> targets) {
        return new RungFacts("pool", "|pool", 0, 200, targets);
    }
}
