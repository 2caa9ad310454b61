package io.sluice.control.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.MergedTarget;
import io.sluice.tenants.routing.PoolWeights;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WeightPlanTest {
    private static final String NODE = "n1";
    private static final ScopedId POOL = ScopedId.platform("std");

    private static PoolHealthMerged health(double... figures) {
        List<MergedTarget> targets = new java.util.ArrayList<>();
        for (int i = 0; i < figures.length; i++) {
            targets.add(new MergedTarget("t" + i, figures[i], 1, TargetState.SERVING, 0));
        }
        return new PoolHealthMerged(POOL, Instant.EPOCH, targets, 1, 0, 0, 0, 0);
    }

    private static double weight(WeightPlan plan, String target) {
        return plan.published().of(POOL).getOrDefault(target, 1.0);
    }

    @Test
    void aHealthyPoolNeedsNoRevision() {
        assertThat(WeightPlan.fresh(0)
                        .next(NODE, List.of(health(1, 1)), 1_000)
                        .published()
                        .revision())
                .isZero();
    }

    @Test
    void aFallIsPublishedAtOnce() {
        WeightPlan plan = WeightPlan.fresh(0).next(NODE, List.of(health(1, 0.02)), 250);
        assertThat(weight(plan, "t1")).isEqualTo(0.02);
        assertThat(plan.published().revision()).isEqualTo(1);
    }

    @Test
    void aRiseTakesTenSecondsForTheWholeWay() {
        WeightPlan plan =
                WeightPlan.fresh(0).next(NODE, List.of(health(0.02)), 250).next(NODE, List.of(health(1)), 500);
        long now = 500;
        while (weight(plan, "t0") < 1 && now < 60_000) {
            double before = weight(plan, "t0");
            now += 250;
            plan = plan.next(NODE, List.of(), now);
            assertThat(weight(plan, "t0") - before).isLessThanOrEqualTo(0.0251);
        }
        assertThat(now).isBetween(9_500L, 10_750L);
    }

    @Test
    void aRiseThatLastsGoesOnWithoutNews() {
        WeightPlan plan = WeightPlan.fresh(0)
                .next(NODE, List.of(health(0.1)), 250)
                .next(NODE, List.of(health(0.5)), 500)
                .next(NODE, List.of(), 1_500);
        assertThat(weight(plan, "t0")).isCloseTo(0.1 + 0.025 + 0.1, within(1e-9));
    }

    @Test
    void aPauseIsNoCreditForALeap() {
        WeightPlan idle =
                WeightPlan.fresh(0).next(NODE, List.of(health(0.1)), 250).next(NODE, List.of(), 600_000);
        assertThat(weight(idle.next(NODE, List.of(health(1)), 600_250), "t0")).isCloseTo(0.125, within(1e-9));
    }

    @Test
    void aChangeOfLessThanAHundredthIsNotPublished() {
        WeightPlan plan = WeightPlan.fresh(0).next(NODE, List.of(health(0.5)), 250);
        WeightPlan same = plan.next(NODE, List.of(health(0.495)), 500);
        assertThat(same.published()).isEqualTo(plan.published());
    }

    @Test
    void manySmallChangesAreNotLost() {
        WeightPlan plan = WeightPlan.fresh(0).next(NODE, List.of(health(0.5)), 250);
        for (int i = 1; i <= 40; i++) {
            plan = plan.next(NODE, List.of(health(0.5 - 0.005 * i)), 250 + 250L * i);
        }
        assertThat(weight(plan, "t0")).isCloseTo(0.3, within(0.011));
    }

    @Test
    void eachPoolHasAStampOfItsOwn() {
        PoolHealthMerged other = new PoolHealthMerged(
                ScopedId.platform("other"),
                Instant.EPOCH,
                List.of(new MergedTarget("x", 0.3, 1, TargetState.SERVING, 0)),
                1,
                0,
                0,
                0,
                0);
        WeightPlan plan = WeightPlan.fresh(0).next(NODE, List.of(health(0.5), other), 250);
        assertThat(plan.published().pools().values())
                .extracting(PoolWeights::stamp)
                .containsExactly(new Stamp(1, NODE), new Stamp(1, NODE));
    }

    @Test
    void aTargetThatIsGoneHasNoWeight() {
        WeightPlan plan =
                WeightPlan.fresh(0).next(NODE, List.of(health(0.5, 0.5)), 250).next(NODE, List.of(health(0.5)), 500);
        assertThat(plan.published().of(POOL)).containsOnlyKeys("t0");
    }

    @Test
    void weightsStayBetweenFloorAndOneAndRevisionsNeverFallWhateverComes() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            WeightPlan plan = WeightPlan.fresh(0);
            long now = 0;
            for (int step = 0; step < 200; step++) {
                now += random.nextInt(2_000);
                long revision = plan.published().revision();
                plan = random.nextBoolean()
                        ? plan.next(NODE, List.of(), now)
                        : plan.next(NODE, List.of(health(random.nextDouble(), random.nextDouble())), now);
                assertThat(plan.published().revision()).as("seed %d", seed).isBetween(revision, revision + 1);
                assertThat(plan.published().of(POOL).values())
                        .as("seed %d", seed)
                        .allMatch(weight -> weight >= 0 && weight <= 1);
            }
        }
    }
}
