package io.sluice.control.webhook;

import io.sluice.control.store.SqliteFile;
import io.sluice.control.store.SqliteThread;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.TenantId;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** One SQLite file: WAL, synchronous=FULL. A row per alert. */
public final class SqliteAlertStore implements AlertStore {
    /** Grows when a release before could no longer read the table. */
    private static final int SCHEMA = 1;

    private static final List<String> TABLES = List.of(
            "CREATE TABLE alert (seq INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, webhook TEXT NOT NULL,"
                    + " event TEXT NOT NULL, subject TEXT NOT NULL, what TEXT NOT NULL, at_ms INTEGER NOT NULL,"
                    + " ends_ms INTEGER NOT NULL, body TEXT NOT NULL, outcome TEXT, attempts INTEGER NOT NULL,"
                    + " next_ms INTEGER NOT NULL, UNIQUE (tenant, webhook, event))",
            "CREATE INDEX alert_open ON alert (next_ms) WHERE outcome IS NULL",
            "CREATE INDEX alert_ends ON alert (ends_ms)");

    private static final String ALERT = "SELECT tenant, webhook, event, subject, what, at_ms, ends_ms, body, attempts";

    /** Of each webhook the row that waits longest, so that one that does not answer holds up only itself. */
    private static final String DUE = ALERT + " FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY tenant, webhook"
            + " ORDER BY next_ms, seq) AS place FROM alert WHERE outcome IS NULL AND next_ms <= ?) WHERE place = 1";

    private static final String OF_KEY = " WHERE tenant = ? AND webhook = ? AND event = ?";

    private final SqliteThread thread;
    private final Connection connection;

    private SqliteAlertStore(Connection connection) {
        this.connection = connection;
        thread = new SqliteThread("the store of webhook events", "sluice-webhook-store", connection);
    }

    /**
     * Opens the store in {@code file}, or makes it. Blocks: not for event loops.
     *
     * @throws StoreException where it can not be opened, or a newer release wrote it
     */
    public static SqliteAlertStore open(Path file) {
        try {
            return new SqliteAlertStore(SqliteFile.open(file, "the store", SCHEMA, TABLES, false));
        } catch (IOException | SQLException failure) {
            throw new StoreException(
                    "the store " + file.getFileName()
                            + " can not be opened; is it writable and whole? Without it webhooks"
                            + " are told again what they know (" + failure.getMessage() + ")",
                    failure);
        }
    }

    @Override
    public Future<List<Alert>> told(Instant now) {
        return thread.run(() -> {
            List<Alert> told = new ArrayList<>();
            try (PreparedStatement query =
                    connection.prepareStatement(ALERT + " FROM alert WHERE ends_ms > ? ORDER BY seq")) {
                query.setLong(1, now.toEpochMilli());
                try (ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        told.add(alert(row));
                    }
                }
            }
            connection.commit();
            return told;
        });
    }

    /** Keys have no nulls, since no two nulls are equal. */
    private static TenantId tenant(String text) {
        return text.isEmpty() ? null : new TenantId(text);
    }

    private static Alert alert(ResultSet row) throws SQLException {
        return new Alert(
                new Alert.Key(tenant(row.getString(1)), row.getString(2), row.getString(3)),
                row.getString(4),
                row.getString(5),
                Instant.ofEpochMilli(row.getLong(6)),
                Instant.ofEpochMilli(row.getLong(7)),
                row.getString(8));
    }

    @Override
    public Future<Void> add(List<Alert> alerts) {
        return thread.run(() -> {
            try (PreparedStatement row = connection.prepareStatement(
                    "INSERT OR IGNORE INTO alert (tenant, webhook, event, subject, what, at_ms, ends_ms, body, attempts,"
                            + " next_ms) VALUES (?,?,?,?,?,?,?,?,0,?)")) {
                for (Alert alert : alerts) {
                    bind(row, 1, alert.key());
                    row.setString(4, alert.subject());
                    row.setString(5, alert.what());
                    row.setLong(6, alert.at().toEpochMilli());
                    row.setLong(7, alert.ends().toEpochMilli());
                    row.setString(8, alert.body());
                    row.setLong(9, alert.at().toEpochMilli());
                    row.addBatch();
                }
                row.executeBatch();
            }
            connection.commit();
            return null;
        });
    }

    private static void bind(PreparedStatement row, int from, Alert.Key key) throws SQLException {
        row.setString(from, key.tenant() == null ? "" : key.tenant().value());
        row.setString(from + 1, key.webhook());
        row.setString(from + 2, key.event());
    }

    @Override
    public Future<List<Delivery>> due(Instant now) {
        return thread.run(() -> {
            List<Delivery> due = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement(DUE)) {
                query.setLong(1, now.toEpochMilli());
                try (ResultSet row = query.executeQuery()) {
                    while (row.next()) {
                        due.add(new Delivery(alert(row), row.getInt(9)));
                    }
                }
            }
            connection.commit();
            return due;
        });
    }

    @Override
    public Future<Void> failed(Alert.Key key, int attempts, Instant next) {
        return thread.run(() -> {
            try (PreparedStatement row =
                    connection.prepareStatement("UPDATE alert SET attempts = ?, next_ms = ?" + OF_KEY)) {
                row.setInt(1, attempts);
                row.setLong(2, next.toEpochMilli());
                bind(row, 3, key);
                row.executeUpdate();
            }
            connection.commit();
            return null;
        });
    }

    @Override
    public Future<Void> ended(Alert.Key key, Outcome outcome) {
        return thread.run(() -> {
            try (PreparedStatement row = connection.prepareStatement("UPDATE alert SET outcome = ?" + OF_KEY)) {
                row.setString(1, outcome.name());
                bind(row, 2, key);
                row.executeUpdate();
            }
            connection.commit();
            return null;
        });
    }

    @Override
    public Future<Void> purge(Instant before) {
        return thread.run(() -> {
            try (PreparedStatement delete =
                    connection.prepareStatement("DELETE FROM alert WHERE ends_ms < ? AND outcome IS NOT NULL")) {
                delete.setLong(1, before.toEpochMilli());
                delete.executeUpdate();
            }
            connection.commit();
            return null;
        });
    }

    @Override
    public Future<Void> close() {
        return thread.close();
    }
}
