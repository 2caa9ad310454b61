package io.sluice.data.pool;

import io.sluice.tenants.config.Lane;
import io.vertx.core.Context;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One request that waits in a pool's queue for a permit of any of its choices.
 *
 * @param choices targets that may serve it, the best first
 * @param waitMs how long it waits at most
 * @param home the request's event loop, on which it is told
 * @param told is called exactly once, unless the request left before; where it left and is told of a permit all the same, it
 *     must give that back
 */
public record Waiting(Lane lane, List<Choice> choices, long waitMs, Context home, Consumer<Turn> told) {
    public Waiting {
        choices = List.copyOf(choices);
    }

    /** A target with its configured limit. */
    public record Choice(TargetGauge gauge, int concurrencyMax) {}

    /** How the wait ended. */
    public enum End {
        SERVED,
        EXPIRED,
        SHED,
        FULL
    }

    /**
     * The end of a wait.
     *
     * @param choice index of the target whose permit is held now; -1 where none is
     * @param waitedMs in the queue
     * @param retryAfterMs when the queue should have been served, at its present pace
     */
    public record Turn(End end, int choice, long waitedMs, long retryAfterMs) {}

    void tell(Turn turn) {
        home.runOnContext(now -> told.accept(turn));
    }

    /**
     * Takes the first permit there is; the index of its choice, or -1.
     *
     * @param empty targets that have none for this lane: they are not asked, and those found to have none are added
     */
    int take(Set<TargetGauge> empty) {
        for (int i = 0; i < choices.size(); i++) {
            Choice choice = choices.get(i);
            if (!empty.contains(choice.gauge())) {
                if (choice.gauge().tryAcquire(choice.concurrencyMax(), lane)) {
                    return i;
                }
                empty.add(choice.gauge());
            }
        }
        return -1;
    }
}
