package io.sluice.data.recall;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.recall.IdempotencyDecider;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Input;
import io.sluice.tenants.recall.IdempotencyDecider.Standing;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import io.vertx.core.buffer.Buffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of the store, and how much each tenant has of them. Used by the store's thread only, inside its transactions. */
final class IdempotencyRows {
    static final List<String> TABLES = List.of(
            "CREATE TABLE record (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, app TEXT NOT NULL, route TEXT NOT NULL,"
                    + " name TEXT NOT NULL, fingerprint TEXT NOT NULL, kind TEXT NOT NULL, standing TEXT NOT NULL,"
                    + " at INTEGER NOT NULL, trace TEXT NOT NULL, bytes INTEGER NOT NULL, status INTEGER, type TEXT,"
                    + " model TEXT, step TEXT, descents INTEGER, degraded TEXT, body BLOB,"
                    + " UNIQUE (tenant, app, route, name))",
            "CREATE INDEX record_age ON record (at)",
            "CREATE INDEX record_tenant_age ON record (tenant, at)");

    /** About what a record takes without an answer. */
    private static final int NOTE_BYTES = 512;

    /** Records that go in one transaction, so that nobody waits for long. */
    private static final int PURGED_MAX = 256;

    private static final String WHERE = " WHERE tenant = ? AND app = ? AND route = ? AND name = ?";

    private final Connection connection;
    private final PreparedStatement select;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final PreparedStatement delete;
    private final Map<String, Long> bytes = new HashMap<>();
    private final Map<String, Long> change = new HashMap<>();
    private long total;

    IdempotencyRows(Connection connection) throws SQLException {
        this.connection = connection;
        select = connection.prepareStatement(
                "SELECT fingerprint, kind, standing, at, trace, status, type, model, step, descents, degraded, body, bytes"
                        + " FROM record" + WHERE);
        insert = connection.prepareStatement(
                "INSERT INTO record (tenant, app, route, name, fingerprint, kind, standing, at, trace, bytes)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        update = connection.prepareStatement(
                "UPDATE record SET standing = ?, bytes = ?, status = ?, type = ?, model = ?, step = ?, descents = ?,"
                        + " degraded = ?, body = ?, trace = ?" + WHERE);
        delete = connection.prepareStatement("DELETE FROM record" + WHERE + " RETURNING bytes");
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT tenant, SUM(bytes) FROM record GROUP BY tenant")) {
            while (found.next()) {
                grow(found.getString(1), found.getLong(2));
            }
        }
        committed();
    }

    /** The transaction holds: what changed is what there is. */
    void committed() {
        change.forEach((tenant, more) -> {
            total += more;
            if (bytes.merge(tenant, more, Long::sum) <= 0) {
                bytes.remove(tenant);
            }
        });
        change.clear();
    }

    /** The transaction does not hold. */
    void rolledBack() {
        change.clear();
    }

    long total() {
        return total;
    }

    private void grow(String tenant, long more) {
        change.merge(tenant, more, Long::sum);
    }

    /** See {@link IdempotencyStore#begin}. */
    Found begin(Claim claim, long ttlMs) throws SQLException {
        bind(select, 1, claim.key());
        Input input = new Input(Standing.ABSENT, false, claim.kind(), true);
        KeptAnswer answer = null;
        try (ResultSet row = select.executeQuery()) {
            if (row.next() && row.getLong(4) + ttlMs > claim.atMs()) {
                input = new Input(
                        Standing.valueOf(row.getString(3)),
                        row.getString(1).equals(claim.fingerprint()),
                        RequestKind.valueOf(row.getString(2)).strictest(claim.kind()),
                        true);
                answer = input.standing() == Standing.KEPT ? answer(row) : null;
            }
        }
        Verdict verdict = IdempotencyDecider.decide(input);
        if (verdict.begins()) {
            delete(claim.key());
            insert(claim, input.kind());
        }
        return new Found(input, verdict, verdict == Verdict.REPLAY ? answer : null);
    }

    private static KeptAnswer answer(ResultSet row) throws SQLException {
        return new KeptAnswer(
                row.getInt(6),
                row.getString(7),
                Buffer.buffer(row.getBytes(12)),
                row.getString(8),
                row.getString(9),
                row.getInt(10),
                row.getString(11),
                row.getString(5));
    }

    /** While it runs, its outcome is unknown to every other life of the process. */
    private void insert(Claim claim, RequestKind kind) throws SQLException {
        int next = bind(insert, 1, claim.key());
        insert.setString(next++, claim.fingerprint());
        insert.setString(next++, kind.name());
        insert.setString(next++, Standing.UNKNOWN.name());
        insert.setLong(next++, claim.atMs());
        insert.setString(next++, claim.traceId());
        insert.setLong(next, NOTE_BYTES);
        insert.executeUpdate();
        grow(claim.key().tenant().value(), NOTE_BYTES);
    }

    /** See {@link IdempotencyStore#end}. */
    void end(Claim claim, Fate fate, KeptAnswer answer) throws SQLException {
        switch (fate) {
            case FREE -> delete(claim.key());
            case MARK_UNKNOWN -> {
                // It says so since it began.
            }
            case KEEP -> keep(claim, Standing.KEPT, answer);
            case KEEP_NOTE -> keep(claim, Standing.TOO_LARGE, null);
        }
    }

    private void keep(Claim claim, Standing standing, KeptAnswer answer) throws SQLException {
        long size = answer == null ? NOTE_BYTES : answer.bytes();
        update.setString(1, standing.name());
        update.setLong(2, size);
        update.setInt(3, answer == null ? 0 : answer.status());
        update.setString(4, answer == null ? null : answer.contentType());
        update.setString(5, answer == null ? null : answer.model());
        update.setString(6, answer == null ? null : answer.step());
        update.setInt(7, answer == null ? 0 : answer.descents());
        update.setString(8, answer == null ? null : answer.degraded());
        update.setBytes(9, answer == null ? null : answer.body().getBytes());
        update.setString(10, claim.traceId());
        bind(update, 11, claim.key());
        if (update.executeUpdate() != 1) {
            throw new SQLException("the record of a running request is gone");
        }
        grow(claim.key().tenant().value(), size - NOTE_BYTES);
    }

    private void delete(IdempotencyKey key) throws SQLException {
        bind(delete, 1, key);
        try (ResultSet gone = delete.executeQuery()) {
            if (gone.next()) {
                grow(key.tenant().value(), -gone.getLong(1));
            }
        }
    }

    /** Forgets some of the records from before {@code atMs}; whether there may be more of them. */
    boolean purgeBefore(long atMs) throws SQLException {
        return purge("at < ?", atMs) == PURGED_MAX;
    }

    /** Forgets the oldest answers of the tenant that keeps most, never what is unknown; whether there was one. */
    boolean purgeLargest() throws SQLException {
        String largest = bytes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
        return purge("standing <> 'UNKNOWN' AND tenant = ?", largest) > 0;
    }

    private int purge(String which, Object parameter) throws SQLException {
        int gone = 0;
        try (PreparedStatement purge =
                connection.prepareStatement("DELETE FROM record WHERE id IN (SELECT id FROM record" + " WHERE " + which
                        + " ORDER BY at LIMIT " + PURGED_MAX + ") RETURNING tenant, bytes")) {
            purge.setObject(1, parameter);
            try (ResultSet each = purge.executeQuery()) {
                while (each.next()) {
                    grow(each.getString(1), -each.getLong(2));
                    gone++;
                }
            }
        }
        return gone;
    }

    private static int bind(PreparedStatement statement, int from, IdempotencyKey key) throws SQLException {
        int next = from;
        statement.setString(next++, key.tenant().value());
        statement.setString(next++, key.app());
        statement.setString(next++, key.route());
        statement.setString(next++, key.text());
        return next;
    }
}
