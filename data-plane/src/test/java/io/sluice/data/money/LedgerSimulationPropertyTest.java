package io.sluice.data.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.money.LedgerSimulation.World;
import java.util.OptionalLong;
import java.util.SplittableRandom;
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
 * {@link LedgerSeeds} says how many. {@link LedgerOverOneStorePropertyTest} has the other half: two classes, since each takes a core
 * for a minute.
 */
class LedgerSimulationPropertyTest {
    @Test
    void theInvariantsHoldWhateverGoesWrong() {
        new LedgerSeeds(getClass()).assertInvariantsHold(world -> world);
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
        LedgerSeeds seeds = new LedgerSeeds(getClass());
        return LongStream.rangeClosed(1, 300)
                .filter(seed -> breaks(seeds, seed, sabotage))
                .findFirst();
    }

    private static boolean breaks(LedgerSeeds seeds, long seed, UnaryOperator<World> sabotage) {
        try {
            seeds.run(seed, sabotage);
            return false;
        } catch (AssertionError broken) {
            return true;
        }
    }
}
