package io.sluice.data.recall;

import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One SQLite file of one process: WAL, synchronous=FULL, used by one thread of its own. What comes while a transaction is written
 * shares the next one, so that many requests share one wait for the disk.
 */
public final class SqliteIdempotencyStore implements IdempotencyStore {
    /** Grows when a release before could no longer read the table. */
    private static final int SCHEMA = 1;

    /** Bounds how long the first of a transaction waits for the last. */
    private static final int BATCH_MAX = 256;

    /** More than a disk writes in a second: whoever still comes should hear that it is too much. */
    private static final int WAITING_MAX = 8_192;

    /** Bounds how long requests wait for the purging of old records. */
    private static final int PURGE_BATCHES_MAX = 16;

    private static final long PURGE_EVERY_S = 30;

    private static final Logger LOG = LoggerFactory.getLogger(SqliteIdempotencyStore.class);

    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "sluice-recall-store"));
    private final ArrayBlockingQueue<Work<?>> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Connection connection;
    private final IdempotencyRows rows;
    private final RecallSettings settings;
    private final LongSupplier nowMs;
    private final ScheduledFuture<?> purging;

    private SqliteIdempotencyStore(Connection connection, RecallSettings settings, LongSupplier nowMs)
            throws SQLException {
        this.connection = connection;
        this.settings = settings;
        this.nowMs = nowMs;
        rows = new IdempotencyRows(connection);
        connection.commit();
        purging = thread.scheduleWithFixedDelay(this::purge, PURGE_EVERY_S, PURGE_EVERY_S, TimeUnit.SECONDS);
    }

    /** What the thread does for one caller; a failure leaves nothing behind. */
    private record Work<T>(Step<T> step, Promise<T> promise) {
        Runnable run(IdempotencyRows rows) throws SQLException {
            T result = step.run(rows);
            return () -> promise.complete(result);
        }

        void fail(Throwable cause) {
            promise.fail(new StoreUnavailableException(
                    "the store of idempotency keys failed: " + cause.getMessage(), cause));
        }
    }

    @FunctionalInterface
    private interface Step<T> {
        T run(IdempotencyRows rows) throws SQLException;
    }

    /**
     * Opens the store in {@code file}, or makes it. Blocks: not for event loops.
     *
     * @param nowMs the time since 1970 by which records expire
     * @throws StoreUnavailableException where it can not be opened, another process has it, or a newer release wrote it
     */
    public static SqliteIdempotencyStore open(Path file, RecallSettings settings, LongSupplier nowMs) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
            prepare(connection, file);
            return new SqliteIdempotencyStore(connection, settings, nowMs);
        } catch (IOException | SQLException failure) {
            throw new StoreUnavailableException(
                    "the store " + file.getFileName() + " can not be opened; is another process using the data"
                            + " directory, or is it not writable? (" + failure.getMessage() + ")",
                    failure);
        }
    }

    private static void prepare(Connection connection, Path file) throws SQLException {
        int schema;
        try (Statement statement = connection.createStatement()) {
            // Exclusive: a second process fails at once instead of answering what this one has answered.
            statement.execute("PRAGMA locking_mode=EXCLUSIVE");
            statement.execute("PRAGMA journal_mode=WAL");
            statement.execute("PRAGMA synchronous=FULL");
            connection.setAutoCommit(false);
            try (ResultSet found = statement.executeQuery("PRAGMA user_version")) {
                schema = found.getInt(1);
            }
            if (schema == 0) {
                for (String table : IdempotencyRows.TABLES) {
                    statement.execute(table);
                }
            }
            if (schema <= SCHEMA) {
                // Takes the write lock also where nothing changes, so that the exclusive mode begins now.
                statement.execute("PRAGMA user_version=" + SCHEMA);
            }
            connection.commit();
        }
        if (schema > SCHEMA) {
            connection.close();
            throw new StoreUnavailableException(
                    "the store " + file.getFileName() + " was written by a newer release (schema " + schema
                            + ", this one knows " + SCHEMA + "); start that release",
                    null);
        }
    }

    @Override
    public Future<Found> begin(Claim claim) {
        return submit(table -> table.begin(claim, settings.ttlMs()));
    }

    @Override
    public Future<Void> end(Claim claim, Fate fate, KeptAnswer answer) {
        return submit(table -> {
            table.end(claim, fate, answer);
            return null;
        });
    }

    private <T> Future<T> submit(Step<T> step) {
        Work<T> work = new Work<>(step, Promise.promise());
        if (!waiting.offer(work)) {
            return Future.failedFuture(new StoreUnavailableException(
                    "the store of idempotency keys has " + WAITING_MAX + " writes waiting", null));
        }
        try {
            thread.execute(this::writeWaiting);
        } catch (RejectedExecutionException closed) {
            if (waiting.remove(work)) {
                work.fail(closed);
            }
        }
        return work.promise().future();
    }

    private void writeWaiting() {
        List<Work<?>> batch = new ArrayList<>();
        waiting.drainTo(batch, BATCH_MAX);
        if (!batch.isEmpty() && !written(batch) && batch.size() > 1) {
            batch.forEach(work -> written(List.of(work))); // so that one that can't be written harms nobody else
        }
        if (rows.total() > settings.bytesMax()) {
            purge();
        }
    }

    /** Whether the whole batch is on disk; one that is alone hears the reason where it is not. */
    private boolean written(List<Work<?>> batch) {
        List<Runnable> done = new ArrayList<>(batch.size());
        try {
            for (Work<?> work : batch) {
                done.add(work.run(rows));
            }
            connection.commit();
            rows.committed();
        } catch (SQLException | RuntimeException failure) {
            rollback();
            if (batch.size() == 1) {
                batch.get(0).fail(failure);
            }
            return false;
        }
        done.forEach(SqliteIdempotencyStore::tell);
        return true;
    }

    /** One caller's trouble with its result is nobody else's. */
    private static void tell(Runnable promise) {
        try {
            promise.run();
        } catch (RuntimeException bug) {
            LOG.error("a result of the store of idempotency keys could not be told", bug);
        }
    }

    private void purge() {
        try {
            boolean more = true;
            for (int batch = 0; more && batch < PURGE_BATCHES_MAX; batch++) {
                boolean old = rows.purgeBefore(nowMs.getAsLong() - settings.ttlMs());
                boolean large = rows.total() > settings.bytesMax() && rows.purgeLargest();
                more = old || large;
                connection.commit();
                rows.committed();
            }
        } catch (SQLException | RuntimeException failure) {
            rollback();
            LOG.error("old records of idempotency keys could not be forgotten", failure);
        }
    }

    private void rollback() {
        rows.rolledBack();
        try {
            connection.rollback();
        } catch (SQLException connectionIsGone) {
            // every later call fails by itself and says so
        }
    }

    @Override
    public Future<Void> close() {
        Promise<Void> closed = Promise.promise();
        try {
            thread.execute(() -> {
                while (!waiting.isEmpty()) {
                    writeWaiting();
                }
                try {
                    connection.close();
                    closed.complete();
                } catch (SQLException failure) {
                    closed.fail(failure);
                }
            });
        } catch (RejectedExecutionException closedBefore) {
            closed.complete();
        }
        purging.cancel(false);
        thread.shutdown();
        return closed.future();
    }
}
