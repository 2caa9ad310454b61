package io.sluice.tenants.decision;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.routing.QueueDecider;

/**
 * A request's stay in the queue of one pool.
 *
 * @param rung index in the ladder
 * @param step the rung's name
 * @param target whose permit it got, index in the rung's targets; -1 where it got none
 * @param startedMs since the request came
 * @param waitedMs in the queue
 * @param input of the choice to wait
 * @param allowedMs how long it might have waited, as chosen from {@code input}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QueueWait(
        int rung,
        String step,
        int target,
        double startedMs,
        double waitedMs,
        End end,
        QueueDecider.Input input,
        long allowedMs) {
    /** How a stay ended. */
    public enum End {
        /** It got a permit. */
        SERVED,
        /** No permit came free in the time it had. */
        EXPIRED,
        /** It was turned out, because the queue did not get shorter. */
        SHED,
        /** The queue had no place. */
        FULL,
        /** The caller left, or the node stopped. */
        LEFT
    }
}
