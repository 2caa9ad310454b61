package io.sluice.control.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Opens the file of a store, or makes it with its tables. What is committed there survives a crash. */
public final class SqliteFile {
    private SqliteFile() {}

    /**
     * A connection without auto-commit. Blocks: not for event loops.
     *
     * @param what for error messages, such as {@code the ledger}
     * @param schema grows when a release before could no longer read the tables
     * @param tables statements that make a new file
     * @param alone whether other connections are kept out from the first write on
     * @throws StoreException where a newer release wrote it
     */
    public static Connection open(Path file, String what, int schema, List<String> tables, boolean alone)
            throws IOException, SQLException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
        int written;
        try (Statement statement = connection.createStatement()) {
            if (alone) {
                statement.execute("PRAGMA locking_mode=EXCLUSIVE");
            }
            statement.execute("PRAGMA journal_mode=WAL");
            statement.execute("PRAGMA synchronous=FULL");
            connection.setAutoCommit(false);
            try (ResultSet found = statement.executeQuery("PRAGMA user_version")) {
                written = found.getInt(1);
            }
            if (written == 0) {
                for (String table : tables) {
                    statement.execute(table);
                }
                statement.execute("PRAGMA user_version=" + schema);
            }
            connection.commit();
        }
        if (written > schema) {
            connection.close();
            throw new StoreException(what + " " + file.getFileName() + " was written by a newer release (schema "
                    + written + ", this one knows " + schema + "); start that release");
        }
        return connection;
    }
}
