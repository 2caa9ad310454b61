package io.sluice.plugins.api.chat;

import java.util.SplittableRandom;

/** Runs a property over many seeds. A failure names its seed; {@code -Dsluice.seed=N} begins there. */
final class Seeds {
    private Seeds() {}

    /** What must hold whatever the random numbers. */
    interface Property {
        void holds(SplittableRandom random) throws Exception;
    }

    /** Checks {@code property} with {@code cases} seeds in a row. */
    static void check(int cases, Property property) {
        long first = Long.getLong("sluice.seed", 1);
        for (long seed = first; seed < first + cases; seed++) {
            try {
                property.holds(new SplittableRandom(seed));
            } catch (Exception | AssertionError broken) {
                throw new AssertionError("broken with seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
    }
}
