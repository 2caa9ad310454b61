package io.sluice.data.money;

import io.vertx.core.Future;
import java.util.function.Consumer;

/**
 * Where a node writes what happens to its slices. Lines become durable in the order in which they were given. Thread-safe; never
 * blocks. After a failed write nothing is accepted any more and every future fails: a node that can not write takes no money.
 */
public interface LedgerJournal {
    /** Takes a line that nobody waits for; it is durable at the latest when a later {@link #commit} is. */
    void append(LedgerRecord line);

    /** Takes a line that nobody waits for either, but {@code onLost} hears, on any thread, where it is not known to be durable. */
    default void append(LedgerRecord line, Consumer<Throwable> onLost) {
        commit(line).onFailure(onLost::accept);
    }

    /** Takes a line; the future completes when it is durable, and fails where it is not known to be. */
    Future<Void> commit(LedgerRecord line);

    /** One that keeps nothing: for nodes that spend nobody's money, as while a process warms up. */
    static LedgerJournal forgetting() {
        return new LedgerJournal() {
            @Override
            public void append(LedgerRecord line) {
                // nothing to keep
            }

            @Override
            public Future<Void> commit(LedgerRecord line) {
                return Future.succeededFuture();
            }
        };
    }
}
