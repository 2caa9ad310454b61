package io.sluice.data.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.money.LedgerSimulation.World;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The invariants of the ledger, over many runs of {@link LedgerSimulation}:
 * <ul>
 *   <li>I1 providers charge no more than the cap, and the errors of estimates
 *   <li>I2 every unit is in one place: the authority checks it after every step
 *   <li>I3 a settle that was said to be durable outlives a crash, and reaches the authority
 *   <li>I4 spent, held and burned are never less than what was charged
 *   <li>I5 whatever is delivered twice or late counts once
 *   <li>I6 when requests have ended nothing is held, and slices are what was granted
 *   <li>I7 a request is charged to the day on which it reserved; a closed day does not change
 * </ul>
 * {@code -Dsluice.simulation.seeds=N} runs so many seeds, {@code -Dsluice.seed=N} begins with that one.
 */
class LedgerSimulationPropertyTest {
    private static final int SEEDS = Integer.getInteger("sluice.simulation.seeds", 2_000);
    private static final long FIRST = Long.getLong("sluice.seed", 1);

    /** First slices of a day that nodes drew around midnight, in the runs of a test. */
    private final LongAdder drawnAhead = new LongAdder();

    @Test
    void theInvariantsHoldWhateverGoesWrong() {
        assertInvariantsHold(world -> world);
    }

    @Test
    void theInvariantsHoldAlsoWhereNodesDecideEachForItselfOverOneStore() {
        assertInvariantsHold(World::onSharedStore);
    }

    /** In the world of every seed; worlds know nothing of each other, so each core takes its part of them. */
    private void assertInvariantsHold(UnaryOperator<World> change) {
        long admitted = LongStream.range(FIRST, FIRST + SEEDS)
                .parallel()
                .map(seed -> run(seed, change))
                .sum();
        assertThat(admitted).as("requests that were admitted").isGreaterThan(SEEDS);
        assertThat(drawnAhead.sum())
                .as("first slices that were drawn around midnight")
                .isGreaterThanOrEqualTo(SEEDS / 10);
    }

    @Test
    void aStoreThatReplacesWhateverIsThereIsFoundOut() {
        assertThat(brokenSeed(world -> new World(true, false, false, false, false, false, false, false, true, true)))
                .isPresent();
    }

    @Test
    void aStoreThatForgetsAndBeginsNoEpochIsFoundOut() {
        assertThat(brokenSeed(world -> new World(true, true, true, false, false, false, true, false, true, false)))
                .isPresent();
    }

    @Test
    void aGrantThatIsSpentBeforeItIsDurableIsFoundOut() {
        assertThat(brokenSeed(world -> new World(true, true, false, false, false, false, false, true, false, false)))
                .isPresent();
    }

    @Test
    void anAuthorityThatGrantsBeforeItHasHeardAllMembersIsFoundOut() {
        assertThat(brokenSeed(world -> new World(true, true, true, false, false, false, true, false, false, false)))
                .isPresent();
    }

    @Test
    void countingWhatARequestCostWhenItHasEndedOverspends() {
        assertThat(overspending(WrongDesigns.CountAfter::new)).isPositive();
    }

    @Test
    void givingAHoldBackAfterSomeTimeOverspends() {
        assertThat(overspending(WrongDesigns.TtlReleases::new)).isPositive();
    }

    private static long overspending(Supplier<WrongDesigns.Design> design) {
        return LongStream.rangeClosed(1, 50)
                .filter(seed -> WrongDesigns.overspentMicros(new SplittableRandom(seed), design.get()) > 0)
                .count();
    }

    private OptionalLong brokenSeed(UnaryOperator<World> sabotage) {
        return LongStream.rangeClosed(1, 300)
                .filter(seed -> breaks(seed, sabotage))
                .findFirst();
    }

    private boolean breaks(long seed, UnaryOperator<World> sabotage) {
        try {
            run(seed, sabotage);
            return false;
        } catch (AssertionError broken) {
            return true;
        }
    }

    private int run(long seed, UnaryOperator<World> change) {
        SplittableRandom random = new SplittableRandom(seed);
        LedgerSimulation simulation = new LedgerSimulation(random, change.apply(World.of(random)));
        try {
            simulation.run();
        } catch (AssertionError | RuntimeException broken) {
            throw new AssertionError(
                    "broken with seed " + seed + " (again: mvn -pl data-plane -am test"
                            + " -Dtest=LedgerSimulationPropertyTest -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.seed="
                            + seed + " -Dsluice.simulation.seeds=1): " + broken.getMessage(),
                    broken);
        }
        drawnAhead.add(simulation.drawnAhead());
        return simulation.admitted();
    }
}
