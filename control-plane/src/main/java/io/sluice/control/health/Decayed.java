package io.sluice.control.health;

/**
 * Usable and unusable attempts, each counting half after every half-life.
 *
 * @param atMs when the counts had this value
 */
record Decayed(double usable, double unusable, long atMs) {
    Decayed plus(double moreUsable, double moreUnusable, long nowMs, double halfLifeMs) {
        Decayed now = at(nowMs, halfLifeMs);
        return new Decayed(now.usable + moreUsable, now.unusable + moreUnusable, now.atMs);
    }

    Decayed at(long nowMs, double halfLifeMs) {
        long elapsed = Math.max(0, nowMs - atMs);
        double kept = Math.pow(0.5, elapsed / halfLifeMs);
        return new Decayed(usable * kept, unusable * kept, Math.max(atMs, nowMs));
    }

    /** Share of usable answers, pulled towards 1 by {@code prior} imagined good ones: few calls say little. */
    double rate(double prior) {
        return (usable + prior) / (usable + unusable + prior);
    }
}
