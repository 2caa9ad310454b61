package io.sluice.data.money;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Requests that lack money of one account, in the order in which they came. One thread. */
final class Waiters {
    private final List<Waiter> waiting = new ArrayList<>();

    private record Waiter(long missingMicros, Instant until, Consumer<Refilled> done) {}

    void add(long missingMicros, Instant until, Consumer<Refilled> done) {
        waiting.add(new Waiter(missingMicros, until, done));
    }

    boolean none() {
        return waiting.isEmpty();
    }

    /** What the one lacks that lacks least; 0 where none waits. */
    long leastMicros() {
        return waiting.stream().mapToLong(Waiter::missingMicros).min().orElse(0);
    }

    /** What all lack. */
    long allMicros() {
        long sum = 0;
        for (Waiter waiter : waiting) {
            sum = Math.min(Purse.MICROS_MAX, sum + waiter.missingMicros());
        }
        return sum;
    }

    /** Tells all that nothing comes, and why. */
    void tell(Refilled nothing) {
        serve(nothing, waiter -> true);
    }

    /** Tells those whom {@code freeMicros} serve, in the order in which they came; who finds that others were faster comes again. */
    void came(long freeMicros) {
        long[] left = {freeMicros};
        serve(Refilled.CAME, waiter -> {
            boolean covered = waiter.missingMicros() <= left[0];
            left[0] -= covered ? waiter.missingMicros() : 0;
            return covered;
        });
    }

    /** Tells those whose time is up that nobody answered. */
    void expire(Instant now) {
        serve(Refilled.UNANSWERED, waiter -> !waiter.until().isAfter(now));
    }

    private void serve(Refilled came, Predicate<Waiter> which) {
        List<Waiter> served = waiting.stream().filter(which).toList();
        waiting.removeAll(served);
        served.forEach(waiter -> waiter.done().accept(came));
    }
}
