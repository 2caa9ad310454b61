package io.sluice.control.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.api.AuditEntry;
import io.sluice.control.api.AuditPage;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * One SQLite file: WAL, synchronous=FULL, opened exclusively by one process, used by one thread of its own. A commit is one
 * fsync; callers commit together by giving many writes to one {@link #append}. One row per object, so that a write costs
 * what it changes and not what there is.
 */
public final class SqliteConfigStore implements ConfigStore {
    /** Grows when a release before could no longer read the tables. */
    static final int SCHEMA = 1;

    private static final List<String> TABLES = List.of(
            "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
            "CREATE TABLE object (kind TEXT NOT NULL, owner TEXT NOT NULL, id TEXT NOT NULL, epoch INTEGER NOT NULL,"
                    + " json TEXT NOT NULL, PRIMARY KEY (kind, owner, id)) WITHOUT ROWID",
            "CREATE TABLE audit (id INTEGER PRIMARY KEY, at TEXT NOT NULL, tenant TEXT NOT NULL, actor TEXT NOT NULL,"
                    + " action TEXT NOT NULL, subject TEXT NOT NULL, detail TEXT NOT NULL, hash TEXT NOT NULL)",
            "CREATE INDEX audit_tenant ON audit (tenant, id)");

    private final SqliteThread thread;
    private final Connection connection;
    private long epoch;
    private AuditHead head;
    private String batchId;
    private volatile long position;

    private SqliteConfigStore(Connection connection) {
        this.connection = connection;
        thread = new SqliteThread("the store", "sluice-config-store", connection);
    }

    /**
     * Opens the store in {@code file}, or makes it. Blocks: not for event loops.
     *
     * @throws StoreException where it can not be opened, another process has it, or a newer release wrote it
     */
    public static SqliteConfigStore open(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
            SqliteConfigStore store = new SqliteConfigStore(connection);
            store.prepare(file);
            return store;
        } catch (IOException | SQLException failure) {
            throw new StoreException(
                    "the store " + file.getFileName() + " can not be opened; is another process using the data"
                            + " directory, or is it not writable? (" + failure.getMessage() + ")",
                    failure);
        }
    }

    private void prepare(Path file) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // Exclusive: a second process fails at once instead of writing epochs of its own.
            statement.execute("PRAGMA locking_mode=EXCLUSIVE");
            statement.execute("PRAGMA journal_mode=WAL");
            statement.execute("PRAGMA synchronous=FULL");
            connection.setAutoCommit(false);
            if (scalar("PRAGMA user_version").equals("0")) {
                for (String table : TABLES) {
                    statement.execute(table);
                }
                setMeta("epoch", "0");
                setMeta("audit", "0:" + AuditChain.START);
                statement.execute("PRAGMA user_version=" + SCHEMA);
            }
            setMeta("opened", "yes"); // takes the write lock, so that the exclusive mode begins now
            connection.commit();
        }
        int schema = Integer.parseInt(scalar("PRAGMA user_version"));
        if (schema > SCHEMA) {
            throw new StoreException("the store " + file.getFileName() + " was written by a newer release (schema "
                    + schema + ", this one knows " + SCHEMA + "); start that release");
        }
        epoch = Long.parseLong(meta("epoch"));
        String[] last = meta("audit").split(":", 2);
        head = new AuditHead(Long.parseLong(last[0]), last[1]);
        String at = meta("position");
        position = at == null ? 0 : Long.parseLong(at);
        batchId = Objects.requireNonNullElse(meta("batch"), "");
    }

    @Override
    public long position() {
        return position;
    }

    /** Nobody else writes to this file. */
    @Override
    public Future<Optional<Update>> newer(long known) {
        return Future.succeededFuture(Optional.empty());
    }

    @Override
    public Future<Configuration> load() {
        return thread.run(() -> {
            ConfigRows rows = new ConfigRows();
            try (Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery("SELECT kind, owner, id, json FROM object")) {
                while (found.next()) {
                    rows.add(row(found));
                }
            }
            connection.commit();
            return rows.at(epoch);
        });
    }

    @Override
    public Future<Void> claim(String secretCheck) {
        return thread.run(() -> {
            String before = meta("secret");
            if (before == null) {
                setMeta("secret", secretCheck);
            } else if (!before.equals(secretCheck)) {
                throw new StoreException("the data directory belongs to another server secret; give SLUICE_SECRET_KEY"
                        + " the value it had, or restore secret.key");
            }
            connection.commit();
            return null;
        });
    }

    @Override
    public Future<Long> append(long decidedAt, List<StoredWrite> writes) {
        List<StoredWrite> all = List.copyOf(writes);
        return thread.run(() -> {
            if (decidedAt != position) {
                throw new StoreConflictException();
            }
            write(ConfigBatch.of(all, position, "", epoch, head), head);
            return position;
        });
    }

    /** Where this copy of a shared log is, for what comes after it. */
    record Standing(long position, String batchId, long epoch, AuditHead head) {}

    Future<Standing> standing() {
        return thread.run(() -> new Standing(position, batchId, epoch, head));
    }

    /** Everything that is here. */
    Future<ConfigWhole> whole() {
        return thread.run(() -> {
            List<ConfigRow> rows = new ArrayList<>();
            List<AuditEntry> audit = new ArrayList<>();
            try (Statement statement = connection.createStatement()) {
                try (ResultSet found = statement.executeQuery("SELECT kind, owner, id, json FROM object")) {
                    while (found.next()) {
                        rows.add(row(found));
                    }
                }
                try (ResultSet found = statement.executeQuery(
                        "SELECT id, at, tenant, actor, action, subject, detail, hash FROM audit ORDER BY id")) {
                    while (found.next()) {
                        audit.add(entry(found));
                    }
                }
            }
            connection.commit();
            return new ConfigWhole(position, batchId, epoch, rows, audit);
        });
    }

    private static ConfigRow row(ResultSet found) throws SQLException {
        return new ConfigRow(found.getString(1), found.getString(2), found.getString(3), found.getString(4));
    }

    /** Keeps a batch of a shared log: the one after {@link #position}. */
    Future<Void> apply(ConfigBatch batch) {
        return thread.run(() -> {
            if (batch.position() != position + 1) {
                throw new StoreException("batch " + batch.position() + " does not follow batch " + position);
            }
            write(batch, head);
            return null;
        });
    }

    /** Keeps {@code whole} and nothing of what was here. */
    Future<Void> replace(ConfigWhole whole) {
        return thread.run(() -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("DELETE FROM object");
                statement.execute("DELETE FROM audit");
            }
            write(
                    new ConfigBatch(whole.position(), whole.id(), whole.epoch(), "", whole.rows(), whole.audit()),
                    AuditHead.START);
            return null;
        });
    }

    private void write(ConfigBatch batch, AuditHead before) throws SQLException {
        AuditHead after = batch.head(before);
        try (PreparedStatement object =
                        connection.prepareStatement("INSERT OR REPLACE INTO object VALUES (?,?,?,?,?)");
                PreparedStatement audit = connection.prepareStatement("INSERT INTO audit VALUES (?,?,?,?,?,?,?,?)")) {
            for (ConfigRow row : batch.rows()) {
                bind(object, row, batch.epoch());
            }
            for (AuditEntry entry : batch.audit()) {
                bind(audit, entry);
            }
            object.executeBatch();
            audit.executeBatch();
            setMeta("epoch", Long.toString(batch.epoch()));
            setMeta("audit", after.id() + ":" + after.hash());
            setMeta("position", Long.toString(batch.position()));
            setMeta("batch", batch.id());
            connection.commit();
        }
        epoch = batch.epoch();
        head = after;
        position = batch.position();
        batchId = batch.id();
    }

    private static void bind(PreparedStatement statement, ConfigRow row, long epoch) throws SQLException {
        statement.setString(1, row.kind());
        statement.setString(2, row.owner());
        statement.setString(3, row.id());
        statement.setLong(4, epoch);
        statement.setString(5, row.json());
        statement.addBatch();
    }

    private static void bind(PreparedStatement row, AuditEntry entry) throws SQLException {
        row.setLong(1, entry.id());
        row.setString(2, entry.at().toString());
        row.setString(3, entry.tenant() == null ? "" : entry.tenant().value());
        row.setString(4, entry.actor());
        row.setString(5, entry.action());
        row.setString(6, entry.subject());
        row.setString(7, AuditChain.text(entry.detail()));
        row.setString(8, entry.hash());
        row.addBatch();
    }

    @Override
    public Future<AuditPage> audit(TenantId tenant, Set<String> actions, int first, String after) {
        return thread.run(() -> {
            String sql = "SELECT id, at, tenant, actor, action, subject, detail, hash FROM audit WHERE id < ?"
                    + (tenant == null ? "" : " AND tenant = ?")
                    + (actions.isEmpty() ? "" : " AND action IN (?" + ",?".repeat(actions.size() - 1) + ")")
                    + " ORDER BY id DESC LIMIT ?";
            List<AuditEntry> entries = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement(sql)) {
                int next = 1;
                query.setLong(next++, after == null ? Long.MAX_VALUE : Long.parseLong(after));
                if (tenant != null) {
                    query.setString(next++, tenant.value());
                }
                for (String action : actions) {
                    query.setString(next++, action);
                }
                query.setInt(next, first + 1);
                try (ResultSet found = query.executeQuery()) {
                    while (found.next()) {
                        entries.add(entry(found));
                    }
                }
            }
            connection.commit();
            boolean more = entries.size() > first;
            List<AuditEntry> page = more ? entries.subList(0, first) : entries;
            return new AuditPage(page, more ? Long.toString(page.get(first - 1).id()) : null);
        });
    }

    private static AuditEntry entry(ResultSet row) throws SQLException {
        try {
            String tenant = row.getString(3);
            return new AuditEntry(
                    row.getLong(1),
                    Instant.parse(row.getString(2)),
                    tenant.isEmpty() ? null : new TenantId(tenant),
                    row.getString(4),
                    row.getString(5),
                    row.getString(6),
                    StrictJson.MAPPER.readTree(row.getString(7)),
                    row.getString(8));
        } catch (JsonProcessingException | RuntimeException unreadable) {
            throw new StoreException("audit entry " + row.getLong(1) + " can not be read", unreadable);
        }
    }

    @Override
    public Future<List<String>> verifyAudit() {
        return thread.run(() -> {
            List<String> wrong = AuditVerifier.verify(connection, head.id(), head.hash());
            connection.commit();
            return wrong;
        });
    }

    @Override
    public Future<Void> close() {
        return thread.close();
    }

    private String meta(String name) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT value FROM meta WHERE name = ?")) {
            query.setString(1, name);
            try (ResultSet found = query.executeQuery()) {
                return found.next() ? found.getString(1) : null;
            }
        }
    }

    private void setMeta(String name, String value) throws SQLException {
        try (PreparedStatement row = connection.prepareStatement("INSERT OR REPLACE INTO meta VALUES (?,?)")) {
            row.setString(1, name);
            row.setString(2, value);
            row.executeUpdate();
        }
    }

    private String scalar(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            return found.getString(1);
        }
    }
}
