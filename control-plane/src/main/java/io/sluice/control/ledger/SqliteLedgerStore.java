package io.sluice.control.ledger;

import io.sluice.control.store.SqliteFile;
import io.sluice.control.store.SqliteThread;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderState;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** One SQLite file: WAL, synchronous=FULL. A row per account and a row per holder of it; a save is one fsync. */
public final class SqliteLedgerStore implements LedgerStore {
    /** Grows when a release before could no longer read the tables. */
    private static final int SCHEMA = 1;

    private static final List<String> TABLES = List.of(
            "CREATE TABLE authority (one INTEGER PRIMARY KEY CHECK (one = 1), epoch INTEGER NOT NULL)",
            "CREATE TABLE account (account TEXT PRIMARY KEY, version INTEGER NOT NULL, capped INTEGER NOT NULL,"
                    + " limit_micros INTEGER NOT NULL, opens TEXT NOT NULL, ends TEXT NOT NULL, epoch INTEGER NOT NULL,"
                    + " awaiting TEXT NOT NULL, closed INTEGER NOT NULL, available_micros INTEGER NOT NULL,"
                    + " adjusted_micros INTEGER NOT NULL, corrections TEXT NOT NULL) WITHOUT ROWID",
            "CREATE INDEX account_open ON account (account) WHERE closed = 0",
            "CREATE TABLE holder (account TEXT NOT NULL, holder TEXT NOT NULL, granted_micros INTEGER NOT NULL,"
                    + " returned_micros INTEGER NOT NULL, escrow_micros INTEGER NOT NULL, held_micros INTEGER NOT NULL,"
                    + " spent_micros INTEGER NOT NULL, burned_micros INTEGER NOT NULL, finished INTEGER NOT NULL,"
                    + " no INTEGER NOT NULL, grant_seq INTEGER NOT NULL, grant_micros INTEGER NOT NULL,"
                    + " heard_at TEXT NOT NULL, PRIMARY KEY (account, holder)) WITHOUT ROWID",
            "INSERT INTO authority VALUES (1, 0)");

    private static final String ACCOUNT = "SELECT account, version, capped, limit_micros, opens, ends, epoch, awaiting,"
            + " closed, available_micros, adjusted_micros, corrections FROM account WHERE ";

    private static final String HOLDERS = "SELECT holder, granted_micros, returned_micros, escrow_micros, held_micros,"
            + " spent_micros, burned_micros, finished, no, grant_seq, grant_micros, heard_at FROM holder WHERE account = ?";

    private final SqliteThread thread;
    private final Connection connection;

    private SqliteLedgerStore(Connection connection) {
        this.connection = connection;
        thread = new SqliteThread("the store of the ledger", "sluice-ledger-store", connection);
    }

    /**
     * Opens the store in {@code file}, or makes it. Blocks: not for event loops.
     *
     * @throws StoreException where it can not be opened, or a newer release wrote it
     */
    public static SqliteLedgerStore open(Path file) {
        try {
            return new SqliteLedgerStore(SqliteFile.open(file, "the ledger", SCHEMA, TABLES, true));
        } catch (IOException | SQLException failure) {
            throw new StoreException(
                    "the ledger " + file.getFileName() + " can not be opened; is it writable and whole? Restore it"
                            + " from a backup: without it nothing may be spent under a cap (" + failure.getMessage()
                            + ")",
                    failure);
        }
    }

    @Override
    public Future<Long> beginEpoch(long atLeast) {
        return thread.run(() -> {
            try (Statement statement = connection.createStatement()) {
                long before;
                try (ResultSet found = statement.executeQuery("SELECT epoch FROM authority")) {
                    before = found.getLong(1);
                }
                long epoch = Math.max(before + 1, atLeast);
                statement.execute("UPDATE authority SET epoch = " + epoch);
                connection.commit();
                return epoch;
            }
        });
    }

    @Override
    public Future<List<AccountState>> open() {
        return thread.run(() -> {
            List<AccountState> all = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery(ACCOUNT + "closed = 0")) {
                while (found.next()) {
                    all.add(account(found));
                }
            }
            connection.commit();
            return all;
        });
    }

    @Override
    public Future<Optional<AccountState>> find(AccountKey account) {
        return thread.run(() -> {
            try (PreparedStatement query = connection.prepareStatement(ACCOUNT + "account = ?")) {
                query.setString(1, account.key());
                try (ResultSet found = query.executeQuery()) {
                    Optional<AccountState> one = found.next() ? Optional.of(account(found)) : Optional.empty();
                    connection.commit();
                    return one;
                }
            }
        });
    }

    private AccountState account(ResultSet row) throws SQLException {
        String key = row.getString(1);
        try {
            return new AccountState(
                    AccountKey.ofKey(key),
                    row.getLong(2),
                    row.getBoolean(3),
                    row.getLong(4),
                    Instant.parse(row.getString(5)),
                    Instant.parse(row.getString(6)),
                    row.getLong(7),
                    words(row.getString(8)),
                    row.getBoolean(9),
                    row.getLong(10),
                    row.getLong(11),
                    words(row.getString(12)),
                    holders(key));
        } catch (RuntimeException unreadable) {
            throw new StoreException("the ledger's account " + key + " can not be read", unreadable);
        }
    }

    private SortedMap<Holder, HolderState> holders(String account) throws SQLException {
        SortedMap<Holder, HolderState> holders = new TreeMap<>();
        try (PreparedStatement query = connection.prepareStatement(HOLDERS)) {
            query.setString(1, account);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    holders.put(
                            Holder.ofKey(row.getString(1)),
                            new HolderState(
                                    row.getLong(2),
                                    row.getLong(3),
                                    row.getLong(4),
                                    row.getLong(5),
                                    row.getLong(6),
                                    row.getLong(7),
                                    row.getBoolean(8),
                                    row.getLong(9),
                                    row.getLong(10),
                                    row.getLong(11),
                                    Instant.parse(row.getString(12))));
                }
            }
        }
        return holders;
    }

    @Override
    public Future<Void> save(Collection<AccountState> changed) {
        List<AccountState> all = List.copyOf(changed);
        return thread.run(() -> {
            try (PreparedStatement account = connection.prepareStatement(
                            "INSERT OR REPLACE INTO account VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
                    PreparedStatement holder = connection.prepareStatement(
                            "INSERT OR REPLACE INTO holder VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)")) {
                for (AccountState state : all) {
                    bind(account, state);
                    for (Map.Entry<Holder, HolderState> part : state.holders().entrySet()) {
                        bind(holder, state.account(), part.getKey(), part.getValue());
                    }
                }
                account.executeBatch();
                holder.executeBatch();
                connection.commit();
            }
            return null;
        });
    }

    private static void bind(PreparedStatement row, AccountState state) throws SQLException {
        row.setString(1, state.account().key());
        row.setLong(2, state.version());
        row.setBoolean(3, state.capped());
        row.setLong(4, state.limitMicros());
        row.setString(5, state.opens().toString());
        row.setString(6, state.ends().toString());
        row.setLong(7, state.epoch());
        row.setString(8, text(state.awaiting()));
        row.setBoolean(9, state.closed());
        row.setLong(10, state.availableMicros());
        row.setLong(11, state.adjustedMicros());
        row.setString(12, text(state.corrections()));
        row.addBatch();
    }

    private static void bind(PreparedStatement row, AccountKey account, Holder holder, HolderState part)
            throws SQLException {
        row.setString(1, account.key());
        row.setString(2, holder.key());
        row.setLong(3, part.grantedMicros());
        row.setLong(4, part.returnedMicros());
        row.setLong(5, part.escrowMicros());
        row.setLong(6, part.heldMicros());
        row.setLong(7, part.spentMicros());
        row.setLong(8, part.burnedMicros());
        row.setBoolean(9, part.finished());
        row.setLong(10, part.no());
        row.setLong(11, part.grantSeq());
        row.setLong(12, part.grantMicros());
        row.setString(13, part.heardAt().toString());
        row.addBatch();
    }

    /** Ids have no line breaks. */
    private static String text(Set<String> ids) {
        return String.join("\n", ids);
    }

    private static Set<String> words(String text) {
        return text.isEmpty() ? Set.of() : Set.of(text.split("\n", -1));
    }

    @Override
    public Future<Void> close() {
        return thread.close();
    }
}
