package io.sluice.control.ledger;

import io.sluice.control.store.SqliteFile;
import io.sluice.control.store.SqliteThread;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderState;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.ledger.SharedAccounts.Write;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.ToLongFunction;

/**
 * One SQLite file of one node: WAL, synchronous=FULL. A row per account and a row per holder of it; a save is one fsync. An epoch begins
 * with each opening of the file, which may be a copy that was restored, and after a save that failed.
 */
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

    /** The revision of an account that was not saved since the file was opened, or is closed. */
    private static final long UNTOUCHED = 1;

    private final SqliteThread thread;
    private final Connection connection;
    private final Map<AccountKey, Long> revisions = new HashMap<>();
    private long lastRevision = UNTOUCHED;
    private long number;
    private String history = "";
    private boolean whole;

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
    public Future<Epoch> begin(String spender, Epoch known, long atLeast) {
        Set<String> members = spender == null ? Set.of() : Set.of(spender);
        return thread.run(() -> {
            try (Statement statement = connection.createStatement()) {
                long before;
                try (ResultSet found = statement.executeQuery("SELECT epoch FROM authority")) {
                    before = found.getLong(1);
                }
                boolean lost = known.number() > before
                        || (known.number() == before && !known.history().equals(history));
                if (whole && !lost) {
                    connection.commit();
                    return new Epoch(before, history, members);
                }
                number = Math.max(Math.max(before, known.number()) + 1, atLeast);
                history = UUID.randomUUID().toString();
                statement.execute("UPDATE authority SET epoch = " + number);
                connection.commit();
                whole = true;
                return new Epoch(number, history, members);
            }
        });
    }

    @Override
    public Future<Changes> changes(Epoch epoch, long since, ToLongFunction<AccountKey> seen) {
        return inEpoch(epoch, () -> since == ALL ? open(seen) : new Changes(List.of(), since, Optional.empty()));
    }

    private <T> Future<T> inEpoch(Epoch epoch, SqliteThread.Work<T> work) {
        return thread.run(() ->
                        whole && epoch.number() == number && epoch.history().equals(history)
                                ? Optional.of(work.run())
                                : Optional.<T>empty())
                .compose(done -> done.<Future<T>>map(Future::succeededFuture)
                        .orElseGet(() -> Future.failedFuture(new EpochOverException(epoch))));
    }

    /** Nobody else writes to this file: what this store saved its caller knows. */
    private Changes open(ToLongFunction<AccountKey> seen) throws SQLException {
        List<KeptAccount> all = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(ACCOUNT + "closed = 0")) {
            while (found.next()) {
                KeptAccount kept = kept(found);
                if (kept.revision() > seen.applyAsLong(kept.state().account())) {
                    all.add(kept);
                }
            }
        }
        connection.commit();
        return new Changes(all, ALL + 1, Optional.empty());
    }

    @Override
    public Future<List<KeptAccount>> find(Collection<AccountKey> accounts) {
        List<AccountKey> all = List.copyOf(accounts);
        return thread.run(() -> {
            List<KeptAccount> found = new ArrayList<>();
            for (AccountKey account : all) {
                present(account).ifPresent(found::add);
            }
            connection.commit();
            return found;
        });
    }

    private Optional<KeptAccount> present(AccountKey account) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(ACCOUNT + "account = ?")) {
            query.setString(1, account.key());
            try (ResultSet found = query.executeQuery()) {
                return found.next() ? Optional.of(kept(found)) : Optional.empty();
            }
        }
    }

    private KeptAccount kept(ResultSet row) throws SQLException {
        AccountState state = account(row);
        return new KeptAccount(revisions.getOrDefault(state.account(), UNTOUCHED), state);
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
    public Future<Map<AccountKey, Saved>> save(Epoch epoch, List<Write> writes) {
        return inEpoch(epoch, () -> {
            boolean done = false;
            try {
                Map<AccountKey, Saved> saved = saveAll(writes);
                connection.commit();
                done = true;
                remember(writes, saved);
                return saved;
            } finally {
                // What a disk that failed kept of it only a new epoch may say.
                whole = done;
            }
        });
    }

    private Map<AccountKey, Saved> saveAll(List<Write> writes) throws SQLException {
        Map<AccountKey, Saved> saved = new HashMap<>();
        try (PreparedStatement account =
                        connection.prepareStatement("INSERT OR REPLACE INTO account VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
                PreparedStatement holder = connection.prepareStatement(
                        "INSERT OR REPLACE INTO holder VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)")) {
            for (Write write : writes) {
                AccountState state = write.state();
                long revision = revision(state.account());
                if (revision != write.revision()) {
                    saved.put(
                            state.account(),
                            new Saved.Overtaken(present(state.account()).orElse(null)));
                    continue;
                }
                saved.put(state.account(), new Saved.Kept(++lastRevision));
                bind(account, state);
                for (Map.Entry<Holder, HolderState> part : state.holders().entrySet()) {
                    bind(holder, state.account(), part.getKey(), part.getValue());
                }
            }
            account.executeBatch();
            holder.executeBatch();
        }
        return saved;
    }

    private long revision(AccountKey account) throws SQLException {
        Long known = revisions.get(account);
        if (known != null) {
            return known;
        }
        return present(account).map(KeptAccount::revision).orElse(KeptAccount.NEVER);
    }

    private void remember(List<Write> writes, Map<AccountKey, Saved> saved) {
        for (Write write : writes) {
            AccountKey account = write.state().account();
            if (saved.get(account) instanceof Saved.Kept kept) {
                if (write.state().closed()) {
                    revisions.remove(account);
                } else {
                    revisions.put(account, kept.revision());
                }
            }
        }
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
