package io.sluice.ops;

/**
 * How many of {@code of} requests started somewhere. Each does by itself with the same chance, so a count that a step allows lies within the
 * binomial distribution's bounds at five standard deviations of a normal one, exactly counted: a right product fails one of three million such checks.
 */
record Share(long of, long count) {
    /** One tail beyond five standard deviations. */
    private static final double CHANCE_MIN = 2.87e-7;

    /** Whether so many or more are not too many for {@code share}. */
    boolean notAbove(double share) {
        return tail(count, of, share) >= CHANCE_MIN;
    }

    /** Whether so few or fewer are not too few for {@code share}. */
    boolean notBelow(double share) {
        return tail(of - count, of, 1 - share) >= CHANCE_MIN;
    }

    /** The chance that {@code least} or more of {@code of} happen. */
    private static double tail(long least, long of, double share) {
        if (least <= 0 || share >= 1) {
            return 1;
        }
        if (share <= 0) {
            return 0;
        }
        double logChance = of * Math.log1p(-share);
        double odds = Math.log(share) - Math.log1p(-share);
        double sum = 0;
        for (long k = 0; k <= of; k++) {
            sum += k >= least ? Math.exp(logChance) : 0;
            logChance += Math.log((double) (of - k)) - Math.log(k + 1.0) + odds;
        }
        return sum;
    }
}
