package io.sluice.ops;

import io.sluice.ops.Traffic.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Processes that a test kills under load, and what may be lost by it. Thread-safe. */
final class Kills {
    /**
     * Nobody waits for a settled line: what was settled in the last 25 ms or so dies with the process, and is burned under its caps (decision
     * 21). Where one machine has all nodes, the thread that writes it may wait much longer for its turn.
     */
    private static final long UNWRITTEN_MS_MAX = 1_000;

    private final Map<SluiceProcess, Long> killedNs = new ConcurrentHashMap<>();

    /** kill -9. */
    void kill(SluiceProcess process) throws InterruptedException {
        killedNs.put(process, System.nanoTime());
        process.kill();
    }

    /** Whether the request was under way when its node was killed, or came while nobody listened. */
    boolean lost(Outcome outcome) {
        Long killed = killedNs.get(outcome.process());
        return outcome.status() == 0 && killed != null && outcome.endedNs() >= killed;
    }

    /** How many were served so long before a kill that they have to be in the books. */
    long booked(List<Outcome> outcomes) {
        return outcomes.stream().filter(this::isBooked).count();
    }

    boolean isBooked(Outcome outcome) {
        Long killed = killedNs.get(outcome.process());
        return outcome.wellServed()
                && (killed == null || outcome.endedNs() < killed - TimeUnit.MILLISECONDS.toNanos(UNWRITTEN_MS_MAX));
    }
}
