package io.sluice.control.store;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * A connection to a SQLite file and the one thread that uses it: work runs in the order in which it was given, and a failure leaves
 * no half transaction behind.
 */
public final class SqliteThread {
    private final String what;
    private final Connection connection;
    private final ExecutorService thread;

    /** What runs on the thread; it commits by itself. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws SQLException;
    }

    /**
     * @param what for error messages, such as {@code the store of drills}
     * @param name of the thread
     * @param connection without auto-commit; used by nobody else from now on
     */
    public SqliteThread(String what, String name, Connection connection) {
        this.what = what;
        this.connection = connection;
        thread = Executors.newSingleThreadExecutor(task -> new Thread(task, name));
    }

    /** For use within {@link #run} only. */
    public Connection connection() {
        return connection;
    }

    /** Runs {@code work}; the future fails with a {@link StoreException}. It completes on the store's thread. */
    public <T> Future<T> run(Work<T> work) {
        Promise<T> promise = Promise.promise();
        try {
            thread.execute(() -> {
                try {
                    promise.complete(work.run());
                } catch (SQLException | RuntimeException failure) {
                    rollback();
                    promise.fail(
                            failure instanceof StoreException
                                    ? failure
                                    : new StoreException(what + " failed: " + failure.getMessage(), failure));
                }
            });
        } catch (RejectedExecutionException closed) {
            promise.fail(new StoreException(what + " is closed", closed));
        }
        return promise.future();
    }

    private void rollback() {
        try {
            connection.rollback();
        } catch (SQLException connectionIsGone) {
            // every later call fails by itself and says so
        }
    }

    /** Finishes what was given before and closes the connection. */
    public Future<Void> close() {
        Future<Void> closed = run(() -> {
            connection.close();
            return null;
        });
        thread.shutdown();
        return closed;
    }
}
