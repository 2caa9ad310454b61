package io.sluice.control.spend;

import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * One SQLite file: WAL, synchronous=FULL. One thread writes; another one, with a connection that can only read, answers questions, so
 * that a question over a year holds up no shipment.
 */
public final class SqliteSpendStore implements SpendStore {
    /** Grows when a release before could no longer read the tables. */
    private static final int SCHEMA = 1;

    private final Side writing;
    private final Side reading;
    private final SpendTables tables;
    private final StatementBook book;
    private final SpendSums sums;
    private final StatementBook readBook;
    private final InstantSource clock;

    private SqliteSpendStore(Connection write, Connection read, InstantSource clock) {
        writing = new Side(write, "sluice-spend-store");
        reading = new Side(read, "sluice-spend-reader");
        tables = new SpendTables(write);
        book = new StatementBook(write);
        sums = new SpendSums(read);
        readBook = new StatementBook(read);
        this.clock = clock;
    }

    /**
     * Opens the store in {@code file}, or makes it. Blocks: not for event loops.
     *
     * @throws StoreException where it can not be opened, or a newer release wrote it
     */
    public static SqliteSpendStore open(Path file, InstantSource clock) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Connection write = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
            prepare(write, file);
            Connection read = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
            try (Statement statement = read.createStatement()) {
                statement.execute("PRAGMA query_only=ON");
            }
            read.setAutoCommit(false);
            return new SqliteSpendStore(write, read, clock);
        } catch (IOException | SQLException failure) {
            throw new StoreException(
                    "the store " + file.getFileName() + " can not be opened; is it not writable, or damaged? ("
                            + failure.getMessage() + ")",
                    failure);
        }
    }

    private static void prepare(Connection connection, Path file) throws SQLException {
        int schema;
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode=WAL");
            statement.execute("PRAGMA synchronous=FULL");
            connection.setAutoCommit(false);
            try (ResultSet found = statement.executeQuery("PRAGMA user_version")) {
                schema = found.getInt(1);
            }
            if (schema == 0) {
                for (String table : SpendTables.TABLES) {
                    statement.execute(table);
                }
                for (String table : StatementBook.TABLES) {
                    statement.execute(table);
                }
                statement.execute("PRAGMA user_version=" + SCHEMA);
            }
            connection.commit();
        }
        if (schema > SCHEMA) {
            connection.close();
            throw new StoreException("the store " + file.getFileName() + " was written by a newer release (schema "
                    + schema + ", this one knows " + SCHEMA + "); start that release");
        }
    }

    @Override
    public Future<Long> position(String node, long journal) {
        return writing.submit(() -> tables.position(node, journal));
    }

    @Override
    public Future<Long> append(SpendShipped shipped) {
        return writing.submit(() -> {
            long position = tables.position(shipped.node(), shipped.journal());
            if (shipped.afterSeq() != position || shipped.upToSeq() <= position) {
                return position;
            }
            tables.add(shipped);
            book.late(shipped, clock.instant());
            return shipped.upToSeq();
        });
    }

    @Override
    public Future<SpendFigures> total(TenantId tenant, Span span) {
        return reading.submit(() -> sums.total(tenant, span));
    }

    @Override
    public Future<List<SpendReport.Row>> rows(TenantId tenant, Span span, List<SpendDimension> groupBy, int max) {
        return reading.submit(() -> sums.rows(tenant, span, groupBy, max));
    }

    @Override
    public Future<List<SpendReport.Row>> rowsByDay(
            TenantId tenant, List<DaySpan> days, List<SpendDimension> groupBy, int max) {
        return reading.submit(() -> sums.rowsByDay(tenant, days, groupBy, max));
    }

    @Override
    public Future<Map<TenantId, Long>> ofProvider(TenantId tenant, String provider, Span span) {
        return reading.submit(() -> sums.ofProvider(tenant, provider, span));
    }

    @Override
    public Future<SpendPage> page(TenantId tenant, Span span, String after, int max) {
        return reading.submit(() -> sums.page(tenant, span, after, max));
    }

    @Override
    public Future<Integer> close(Closing closing) {
        return writing.submit(() -> book.close(closing));
    }

    @Override
    public Future<SpendStatements.Entry> adjust(Adjustment adjustment) {
        return writing.submit(() -> book.adjust(adjustment));
    }

    @Override
    public Future<Money> adjustments(TenantId tenant, LocalDate from, LocalDate to) {
        return reading.submit(() -> readBook.additions(tenant, from, to));
    }

    @Override
    public Future<SpendStatements> statements(TenantId tenant, LocalDate from, LocalDate to) {
        return reading.submit(() -> readBook.statements(tenant, from, to));
    }

    @Override
    public Future<Void> purge(Instant before) {
        return writing.submit(() -> {
            tables.purge(before);
            return null;
        });
    }

    @Override
    public Future<Void> close() {
        return Future.join(writing.close(), reading.close()).mapEmpty();
    }

    /** What a thread does in one transaction; a failure leaves nothing of it behind. */
    @FunctionalInterface
    private interface Work<T> {
        T run() throws SQLException;
    }

    /** A connection and the one thread that uses it. */
    private static final class Side {
        private final Connection connection;
        private final ExecutorService thread;

        private Side(Connection connection, String name) {
            this.connection = connection;
            thread = Executors.newSingleThreadExecutor(task -> new Thread(task, name));
        }

        private <T> Future<T> submit(Work<T> work) {
            Promise<T> promise = Promise.promise();
            Context caller = Vertx.currentContext();
            try {
                thread.execute(() -> {
                    Runnable told = transaction(work, promise);
                    if (caller == null) {
                        told.run();
                    } else {
                        caller.runOnContext(now -> told.run());
                    }
                });
            } catch (RejectedExecutionException closed) {
                promise.fail(new StoreException("the store of spend is closed", closed));
            }
            return promise.future();
        }

        private <T> Runnable transaction(Work<T> work, Promise<T> promise) {
            try {
                T result = work.run();
                connection.commit();
                return () -> promise.complete(result);
            } catch (SQLException | RuntimeException failure) {
                rollback();
                return () -> promise.fail(
                        failure instanceof StoreException
                                ? failure
                                : new StoreException("the store of spend failed: " + failure, failure));
            }
        }

        private void rollback() {
            try {
                connection.rollback();
            } catch (SQLException connectionIsGone) {
                // every later call fails by itself and says so
            }
        }

        private Future<Void> close() {
            Promise<Void> closed = Promise.promise();
            try {
                thread.execute(() -> {
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
            thread.shutdown();
            return closed.future();
        }
    }
}
