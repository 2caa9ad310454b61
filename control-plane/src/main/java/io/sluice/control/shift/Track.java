package io.sluice.control.shift;

import java.util.ArrayList;
import java.util.List;

/**
 * One stream of calls as it is remembered: what is usual, and the last samples. Immutable; times are milliseconds of one clock.
 *
 * @param samples finished ones, oldest first; also those without a call
 * @param open the running one
 * @param openMs when it began
 */
record Track(Baseline baseline, List<Figures> samples, Figures open, long openMs) {
    Track {
        samples = List.copyOf(samples);
    }

    static Track fresh(long nowMs) {
        return new Track(Baseline.fresh(nowMs), List.of(), Figures.NONE, nowMs);
    }

    /** With {@code more}, which came just now. */
    Track next(Figures more, ShiftSettings settings, long nowMs) {
        Track now = at(settings, nowMs);
        Baseline base = now.baseline.next(more, settings.baselineStep().toMillis(), nowMs);
        return new Track(base, now.samples, now.open.plus(more), now.openMs);
    }

    /** The same, as time has passed. */
    @SuppressWarnings("ReferenceEquality") // the very same where nothing moved
    Track at(ShiftSettings settings, long nowMs) {
        long sampleMs = settings.sample().toMillis();
        long passed = (nowMs - openMs) / sampleMs;
        Baseline base = baseline.at(settings.baselineStep().toMillis(), nowMs);
        if (passed <= 0) {
            return base == baseline ? this : new Track(base, samples, open, openMs);
        }
        List<Figures> kept = new ArrayList<>(samples);
        kept.add(open);
        for (long i = Math.min(passed, settings.samples() + 1L); i > 1; i--) {
            kept.add(Figures.NONE);
        }
        return new Track(
                base,
                kept.subList(Math.max(0, kept.size() - settings.samples()), kept.size()),
                Figures.NONE,
                openMs + passed * sampleMs);
    }

    /** The last {@code count} finished samples and the running one, together. */
    Figures last(int count) {
        Figures sum = open;
        for (int i = Math.max(0, samples.size() - count); i < samples.size(); i++) {
            sum = sum.plus(samples.get(i));
        }
        return sum;
    }
}
