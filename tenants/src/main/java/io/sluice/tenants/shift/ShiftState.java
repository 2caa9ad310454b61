package io.sluice.tenants.shift;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.ScopedId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How a scenario's traffic is shifted at present, and all that is needed to go on from here: another controller may. Of two
 * states of one scenario that with the higher version is the newer. Immutable; times are milliseconds since 1970.
 *
 * @param version grows with each change; begins with the time at which the scenario was first seen, so that one that was
 *     forgotten and seen anew is newer
 * @param step index in {@link #STEPS}: the share that has been reached; 0 where the phase has none
 * @param sinceMs when the present phase and step began
 * @param substitute name of the rung at which shifted requests start; null where none is chosen
 * @param troubles of the first rung when the shift was decided
 * @param reason why it is so, in words for people
 * @param baselineP95Ms what the first rung usually needed before the trouble; 0 where unknown
 * @param setbacks tries in a row that ended badly; each doubles the time until the next
 * @param slowed targets that have less weight in this scenario, by pool and target key
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ShiftState(
        long version,
        ShiftPhase phase,
        int step,
        long sinceMs,
        String substitute,
        List<Trouble> troubles,
        String reason,
        double baselineP95Ms,
        int setbacks,
        Map<ScopedId, Map<String, Slowdown>> slowed) {
    /** Shares of traffic, in the order in which they are reached (requirement F4). */
    public static final List<Double> STEPS = List.of(0.01, 0.05, 0.10, 0.25, 0.50, 1.0);

    public ShiftState {
        Objects.requireNonNull(phase);
        Objects.requireNonNull(reason);
        troubles = List.copyOf(troubles);
        Map<ScopedId, Map<String, Slowdown>> copy = new HashMap<>();
        slowed.forEach((pool, targets) -> copy.put(pool, Map.copyOf(targets)));
        slowed = Map.copyOf(copy);
        if (step < 0 || step >= STEPS.size()) {
            throw new IllegalArgumentException("no such step: " + step);
        }
        boolean shifts = phase == ShiftPhase.SHIFTING || phase == ShiftPhase.HOLDING || phase == ShiftPhase.RETURNING;
        if (shifts && substitute == null) {
            throw new IllegalArgumentException(phase + " needs a substitute");
        }
    }

    /** Of a scenario of which nothing is known. */
    public static ShiftState fresh(long nowMs) {
        return new ShiftState(nowMs, ShiftPhase.OFF, 0, nowMs, null, List.of(), "nothing is wrong", 0, 0, Map.of());
    }

    /** Share of requests that start at the substitute, 0 to 1. */
    public double share() {
        return switch (phase) {
            case OFF, EVALUATING, RESTING -> 0;
            case SHIFTING -> STEPS.get(step);
            case HOLDING -> 1;
            case RETURNING -> 1 - STEPS.get(step);
        };
    }

    /** The next version: in another phase or step since {@code nowMs}. */
    public ShiftState moved(ShiftPhase to, int toStep, String why, long nowMs) {
        return new ShiftState(
                version + 1, to, toStep, nowMs, substitute, troubles, why, baselineP95Ms, setbacks, slowed);
    }

    /** The same state with so many tries that ended badly; no version of its own. */
    public ShiftState withSetbacks(int count) {
        return new ShiftState(
                version, phase, step, sinceMs, substitute, troubles, reason, baselineP95Ms, count, slowed);
    }

    /** The same state for another substitute; no version of its own. */
    public ShiftState withSubstitute(String rung) {
        return new ShiftState(version, phase, step, sinceMs, rung, troubles, reason, baselineP95Ms, setbacks, slowed);
    }

    /** The same state with what is known of the first rung; no version of its own. */
    public ShiftState because(List<Trouble> found, double baseline) {
        return new ShiftState(version, phase, step, sinceMs, substitute, found, reason, baseline, setbacks, slowed);
    }

    /** The same shift with other weights of targets: the next version where they differ. */
    public ShiftState slowing(Map<ScopedId, Map<String, Slowdown>> targets) {
        return targets.equals(slowed)
                ? this
                : new ShiftState(
                        version + 1,
                        phase,
                        step,
                        sinceMs,
                        substitute,
                        troubles,
                        reason,
                        baselineP95Ms,
                        setbacks,
                        targets);
    }

    /**
     * The same state in the hands of another controller. It knows neither the other's clock nor what was seen since, so that every
     * time begins anew: nothing is held shorter than it should be.
     *
     * @param heardVersion highest version that nodes may have
     */
    public ShiftState resumed(long heardVersion, long nowMs) {
        return new ShiftState(
                Math.max(version, heardVersion) + 1,
                phase,
                step,
                nowMs,
                substitute,
                troubles,
                reason,
                baselineP95Ms,
                setbacks,
                slowed);
    }

    /** What a target's weight is multiplied with, 0 to 1. */
    public double weight(ScopedId pool, String target) {
        Map<String, Slowdown> targets = slowed.get(pool);
        Slowdown slowdown = targets == null ? null : targets.get(target);
        return slowdown == null ? 1 : slowdown.weight();
    }

    /** Whether requests are treated as if there were no such state. */
    public boolean idle() {
        return share() == 0 && slowed.isEmpty();
    }
}
