package io.sluice.control.health;

import io.sluice.tenants.failure.BreakerEffect;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.health.TargetWindow;
import java.util.Map;

/**
 * How fit one target is, from the windows that all nodes report: the share of usable answers and the latency against the
 * target's own baseline (requirement F2). Times are milliseconds of one clock. Immutable.
 *
 * @param recent attempts with {@link #RECENT_HALF_LIFE_MS}
 * @param lasting attempts with {@link #LASTING_HALF_LIFE_MS}
 * @param latency of whole attempts
 * @param firstToken latency to the first content
 * @param baselineP95Ms what this target usually needs; 0 until known
 */
public record HealthScore(
        Decayed recent, Decayed lasting, RollingLatency latency, RollingLatency firstToken, double baselineP95Ms) {
    /** An outage has to show within a few seconds, also after hours of steady traffic. */
    static final double RECENT_HALF_LIFE_MS = 5_000;

    /** The five minutes of F2, newer ones counting more: what is five minutes old has a weight of 1/32. */
    static final double LASTING_HALF_LIFE_MS = 60_000;

    /** Three quarters by what happens now, one by memory: a target that came back is trusted again step by step. */
    static final double RECENT_SHARE = 0.75;

    /** So many good calls are imagined: one failure among few calls is no outage. */
    static final double PRIOR_CALLS = 5;

    /** No repeat will pass before a person or a reset changes something (no memory, no quota): counts like five. */
    static final double LASTING_TROUBLE_WEIGHT = 5;

    /** At half of the answers unusable a target is worth nothing but its trickle: each call costs another one elsewhere. */
    static final double RATE_WORTHLESS = 0.5;

    /**
     * What a failing target keeps, so that its recovery is seen: about two calls in a hundred. Where all targets of a pool
     * are that bad, all keep the same share, so the pool goes on trying.
     */
    public static final double HEALTH_FLOOR = 0.02;

    /** Below this many calls a quantile of the tail is noise. */
    static final long SAMPLES_MIN = 20;

    /** Twice its usual p95 a target is slow. */
    static final double SLOW_FACTOR = 2;

    /** Less than this more than usual nobody notices. */
    static final double SLOW_MIN_MS = 100;

    /** A slow answer is still an answer: slowness alone takes at most three quarters of the traffic. */
    static final double SLOW_HEALTH_MIN = 0.25;

    /** Of the way to a higher p95 per ten seconds: half in ten minutes, so that a slowdown is not taken for normal. */
    static final double BASELINE_RISE = 0.0115;

    /** Of the way to a lower one: half in a minute. */
    static final double BASELINE_FALL = 0.11;

    /** Enough that the first good call after a change of owner is no recovery, and few enough that ten are one. */
    static final double REMEMBERED_CALLS = 20;

    /** A target that nobody has called yet. */
    public static HealthScore fresh(long nowMs) {
        Decayed none = new Decayed(0, 0, nowMs);
        RollingLatency empty = RollingLatency.empty(nowMs);
        return new HealthScore(none, none, empty, empty, 0);
    }

    /**
     * A target of which only its published health is known, as where a pool comes to another owner: as if {@link #REMEMBERED_CALLS} calls
     * had ended so that this is its health now. It recovers, or falls, from there by what is reported.
     */
    static HealthScore resumed(double health, long nowMs) {
        double rate = RATE_WORTHLESS + (1 - RATE_WORTHLESS) * Math.sqrt(Math.min(1, Math.max(HEALTH_FLOOR, health)));
        double usable = rate * (REMEMBERED_CALLS + PRIOR_CALLS) - PRIOR_CALLS;
        Decayed known = new Decayed(usable, REMEMBERED_CALLS - usable, nowMs);
        RollingLatency empty = RollingLatency.empty(nowMs);
        return new HealthScore(known, known, empty, empty, 0);
    }

    /** After one node's {@code window}. */
    public HealthScore next(TargetWindow window, long nowMs) {
        double unusable = unusable(window.failures());
        RollingLatency grown = latency.plus(window.latency(), nowMs);
        double base = grown.rolledOver(latency) ? learned(grown.previous()) : baselineP95Ms;
        return new HealthScore(
                recent.plus((double) window.usable(), unusable, nowMs, RECENT_HALF_LIFE_MS),
                lasting.plus((double) window.usable(), (double) window.unusable(), nowMs, LASTING_HALF_LIFE_MS),
                grown,
                firstToken.plus(window.firstToken(), nowMs),
                base);
    }

    private static double unusable(Map<FailureClass, Long> failures) {
        double sum = 0;
        for (Map.Entry<FailureClass, Long> entry : failures.entrySet()) {
            FailureClass failure = entry.getKey();
            double weight = failure.breaker() == BreakerEffect.OPEN ? LASTING_TROUBLE_WEIGHT : 1;
            sum += failure.lowersHealth() ? weight * entry.getValue() : 0;
        }
        return sum;
    }

    private double learned(LatencyHistogram tenSeconds) {
        if (tenSeconds.count() < SAMPLES_MIN) {
            return baselineP95Ms;
        }
        double p95 = tenSeconds.quantile(0.95);
        double step = p95 > baselineP95Ms ? BASELINE_RISE : BASELINE_FALL;
        return baselineP95Ms == 0 ? p95 : baselineP95Ms + step * (p95 - baselineP95Ms);
    }

    /** Published health at {@code nowMs}: {@link #HEALTH_FLOOR} to 1. */
    public double health(long nowMs) {
        double rate = RECENT_SHARE * recent.at(nowMs, RECENT_HALF_LIFE_MS).rate(PRIOR_CALLS)
                + (1 - RECENT_SHARE) * lasting.at(nowMs, LASTING_HALF_LIFE_MS).rate(PRIOR_CALLS);
        double worth = Math.max(0, (rate - RATE_WORTHLESS) / (1 - RATE_WORTHLESS));
        return Math.max(HEALTH_FLOOR, worth * worth * latencyFactor(nowMs));
    }

    /** Whether it needs far longer than it usually does. */
    public boolean slow(long nowMs) {
        return latencyFactor(nowMs) < 1;
    }

    private double latencyFactor(long nowMs) {
        LatencyHistogram now = latency.at(nowMs);
        if (baselineP95Ms == 0 || now.count() < SAMPLES_MIN) {
            return 1;
        }
        double p95 = now.quantile(0.95);
        boolean slow = p95 > SLOW_FACTOR * baselineP95Ms && p95 > baselineP95Ms + SLOW_MIN_MS;
        return slow ? Math.max(SLOW_HEALTH_MIN, SLOW_FACTOR * baselineP95Ms / p95) : 1;
    }
}
