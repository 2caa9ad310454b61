package io.sluice.control.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.BusMessage.PoolReported;
import io.sluice.tenants.message.MergedTarget;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolMergerTest {
    private static final ScopedId POOL = ScopedId.platform("std");

    private static PoolReported report(String node, TargetWindow... windows) {
        return queued(node, 0, windows);
    }

    private static PoolReported queued(String node, int queued, TargetWindow... windows) {
        return new PoolReported(POOL, node, 0, List.of(windows), queued);
    }

    private static TargetWindow inFlight(String key, int calls, TargetState state) {
        return Windows.window(key, 1, Map.of(), 10, calls, state);
    }

    @Test
    void whatWaitsOnAllNodesIsAddedUp() {
        PoolMerger merger = PoolMerger.of(POOL).next(queued("a", 3), 1_000).next(queued("b", 4), 1_000);

        assertThat(merger.merged(1_000).queued()).isEqualTo(7);
    }

    @Test
    void whatWaitedOnASilentNodeWaitsNoMore() {
        PoolMerger merger = PoolMerger.of(POOL).next(queued("a", 3), 0).next(queued("b", 4), 6_000);

        assertThat(merger.merged(6_000).queued()).isEqualTo(4);
    }

    @Test
    void aPoolNobodySpokeOfHasNoTargets() {
        assertThat(PoolMerger.of(POOL).merged(0).targets()).isEmpty();
        assertThat(PoolMerger.of(POOL).merged(0).usableAnswerRate()).isEqualTo(1);
    }

    @Test
    void callsInFlightAddUpOverNodes() {
        PoolHealthMerged merged = PoolMerger.of(POOL)
                .next(report("a", inFlight("t", 2, TargetState.SERVING)), 0)
                .next(report("b", inFlight("t", 3, TargetState.SERVING)), 0)
                .merged(0);
        assertThat(merged.targets()).extracting(MergedTarget::inFlight).containsExactly(5);
        assertThat(merged.inFlight()).isEqualTo(5);
    }

    @Test
    void aNewReportOfANodeReplacesItsOldOne() {
        PoolMerger merger = PoolMerger.of(POOL)
                .next(report("a", inFlight("t", 2, TargetState.SERVING)), 0)
                .next(report("a", inFlight("t", 0, TargetState.SERVING)), 1_000);
        assertThat(merger.merged(1_000).inFlight()).isZero();
    }

    @Test
    void aNodeThatFellSilentHoldsNoCalls() {
        PoolMerger merger = PoolMerger.of(POOL).next(report("a", inFlight("t", 2, TargetState.SERVING)), 0);
        assertThat(merger.merged(5_001).inFlight()).isZero();
    }

    @Test
    void whatNodesTakeOffIsTheMeanOverThem() {
        PoolHealthMerged merged = PoolMerger.of(POOL)
                .next(report("a", Windows.reduced("t", 0.2)), 0)
                .next(report("b", Windows.reduced("t", 0.6)), 0)
                .merged(0);
        assertThat(merged.targets().get(0).local()).isCloseTo(0.4, within(1e-9));
    }

    @Test
    void aNodeThatFellSilentTakesNothingOff() {
        PoolMerger merger = PoolMerger.of(POOL).next(report("a", Windows.reduced("t", 0.2)), 0);
        assertThat(merger.merged(5_001).targets().get(0).local()).isEqualTo(1);
    }

    @Test
    void theGravestStateOfAnyNodeIsShown() {
        PoolHealthMerged merged = PoolMerger.of(POOL)
                .next(report("a", inFlight("t", 0, TargetState.SERVING)), 0)
                .next(report("b", inFlight("t", 0, TargetState.EJECTED)), 0)
                .merged(0);
        assertThat(merged.targets()).extracting(MergedTarget::state).containsExactly(TargetState.EJECTED);
    }

    @Test
    void aTargetAtTheFloorIsEjectedWhateverNodesThink() {
        PoolHealthMerged merged = PoolMerger.of(POOL)
                .next(report("a", Windows.failing("t", FailureClass.NETWORK, 50)), 0)
                .merged(0);
        assertThat(merged.targets()).extracting(MergedTarget::state).containsExactly(TargetState.EJECTED);
    }

    @Test
    void theUsableAnswerRateIsThatOfAllTargets() {
        PoolHealthMerged merged = PoolMerger.of(POOL)
                .next(report("a", Windows.usable("t", 30, 100), Windows.failing("u", FailureClass.SEMANTIC, 10)), 0)
                .merged(0);
        assertThat(merged.usableAnswerRate()).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void latenciesOfAllTargetsGiveThePoolsQuantiles() {
        PoolHealthMerged merged = PoolMerger.of(POOL)
                .next(report("a", Windows.usable("t", 90, 100), Windows.usable("u", 10, 4_000)), 0)
                .merged(0);
        assertThat(merged.latencyP95Ms()).isCloseTo(4_000, within(400.0));
        assertThat(merged.firstTokenP95Ms()).isCloseTo(4_000, within(400.0));
    }

    @Test
    void targetsComeInTheOrderOfTheirKeys() {
        PoolHealthMerged merged = PoolMerger.of(POOL)
                .next(report("a", Windows.usable("z", 1, 1), Windows.usable("a", 1, 1)), 0)
                .merged(0);
        assertThat(merged.targets()).extracting(MergedTarget::key).containsExactly("a", "z");
    }

    @Test
    void aTargetThatIsNoLongerConfiguredIsForgotten() {
        PoolMerger merger = PoolMerger.of(POOL)
                .next(report("a", Windows.usable("old", 1, 1)), 0)
                .next(report("a", Windows.usable("new", 1, 1)), 600_001);
        assertThat(merger.merged(600_001).targets())
                .extracting(MergedTarget::key)
                .containsExactly("new");
        assertThat(merger.silent(600_001)).isFalse();
        assertThat(merger.silent(1_200_002)).isTrue();
    }

    @Test
    void aChangeOfAHealthFigureIsToldAndARepeatIsNot() {
        List<MergedTarget> before = List.of(new MergedTarget("t", 0.5, 1, TargetState.SERVING, 1));
        assertThat(PoolMerger.differs(before, List.of(new MergedTarget("t", 0.5, 1, TargetState.SERVING, 2))))
                .isFalse();
        assertThat(PoolMerger.differs(before, List.of(new MergedTarget("t", 0.6, 1, TargetState.SERVING, 1))))
                .isTrue();
        assertThat(PoolMerger.differs(before, List.of(new MergedTarget("t", 0.5, 1, TargetState.SLOW, 1))))
                .isTrue();
        assertThat(PoolMerger.differs(before, List.of(new MergedTarget("t", 0.5, 0.8, TargetState.SERVING, 1))))
                .isTrue();
        assertThat(PoolMerger.differs(null, before)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nothingIsToldOfAPoolAtRestHoweverLongItRests(long seed) {
        Random random = new Random(seed);
        PoolMerger merger = PoolMerger.of(POOL);
        long now = 0;
        for (int second = 0; second < 120; second++) {
            now += 1_000;
            long failed = random.nextInt(3) * (long) random.nextInt(20);
            merger = merger.next(
                    report(
                            "a",
                            Windows.window(
                                    "t",
                                    random.nextInt(40),
                                    failed == 0 ? Map.of() : Map.of(FailureClass.NETWORK, failed),
                                    10 * Math.pow(2, random.nextInt(10)),
                                    1,
                                    random.nextInt(5) == 0 ? TargetState.WARMING : TargetState.SERVING)),
                    now);
        }
        assertThat(PoolMerger.atRest(merger.merged(now))).isFalse();

        long last = now;
        while (!PoolMerger.atRest(merger.merged(now))) {
            now += 1_000;
            assertThat(now - last).as("it comes to rest").isLessThan(3_600_000);
        }
        List<MergedTarget> told = merger.merged(now).targets();
        for (long later = now; later < now + 900_000; later += 1_000) {
            assertThat(PoolMerger.differs(told, merger.merged(later).targets())).isFalse();
        }
    }

    @Test
    void theNextOwnerOfAPoolGoesOnFromThePublishedHealthOfAllItsTargets() {
        PoolMerger merger = PoolMerger.resumed(ScopedId.platform("std"), Map.of("bad", 0.02, "half", 0.5), 1_000);

        assertThat(merger.merged(1_000).targets())
                .extracting(MergedTarget::key, target -> Math.round(target.health() * 1_000))
                .containsExactly(tuple("bad", 20L), tuple("half", 500L));
        assertThat(merger.merged(30_000).targets().get(0).health())
                .as("what nobody calls is forgiven, slowly")
                .isBetween(0.1, 0.9);
    }
}
