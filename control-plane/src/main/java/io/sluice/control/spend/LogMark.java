package io.sluice.control.spend;

import io.sluice.control.spend.FollowDecider.Standing;
import io.sluice.tenants.TenantId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * How far a copy has followed the log, and which corrections it has: in the same file as what they led to, so that a transaction holds
 * both. Of the store's writing thread.
 */
final class LogMark {
    static final List<String> TABLES = List.of(
            "CREATE TABLE IF NOT EXISTS log_mark (only_row INTEGER PRIMARY KEY CHECK (only_row = 0),"
                    + " position INTEGER NOT NULL, id TEXT NOT NULL)",
            "CREATE TABLE IF NOT EXISTS adjusted (id TEXT PRIMARY KEY, tenant TEXT NOT NULL, no INTEGER NOT NULL)"
                    + " WITHOUT ROWID");

    private final Connection connection;

    LogMark(Connection connection) {
        this.connection = connection;
    }

    /** @param fresh the id of a copy that has none yet */
    Standing standing(String fresh) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT position, id FROM log_mark");
                ResultSet found = query.executeQuery()) {
            if (found.next()) {
                return new Standing(found.getLong(1), found.getString(2), history());
            }
        }
        move(0, fresh);
        return new Standing(0, fresh, history());
    }

    private boolean history() throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                        "SELECT EXISTS (SELECT 1 FROM position) OR EXISTS (SELECT 1 FROM statement_head)");
                ResultSet found = query.executeQuery()) {
            return found.getInt(1) != 0;
        }
    }

    void move(long position, String id) throws SQLException {
        try (PreparedStatement row = connection.prepareStatement("INSERT OR REPLACE INTO log_mark VALUES (0,?,?)")) {
            row.setLong(1, position);
            row.setString(2, id);
            row.executeUpdate();
        }
    }

    /** A place in a tenant's chain. */
    record EntryNo(TenantId tenant, long no) {}

    /** The entry that a correction became; null where it is none yet. */
    EntryNo adjusted(String id) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT tenant, no FROM adjusted WHERE id = ?")) {
            query.setString(1, id);
            try (ResultSet found = query.executeQuery()) {
                return found.next() ? new EntryNo(new TenantId(found.getString(1)), found.getLong(2)) : null;
            }
        }
    }

    void adjusted(String id, EntryNo entry) throws SQLException {
        try (PreparedStatement row = connection.prepareStatement("INSERT INTO adjusted VALUES (?,?,?)")) {
            row.setString(1, id);
            row.setString(2, entry.tenant().value());
            row.setLong(3, entry.no());
            row.executeUpdate();
        }
    }
}
