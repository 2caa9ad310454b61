package io.sluice.data.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.money.LedgerSimulation.World;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * Runs of {@link LedgerSimulation}, one for each seed: {@code -Dsluice.simulation.seeds=N} makes it so many, {@code -Dsluice.seed=N} begins
 * with that one. For one test.
 */
final class LedgerSeeds {
    private static final int SEEDS = Integer.getInteger("sluice.simulation.seeds", 2_000);
    private static final long FIRST = Long.getLong("sluice.seed", 1);

    private final Class<?> test;

    /** First slices of a day that nodes drew around midnight. */
    private long drawnAhead;

    /** @param test that runs them: how to repeat one is told by its name */
    LedgerSeeds(Class<?> test) {
        this.test = test;
    }

    /** In the world of every seed, as {@code change} makes it. */
    void assertInvariantsHold(UnaryOperator<World> change) {
        long admitted = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            admitted += run(seed, change);
        }
        assertThat(admitted).as("requests that were admitted").isGreaterThan(SEEDS);
        assertThat(drawnAhead)
                .as("first slices that were drawn around midnight")
                .isGreaterThanOrEqualTo(SEEDS / 10);
    }

    /** One run; gives how many requests were admitted, or fails with the way to repeat it. */
    int run(long seed, UnaryOperator<World> change) {
        SplittableRandom random = new SplittableRandom(seed);
        LedgerSimulation simulation = new LedgerSimulation(random, change.apply(World.of(random)));
        try {
            simulation.run();
        } catch (AssertionError | RuntimeException broken) {
            throw new AssertionError(
                    "broken with seed " + seed + " (again: mvn -pl data-plane -am test -Dtest=" + test.getSimpleName()
                            + " -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.seed=" + seed
                            + " -Dsluice.simulation.seeds=1): " + broken.getMessage(),
                    broken);
        }
        drawnAhead += simulation.drawnAhead();
        return simulation.admitted();
    }
}
