package io.sluice.control.shift;

import java.util.ArrayList;
import java.util.List;

/**
 * What is usual, from a sliding quarter of an hour in steps of a minute (requirement F3): the median of the steps' p95. A median,
 * since one slow minute in fifteen would decide the p95 of all calls together, and the trouble would hide itself. Immutable; times
 * are milliseconds.
 *
 * @param past finished steps
 * @param open the running step
 */
record Baseline(Past past, Step open) {
    /** Fifteen minutes of F3. */
    static final int STEPS = 15;

    /** Before so many steps are known nothing is usual. */
    static final int STEPS_MIN = 3;

    /** A step with fewer calls has no p95. */
    static final long CALLS_MIN = 20;

    /** What came in {@code [startMs, startMs + length)}. */
    record Step(long startMs, Figures figures) {}

    /**
     * Finished steps with what follows from them: asked for every second, and new once a minute.
     *
     * @param steps oldest first
     * @param p95Ms the median of theirs; 0 where it is not known
     * @param all of them together
     */
    record Past(List<Step> steps, double p95Ms, Figures all) {
        static final Past NONE = of(List.of());

        Past {
            steps = List.copyOf(steps);
        }

        static Past of(List<Step> steps) {
            Figures all = steps.stream().map(Step::figures).reduce(Figures.NONE, Figures::plus);
            return new Past(steps, median(steps), all);
        }

        private static double median(List<Step> steps) {
            double[] each = steps.stream()
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
    }

    static Baseline fresh(long nowMs) {
        return new Baseline(Past.NONE, new Step(nowMs, Figures.NONE));
    }

    /** Finished steps, oldest first. */
    List<Step> done() {
        return past.steps();
    }

    /** With {@code more}, which came just now; steps that are over are closed, steps that are too old are dropped. */
    Baseline next(Figures more, long stepMs, long nowMs) {
        Baseline now = at(stepMs, nowMs);
        return new Baseline(
                now.past, new Step(now.open.startMs(), now.open.figures().plus(more)));
    }

    /** The same, as time has passed. */
    Baseline at(long stepMs, long nowMs) {
        long passed = (nowMs - open.startMs()) / stepMs;
        boolean over = passed > 0;
        boolean old = !done().isEmpty() && done().get(0).startMs() < nowMs - (STEPS + 1) * stepMs;
        if (!over && !old) {
            return this;
        }
        List<Step> kept = new ArrayList<>(done());
        if (over) {
            kept.add(open);
        }
        kept.removeIf(step -> step.startMs() < nowMs - (STEPS + 1) * stepMs);
        return new Baseline(
                Past.of(kept.subList(Math.max(0, kept.size() - STEPS), kept.size())),
                over ? new Step(open.startMs() + passed * stepMs, Figures.NONE) : open);
    }

    /** The usual p95 in milliseconds; 0 where nothing is known yet. */
    double p95Ms() {
        return past.p95Ms();
    }

    /** Whether there is any call in it. */
    boolean remembers() {
        return past.all().calls() + open.figures().calls() > 0;
    }

    /** All that is remembered. */
    Figures all() {
        return past.all().plus(open.figures());
    }
}
