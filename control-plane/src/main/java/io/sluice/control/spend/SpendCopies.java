package io.sluice.control.spend;

import io.vertx.core.Future;
import java.nio.file.Path;

/** Where a copy with the whole history comes from when the log does not reach back that far. Thread-safe. */
@FunctionalInterface
public interface SpendCopies {
    /**
     * Writes the copy of another node to {@code into}.
     *
     * @param into a new file; removed again where the future fails
     */
    Future<Void> fetch(Path into);
}
