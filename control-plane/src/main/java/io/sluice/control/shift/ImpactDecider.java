package io.sluice.control.shift;

import io.sluice.tenants.config.ShiftSetting.Impact;
import java.util.Locale;

/** Says by a scenario's impact table whether a rung that carries traffic is good enough (requirement F4). */
final class ImpactDecider {
    /** Fewer calls say nothing. */
    static final long CALLS_MIN = 5;

    /** Fewer bad calls are chance. */
    static final long BAD_MIN = 3;

    private ImpactDecider() {}

    /** What is known of a rung. */
    enum Verdict {
        UNKNOWN,
        GOOD,
        WORSE
    }

    /**
     * A verdict.
     *
     * @param why in words, for people
     */
    record Judgement(Verdict verdict, String why) {
        boolean worse() {
            return verdict == Verdict.WORSE;
        }
    }

    /**
     * Judges {@code recent} calls of the rung. Where they are too few for a p95, latency counts where half of them took too long.
     *
     * @param baselineP95Ms what the scenario's first rung usually needs; 0 where unknown, then latency does not count
     */
    static Judgement decide(Figures recent, double baselineP95Ms, Impact impact) {
        if (recent.errors() >= BAD_MIN && recent.errorRate() > impact.errorRateMax()) {
            return worse("%.1f %% of its calls fail, and %.1f %% may", recent.errorRate(), impact.errorRateMax());
        }
        if (recent.useless() >= BAD_MIN && recent.uselessRate() > impact.uselessRateMax()) {
            return worse(
                    "%.1f %% of its answers are of no use, and %.1f %% may be",
                    recent.uselessRate(), impact.uselessRateMax());
        }
        if (recent.calls() < CALLS_MIN) {
            return new Judgement(Verdict.UNKNOWN, "it has had too few calls to say");
        }
        double limitMs = baselineP95Ms * impact.latencyFactorMax();
        double share = recent.latency().count() < Baseline.CALLS_MIN ? 0.5 : 0.95;
        double tookMs = recent.latency().quantile(share);
        if (baselineP95Ms > 0 && tookMs > limitMs && tookMs > baselineP95Ms + TroubleLimits.SLOW_MIN_MS) {
            String words = String.format(
                    Locale.ROOT, "p%.0f is %.0f ms, and at most %.0f ms are accepted", share * 100, tookMs, limitMs);
            return new Judgement(Verdict.WORSE, words);
        }
        return new Judgement(Verdict.GOOD, "it is within the limits of the impact table");
    }

    private static Judgement worse(String words, double rate, double rateMax) {
        return new Judgement(Verdict.WORSE, String.format(Locale.ROOT, words, rate * 100, rateMax * 100));
    }
}
