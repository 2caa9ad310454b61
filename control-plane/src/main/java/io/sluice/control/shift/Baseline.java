package io.sluice.control.shift;

import java.util.ArrayList;
import java.util.List;

/**
 * What is usual, from a sliding quarter of an hour in steps of a minute (requirement F3): the median of the steps' p95. A median,
 * since one slow minute in fifteen would decide the p95 of all calls together, and the trouble would hide itself. Immutable; times
 * are milliseconds.
 *
 * @param done finished steps, oldest first
 * @param open the running step
 */
record Baseline(List<Step> done, Step open) {
    /** Fifteen minutes of F3. */
    static final int STEPS = 15;

    /** Before so many steps are known nothing is usual. */
    static final int STEPS_MIN = 3;

    /** A step with fewer calls has no p95. */
    static final long CALLS_MIN = 20;

    /** What came in {@code [startMs, startMs + length)}. */
    record Step(long startMs, Figures figures) {}

    Baseline {
        done = List.copyOf(done);
    }

    static Baseline fresh(long nowMs) {
        return new Baseline(List.of(), new Step(nowMs, Figures.NONE));
    }

    /** With {@code more}, which came just now; steps that are over are closed, steps that are too old are dropped. */
    Baseline next(Figures more, long stepMs, long nowMs) {
        Baseline now = at(stepMs, nowMs);
        return new Baseline(
                now.done, new Step(now.open.startMs(), now.open.figures().plus(more)));
    }

    /** The same, as time has passed. */
    Baseline at(long stepMs, long nowMs) {
        long passed = (nowMs - open.startMs()) / stepMs;
        boolean over = passed > 0;
        boolean old = !done.isEmpty() && done.get(0).startMs() < nowMs - (STEPS + 1) * stepMs;
        if (!over && !old) {
            return this;
        }
        List<Step> kept = new ArrayList<>(done);
        if (over) {
            kept.add(open);
        }
        kept.removeIf(step -> step.startMs() < nowMs - (STEPS + 1) * stepMs);
        return new Baseline(
                kept.subList(Math.max(0, kept.size() - STEPS), kept.size()),
                over ? new Step(open.startMs() + passed * stepMs, Figures.NONE) : open);
    }

    /** The usual p95 in milliseconds; 0 where nothing is known yet. */
    double p95Ms() {
        double[] each = done.stream()
                .filter(step -> step.figures().latency().count() >= CALLS_MIN)
                .mapToDouble(step -> step.figures().p95Ms())
                .sorted()
                .toArray();
        if (each.length < STEPS_MIN) {
            return 0;
        }
        double middle = each[each.length / 2];
        return each.length % 2 == 1 ? middle : (middle + each[each.length / 2 - 1]) / 2;
    }

    /** All that is remembered. */
    Figures all() {
        return done.stream().map(Step::figures).reduce(open.figures(), Figures::plus);
    }
}
