package io.sluice.control.shift;

import io.sluice.tenants.shift.Slowdown;

/** Takes weight from a target that is slow in one scenario, and gives it back smoothly (requirement F3). Others keep theirs. */
final class SlowdownDecider {
    /** 100 → 30 (requirement F3). */
    static final double WEIGHT = 0.3;

    /** Of a whole weight. A finer rise nobody would notice, and each one is published. */
    private static final double RISE_STEPS = 20;

    private SlowdownDecider() {}

    /**
     * What is taken from it from now on.
     *
     * @param before null where it has all its weight
     * @param slow whether its p95 is far above what is usual
     * @param memory share of its server's GPU memory in use; null where nobody reports it
     * @return null where it has all its weight
     */
    static Slowdown decide(Slowdown before, boolean slow, Double memory, long nowMs, ShiftSettings settings) {
        if (memory != null && memory > settings.limits().memoryMax()) {
            return new Slowdown(0, nowMs);
        }
        boolean held = before != null && nowMs < before.heldUntilMs();
        if (slow && !held) {
            return new Slowdown(WEIGHT, nowMs + settings.slowed().toMillis());
        }
        if (before == null || held) {
            return before;
        }
        double passed =
                (double) (nowMs - before.heldUntilMs()) / settings.slowed().toMillis();
        double risen = WEIGHT + (1 - WEIGHT) * passed;
        double weight = Math.floor(risen * RISE_STEPS + 1e-9) / RISE_STEPS;
        return weight >= 1 ? null : new Slowdown(Math.max(WEIGHT, weight), before.heldUntilMs());
    }
}
