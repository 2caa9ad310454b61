package io.sluice.control.spend;

import io.sluice.control.api.Reconciliation.NodeTotal;
import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.spend.FollowDecider.Standing;
import io.sluice.control.spend.SpendLog.Logged;
import io.sluice.control.spend.SpendLog.Place;
import io.sluice.control.spend.SpendLogEntry.Adjusted;
import io.sluice.control.spend.SpendLogEntry.DaysClosed;
import io.sluice.control.spend.SpendLogEntry.Shipped;
import io.sluice.control.store.SqliteFile;
import io.sluice.control.store.SqliteThread;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * One SQLite file: WAL, synchronous=FULL. One thread writes; another one, with a connection that can only read, answers questions, so
 * that a question over a year holds up no shipment.
 */
public final class SqliteSpendStore implements SpendStore {
    /** Grows when a release before could no longer read the tables. */
    private static final int SCHEMA = 4;

    private final Path file;
    private final Side writing;
    private final Side reading;
    private final SpendTables tables;
    private final RowsBehind behind;
    private final StatementBook book;
    private final LogMark mark;
    private final SpendSums sums;
    private final StatementBook readBook;
    private final InstantSource clock;

    private SqliteSpendStore(Path file, Connection write, Connection read, InstantSource clock) {
        this.file = file;
        tables = new SpendTables(write);
        behind = new RowsBehind(write, tables);
        book = new StatementBook(write, behind::write);
        writing = new Side(write, "sluice-spend-store", () -> {
            behind.forget();
            book.forget();
        });
        reading = new Side(read, "sluice-spend-reader", () -> {});
        mark = new LogMark(write);
        sums = new SpendSums(read);
        readBook = new StatementBook(read, tenant -> {}); // written before it is asked
        this.clock = clock;
    }

    /**
     * Opens the store in {@code file}, or makes it. Blocks: not for event loops.
     *
     * @throws StoreException where it can not be opened, or a newer release wrote it
     */
    public static SqliteSpendStore open(Path file, InstantSource clock) {
        try {
            List<String> tables = Stream.of(SpendTables.TABLES, SpendTables.CHARGES, StatementBook.TABLES)
                    .flatMap(List::stream)
                    .toList();
            Connection write = SqliteFile.open(file, "the store", SCHEMA, tables, false);
            upgrade(write);
            Connection read = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
            try (Statement statement = read.createStatement()) {
                statement.execute("PRAGMA query_only=ON");
            }
            read.setAutoCommit(false);
            return new SqliteSpendStore(file, write, read, clock);
        } catch (IOException | SQLException failure) {
            throw new StoreException(
                    "the store " + file.getFileName() + " can not be opened; is it not writable, or damaged? ("
                            + failure.getMessage() + ")",
                    failure);
        }
    }

    /**
     * Schema 1 had a row per charge; nothing but the file itself could show them, and they go with it. Schema 2 had rows of all sums at
     * any time: nothing has to be done for that. Schema 3 had no calls of providers' tools: none were counted.
     */
    private static void upgrade(Connection write) throws SQLException {
        try (Statement statement = write.createStatement()) {
            int written;
            try (ResultSet found = statement.executeQuery("PRAGMA user_version")) {
                written = found.getInt(1);
            }
            if (written < 2) {
                statement.execute("DROP TABLE charge");
                for (String table : SpendTables.CHARGES) {
                    statement.execute(table);
                }
            }
            if (written < SCHEMA) {
                statement.execute(SpendTables.SERVER_TOOL_CALLS);
                statement.execute("PRAGMA user_version=" + SCHEMA);
            }
            for (String table : LogMark.TABLES) {
                statement.execute(table);
            }
            for (String table : RowsBehind.TABLES) {
                statement.execute(table);
            }
            statement.execute(SpendTables.TOLD);
            write.commit();
        }
    }

    @Override
    public Future<Long> position(String node, long journal) {
        return writing.submit(() -> tables.position(node, journal));
    }

    @Override
    public Future<Long> append(SpendShipped shipped) {
        return writing.submit(() -> add(new Shipped(shipped, clock.instant())));
    }

    private long add(Shipped entry) throws SQLException {
        SpendShipped shipped = entry.shipped();
        long position = tables.position(shipped.node(), shipped.journal());
        if (shipped.afterSeq() != position || shipped.upToSeq() <= position) {
            return position;
        }
        behind.add(shipped);
        book.late(shipped, entry.at());
        return shipped.upToSeq();
    }

    /** Where this copy is in the log of all nodes. */
    Future<Standing> standing() {
        return writing.submit(() -> mark.standing(UUID.randomUUID().toString()));
    }

    /** How far it has every journal. */
    Future<List<Place>> places() {
        return writing.submit(tables::places);
    }

    /** This copy stands for what the log says up to there. */
    Future<Void> stand(long position, String id) {
        return writing.submit(() -> {
            mark.move(position, id);
            return null;
        });
    }

    /** Applies entries that follow what it has, all or none. */
    Future<Void> apply(List<Logged> entries) {
        return writing.submit(() -> {
            long position = mark.standing("").position();
            for (Logged each : entries) {
                if (each.position() != ++position) {
                    throw new StoreException("entry " + each.position() + " of the log of spend does not follow "
                            + (position - 1) + "; nothing was taken over");
                }
                take(each.entry());
                mark.move(position, each.id());
            }
            return null;
        });
    }

    private void take(SpendLogEntry entry) throws SQLException {
        if (entry instanceof Shipped shipped) {
            add(shipped);
        } else if (entry instanceof DaysClosed closed) {
            book.close(closed);
        } else if (entry instanceof Adjusted adjusted) {
            book.adjust(adjusted.adjustment());
        } else {
            throw new StoreException("the log of spend has a beginning in its middle");
        }
    }

    /** What would be closed. */
    Future<List<DaySpan>> due(Closing closing) {
        return writing.submit(() -> book.due(closing));
    }

    @Override
    public Future<List<Closing>> due(List<Closing> closings) {
        return writing.submit(() -> {
            List<Closing> due = new ArrayList<>();
            for (Closing each : closings) {
                if (!book.due(each).isEmpty()) {
                    due.add(each);
                }
            }
            return due;
        });
    }

    /** What a correction became; empty where it is not there. */
    Future<Optional<SpendStatements.Entry>> adjusted(String id) {
        return writing.submit(() -> Optional.ofNullable(book.adjusted(id)));
    }

    /**
     * Writes all of it, as it is at one instant, to a new file. Blocks: not for event loops.
     *
     * @throws StoreException where it can not be written
     */
    void copyTo(Path into) {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
                PreparedStatement copy = other.prepareStatement("VACUUM INTO ?")) {
            copy.setString(1, into.toAbsolutePath().toString());
            copy.execute();
        } catch (SQLException failure) {
            throw new StoreException("the store of spend can not be copied: " + failure.getMessage(), failure);
        }
    }

    /** A file beside it, on the same disk. */
    Path sibling(String name) {
        return file.resolveSibling(name);
    }

    /**
     * Closes this store and opens {@code whole} in its place. Blocks, all in all for as long as the file is checked.
     *
     * @param whole what {@link #copyTo} of another node wrote
     * @return fails, and changes nothing, where that is damaged
     */
    Future<SqliteSpendStore> replacedBy(Path whole) {
        return writing.submit(() -> {
                    check(whole);
                    return null;
                })
                .compose(sound -> close())
                .map(closed -> {
                    try {
                        for (String log : List.of("-wal", "-shm")) {
                            Files.deleteIfExists(sibling(file.getFileName() + log));
                        }
                        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                    } catch (IOException failure) {
                        throw new StoreException("the store of spend can not be replaced", failure);
                    }
                    return open(file, clock);
                });
    }

    private static void check(Path whole) throws SQLException {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + whole.toAbsolutePath());
                Statement statement = other.createStatement()) {
            try (ResultSet schema = statement.executeQuery("PRAGMA user_version")) {
                if (schema.getInt(1) != SCHEMA) {
                    throw new StoreException("another node's copy of spend has schema " + schema.getInt(1)
                            + ", this release knows " + SCHEMA);
                }
            }
            try (ResultSet sound = statement.executeQuery("PRAGMA integrity_check")) {
                if (!"ok".equals(sound.getString(1))) {
                    throw new StoreException("another node's copy of spend is damaged: " + sound.getString(1));
                }
            }
        }
    }

    @Override
    public Future<Void> refresh() {
        return Future.succeededFuture();
    }

    @Override
    public long behind() {
        return 0;
    }

    @Override
    public Future<SpendFigures> total(TenantId tenant, Span span) {
        return read(tenant, () -> sums.total(tenant, span));
    }

    @Override
    public Future<List<SpendReport.Row>> rows(TenantId tenant, Span span, List<SpendDimension> groupBy, int max) {
        return read(tenant, () -> sums.rows(tenant, span, groupBy, max));
    }

    @Override
    public Future<List<NodeTotal>> byNode(TenantId tenant, Span span) {
        return read(tenant, () -> sums.byNode(tenant, span));
    }

    @Override
    public Future<List<SpendReport.Row>> rowsByDay(
            TenantId tenant, List<DaySpan> days, List<SpendDimension> groupBy, int max) {
        return read(tenant, () -> sums.rowsByDay(tenant, days, groupBy, max));
    }

    @Override
    public Future<Map<TenantId, Long>> ofProvider(TenantId tenant, String provider, Span span) {
        return read(tenant, () -> sums.ofProvider(tenant, provider, span));
    }

    @Override
    public Future<List<SpendFacts>> charges(TenantId tenant, Span span, int max) {
        return reading.submit(() -> sums.charges(tenant, span, max));
    }

    @Override
    public Future<SpendPage> page(TenantId tenant, Span span, String after, int max) {
        return read(tenant, () -> sums.page(tenant, span, after, max));
    }

    @Override
    public Future<Integer> close(Closing closing) {
        return writing.submit(() -> book.close(closing.of(book.due(closing))));
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
        return read(tenant, () -> readBook.statements(tenant, from, to));
    }

    @Override
    public Future<Void> purge(Instant before) {
        return writing.submit(() -> {
            behind.writeAll(); // what has no rows is in the packs that may go
            tables.purge(before);
            return null;
        });
    }

    @Override
    public Future<Void> close() {
        return writing.submit(() -> {
                    behind.writeAll();
                    return null;
                })
                .transform(done -> Future.join(writing.close(), reading.close()).mapEmpty());
    }

    /**
     * Asks once the rows are whole.
     *
     * @param tenant null means all
     */
    private <T> Future<T> read(TenantId tenant, SqliteThread.Work<T> question) {
        return writing.submit(() -> {
                    if (tenant == null) {
                        behind.writeAll();
                    } else {
                        behind.write(tenant);
                    }
                    return null;
                })
                .compose(whole -> reading.submit(question));
    }

    /** A connection and the one thread that uses it: each piece of work is a transaction, and whoever asked is told where it asked. */
    private static final class Side {
        private final SqliteThread thread;
        private final Runnable undone;

        /** @param undone hears on the thread that a transaction did not come to its end */
        private Side(Connection connection, String name, Runnable undone) {
            thread = new SqliteThread("the store of spend", name, connection);
            this.undone = undone;
        }

        private <T> Future<T> submit(SqliteThread.Work<T> work) {
            Context caller = Vertx.currentContext();
            Future<T> done = thread.run(() -> {
                try {
                    T result = work.run();
                    thread.connection().commit();
                    return result;
                } catch (SQLException | RuntimeException failure) {
                    undone.run();
                    throw failure;
                }
            });
            if (caller == null) {
                return done;
            }
            Promise<T> told = Promise.promise();
            done.onComplete(result -> caller.runOnContext(now -> told.handle(result)));
            return told.future();
        }

        private Future<Void> close() {
            return thread.close();
        }
    }
}
