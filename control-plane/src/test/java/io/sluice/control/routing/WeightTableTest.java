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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the nodes tell each other of weights; a has n1, b has n2. */
class WeightTableTest {
    private static final ScopedId POOL = ScopedId.platform("std");

    private final WeightTable a = new WeightTable("n1", 0);
    private final WeightTable b = new WeightTable("n2", 0);

    static PoolHealthMerged health(ScopedId pool, double health) {
        return new PoolHealthMerged(
                pool, Instant.EPOCH, List.of(new MergedTarget("t", health, 1, TargetState.SERVING, 0)), 1, 0, 0, 0, 0);
    }

    private static List<PoolWeights> own(WeightTable table, double health, long nowMs) {
        return table.step(List.of(health(POOL, health)), pool -> true, nowMs);
    }

    private static double weight(WeightTable table) {
        return table.known().of(POOL).getOrDefault("t", 1.0);
    }

    @Test
    void theNextOwnerGoesOnFromTheWeightsOfTheLastWithTheNextNumber() {
        b.heard(own(a, 0.3, 250), 250);
        b.step(List.of(), pool -> false, 250);

        List<PoolWeights> told = own(b, 1, 500);

        assertThat(told).singleElement().satisfies(weights -> {
            assertThat(weights.stamp()).isEqualTo(new Stamp(2, "n2"));
            assertThat(weights.health().get("t")).isCloseTo(0.325, within(1e-9));
        });
    }

    @Test
    void whoIsNoLongerTheOwnerLetsGoOfWhatItWanted() {
        own(a, 0.3, 250);
        own(a, 1, 500);
        double before = weight(a);

        assertThat(a.step(List.of(), pool -> false, 5_000)).isEmpty();
        assertThat(weight(a)).isEqualTo(before);
    }

    @Test
    void whatWasLostIsHealedByTheRepetition() {
        own(a, 0.3, 250);

        b.heard(a.repeated(pool -> true, 5_000), 5_000);

        assertThat(b.known()).isEqualTo(a.known());
    }

    @Test
    void olderWeightsChangeNothingAndAreAnsweredWithTheNewer() {
        List<PoolWeights> first = own(a, 0.3, 250);
        List<PoolWeights> second = own(a, 0.1, 500);
        b.heard(second, 500);

        List<PoolWeights> back = b.heard(first, 500 + WeightTable.BACK_MS);

        assertThat(weight(b)).isEqualTo(0.1);
        assertThat(back).isEqualTo(second);
        assertThat(b.heard(first, 501 + WeightTable.BACK_MS))
                .as("once is enough")
                .isEmpty();
        assertThat(b.heard(second, 5_000)).isEmpty();
    }

    @Test
    void afterAPartitionTheHigherNumberHoldsOnBothSides() {
        List<PoolWeights> common = own(a, 0.5, 250);
        b.heard(common, 250);
        own(a, 0.4, 500);
        own(b, 0.3, 500);
        own(b, 0.2, 750);

        List<PoolWeights> ofA = a.repeated(pool -> true, 5_000);
        List<PoolWeights> ofB = b.repeated(pool -> true, 5_000);
        a.heard(ofB, 5_010);
        b.heard(ofA, 5_010);

        assertThat(a.known()).isEqualTo(b.known());
        assertThat(weight(a)).isEqualTo(0.2);
    }

    @Test
    void ofEqualNumbersOneHoldsOnAllNodes() {
        List<PoolWeights> ofA = own(a, 0.5, 250);
        List<PoolWeights> ofB = own(b, 0.4, 250);
        a.heard(ofB, 300);
        b.heard(ofA, 300);

        assertThat(a.known()).isEqualTo(b.known());
        assertThat(weight(a)).isEqualTo(0.4);
    }

    @Test
    void twoOwnersRaiseAPoolNoFasterThanOne() {
        b.heard(own(a, 0.1, 250), 250);
        long now = 250;
        while (now < 5_250) {
            now += 125;
            WeightTable one = now % 250 == 0 ? a : b;
            WeightTable other = now % 250 == 0 ? b : a;
            other.heard(own(one, 1, now), now);
        }
        assertThat(weight(a)).isLessThanOrEqualTo(0.1 + 0.5 + 0.025 + 1e-9);
    }

    @Test
    void whatItsOwnerDoesNotKnowIsToldByWhoeverDoes() {
        WeightTable witness = new WeightTable("n3", 0);
        witness.heard(own(a, 0.3, 250), 250);

        assertThat(witness.repeated(pool -> false, 5_000)).isEmpty();
        List<PoolWeights> told = witness.repeated(pool -> false, 250 + WeightTable.UNTOLD_MS);
        b.heard(told, 15_500);

        assertThat(weight(b)).isEqualTo(0.3);
        assertThat(witness.repeated(pool -> false, 20_000))
                .as("once in a while is enough")
                .isEmpty();
    }

    @Test
    void atRestNothingIsToldButTheRepetition() {
        own(a, 0.3, 250);
        List<PoolWeights> told = new ArrayList<>();
        for (int i = 2; i < 100; i++) {
            told.addAll(a.step(List.of(), pool -> true, 250L * i));
        }
        assertThat(told).isEmpty();
    }
}
