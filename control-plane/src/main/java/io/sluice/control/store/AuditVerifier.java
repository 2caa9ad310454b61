package io.sluice.control.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Computes the hash chain of the audit log again, from the bytes that are stored. It finds changed, inserted and removed
 * entries; a log that was rewritten to its end by someone who could also change the stored head is not found.
 */
final class AuditVerifier {
    private AuditVerifier() {}

    /** The first thing that does not fit; empty where all does. */
    static List<String> verify(Connection connection, long lastId, String lastHash) throws SQLException {
        String before = AuditChain.START;
        long id = 0;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT * FROM audit ORDER BY id")) {
            while (row.next()) {
                id++;
                if (row.getLong("id") != id) {
                    return List.of("entry " + id + " is missing");
                }
                String hash = AuditChain.hash(
                        before,
                        id,
                        row.getString("at"),
                        row.getString("tenant"),
                        row.getString("actor"),
                        row.getString("action"),
                        row.getString("subject"),
                        row.getString("detail"));
                if (!hash.equals(row.getString("hash"))) {
                    return List.of("entry " + id + " was changed");
                }
                before = hash;
            }
        }
        if (id != lastId) {
            return List.of("entry " + (id + 1) + " is missing");
        }
        return before.equals(lastHash) ? List.of() : List.of("entry " + id + " was replaced");
    }
}
