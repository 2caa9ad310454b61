package io.sluice.data.pool;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/**
 * A target that serves so many calls at once and lets others wait in its own queue, and callers who come at a rate and are
 * turned away where the limit is reached. In virtual time, so that minutes of overload take milliseconds.
 */
final class SimulatedTarget {
    private record Event(double atMs, Runnable what) {}

    private final PriorityQueue<Event> events = new PriorityQueue<>((a, b) -> Double.compare(a.atMs(), b.atMs()));
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final SplittableRandom random;
    private final AdaptiveLimit limit;
    private double nowMs = 1;
    private int capacity;
    private int queueMax = Integer.MAX_VALUE;
    private int serving;
    private int inFlight;
    private DoubleUnaryOperator serviceMs;
    private long answered;
    private long refused;
    private long dropped;
    private double latencySum;

    /** What was seen in one phase. */
    record Seen(long offered, long answered, long refused, long dropped, double meanMs) {
        double perSecond(double seconds) {
            return answered / seconds;
        }
    }

    SimulatedTarget(AdaptiveLimit limit, int capacity, DoubleUnaryOperator serviceMs, long seed) {
        this.limit = limit;
        this.capacity = capacity;
        this.serviceMs = serviceMs;
        random = new SplittableRandom(seed);
    }

    /** A lognormal time to the first content, from a normally distributed number. */
    static DoubleUnaryOperator lognormal(double medianMs, double sigma) {
        return normal -> medianMs * Math.exp(sigma * normal);
    }

    SimulatedTarget capacity(int calls) {
        capacity = calls;
        return this;
    }

    SimulatedTarget serviceMs(DoubleUnaryOperator other) {
        serviceMs = other;
        return this;
    }

    /** Beyond so many calls in its queue it says 429. */
    SimulatedTarget queueMax(int calls) {
        queueMax = calls;
        return this;
    }

    int inFlight() {
        return inFlight;
    }

    /** Callers at a rate, as they come by chance, for a while. */
    Seen run(double perSecond, double seconds) {
        answered = 0;
        refused = 0;
        dropped = 0;
        latencySum = 0;
        long offered = 0;
        double end = nowMs + seconds * 1_000;
        double nextMs = nowMs;
        while (nowMs < end) {
            Event event = events.peek();
            if (event != null && event.atMs() <= nextMs) {
                events.poll();
                nowMs = event.atMs();
                event.what().run();
            } else {
                nowMs = nextMs;
                nextMs -= Math.log(1 - random.nextDouble()) * 1_000 / perSecond;
                offered++;
                come();
            }
        }
        return new Seen(offered, answered, refused, dropped, latencySum / Math.max(1, answered));
    }

    private void come() {
        if (inFlight + 1 > limit.limit()) {
            refused++;
            return;
        }
        inFlight++;
        double startedMs = nowMs;
        int load = inFlight;
        if (serving < capacity) {
            serve(startedMs, load);
        } else if (waiting.size() < queueMax) {
            waiting.add(() -> serve(startedMs, load));
        } else {
            events.add(new Event(nowMs + 5, () -> {
                dropped++;
                limit.dropped((long) startedMs, inFlight, (long) nowMs);
                inFlight--;
            }));
        }
    }

    private void serve(double startedMs, int load) {
        serving++;
        events.add(new Event(nowMs + serviceMs.applyAsDouble(random.nextGaussian()), () -> end(startedMs, load)));
    }

    private void end(double startedMs, int load) {
        serving--;
        answered++;
        latencySum += nowMs - startedMs;
        limit.answered(0, nowMs - startedMs, (long) startedMs, load, (long) nowMs);
        inFlight--;
        if (serving < capacity && !waiting.isEmpty()) {
            waiting.poll().run();
        }
    }
}
