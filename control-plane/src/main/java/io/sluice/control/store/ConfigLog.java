package io.sluice.control.store;

import io.vertx.core.Future;
import java.util.List;

/**
 * The one sequence of configuration changes that all nodes of a cluster follow.
 * <ol>
 *   <li>A batch whose {@link #append} succeeded is never lost and never changes.
 *   <li>Each position is taken once: of two nodes that append at the same time one is told {@link Appended#BEHIND}.
 *   <li>A batch may be appended again after a failure: it is in the log once.
 *   <li>What {@link #since} returns survives the loss of whoever keeps the log, as far as that was set up to survive.
 * </ol>
 * Thread-safe; nothing blocks. Futures fail where the log can't be reached.
 */
public interface ConfigLog {
    /** How an append went. */
    enum Appended {
        DONE,
        /** Another batch has that position. */
        BEHIND
    }

    /**
     * Batches after a position.
     *
     * @param last position of the last batch there is; 0 where the log is empty
     * @param id of the batch at the position that was asked about; null where that is not kept any more, or there is none
     * @param batches the next ones, in order; empty where they are not kept any more
     */
    record Page(long last, String id, List<ConfigBatch> batches) {
        public Page {
            batches = List.copyOf(batches);
        }
    }

    /** Ties the log to the secret that all nodes share: remembered at the first call; fails at a later one with another value. */
    Future<Void> claim(String secretCheck);

    Future<Appended> append(ConfigBatch batch);

    /** At most some hundred batches after {@code position}. */
    Future<Page> since(long position);

    /** Everything. */
    Future<ConfigWhole> whole();

    Future<Void> close();
}
