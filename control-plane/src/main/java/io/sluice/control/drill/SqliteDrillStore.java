package io.sluice.control.drill;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.drill.Proven.Rung;
import io.sluice.control.store.SqliteThread;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.Proof;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Future;
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

/** One SQLite file of its own, used by one thread. A crash of the machine may lose the last save, never an earlier one. */
public final class SqliteDrillStore implements DrillStore {
    private static final List<String> TABLES = List.of(
            "CREATE TABLE IF NOT EXISTS drill_run (tenant TEXT NOT NULL, drill TEXT NOT NULL, from_ms INTEGER NOT NULL,"
                    + " json TEXT NOT NULL, PRIMARY KEY (tenant, drill, from_ms)) WITHOUT ROWID",
            "CREATE TABLE IF NOT EXISTS rung_proof (tenant TEXT NOT NULL, scenario TEXT NOT NULL, step TEXT NOT NULL,"
                    + " at_ms INTEGER NOT NULL, how TEXT NOT NULL, PRIMARY KEY (tenant, scenario, step)) WITHOUT ROWID");

    private final SqliteThread thread;
    private final Connection connection;

    private SqliteDrillStore(Connection connection) {
        this.connection = connection;
        thread = new SqliteThread("the store of drills", "sluice-drill-store", connection);
    }

    /**
     * Opens the store in {@code file}, or makes it. Blocks: not for event loops.
     *
     * @throws StoreException where it can not be opened
     */
    public static SqliteDrillStore open(Path file) {
        try {
            Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA journal_mode=WAL");
                statement.execute("PRAGMA synchronous=NORMAL");
                for (String table : TABLES) {
                    statement.execute(table);
                }
            }
            connection.setAutoCommit(false);
            return new SqliteDrillStore(connection);
        } catch (SQLException failure) {
            throw new StoreException(
                    "the results of drills in " + file.getFileName() + " can not be opened; move the file away to begin"
                            + " with none (" + failure.getMessage() + ")",
                    failure);
        }
    }

    @Override
    public Future<Pages> load() {
        return thread.run(() -> {
            List<DrillTally> runs = new ArrayList<>();
            List<Proven> proofs = new ArrayList<>();
            try (Statement statement = connection.createStatement()) {
                try (ResultSet found = statement.executeQuery("SELECT json FROM drill_run")) {
                    while (found.next()) {
                        runs.add(run(found.getString(1)));
                    }
                }
                try (ResultSet found =
                        statement.executeQuery("SELECT tenant, scenario, step, at_ms, how FROM rung_proof")) {
                    while (found.next()) {
                        proofs.add(new Proven(
                                new Rung(new TenantId(found.getString(1)), found.getString(2), found.getString(3)),
                                Instant.ofEpochMilli(found.getLong(4)),
                                Proof.valueOf(found.getString(5))));
                    }
                }
            }
            connection.commit();
            return new Pages(runs, proofs);
        });
    }

    private static DrillTally run(String json) {
        try {
            return StrictJson.MAPPER.readValue(json, DrillTally.class);
        } catch (JsonProcessingException unreadable) {
            throw new StoreException(
                    "a run of a drill can not be read; move drills.db away to begin with none", unreadable);
        }
    }

    @Override
    public Future<Void> save(Pages changed, List<DrillTally.Run> gone) {
        return thread.run(() -> {
            try (PreparedStatement run =
                            connection.prepareStatement("INSERT OR REPLACE INTO drill_run VALUES (?,?,?,?)");
                    PreparedStatement forget = connection.prepareStatement(
                            "DELETE FROM drill_run WHERE tenant = ? AND drill = ? AND from_ms = ?");
                    PreparedStatement proof =
                            connection.prepareStatement("INSERT OR REPLACE INTO rung_proof VALUES (?,?,?,?,?)")) {
                for (DrillTally tally : changed.runs()) {
                    bind(run, tally.run());
                    run.setString(4, json(tally));
                    run.addBatch();
                }
                for (DrillTally.Run old : gone) {
                    bind(forget, old);
                    forget.addBatch();
                }
                for (Proven proven : changed.proofs()) {
                    proof.setString(1, proven.rung().tenant().value());
                    proof.setString(2, proven.rung().scenario());
                    proof.setString(3, proven.rung().step());
                    proof.setLong(4, proven.at().toEpochMilli());
                    proof.setString(5, proven.how().name());
                    proof.addBatch();
                }
                run.executeBatch();
                forget.executeBatch();
                proof.executeBatch();
                connection.commit();
            }
            return null;
        });
    }

    private static void bind(PreparedStatement row, DrillTally.Run run) throws SQLException {
        row.setString(1, run.tenant().value());
        row.setString(2, run.drill());
        row.setLong(3, run.from().toEpochMilli());
    }

    private static String json(DrillTally tally) {
        try {
            return StrictJson.MAPPER.writeValueAsString(tally);
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalStateException(brokenRecord);
        }
    }

    @Override
    public Future<Void> close() {
        return thread.close();
    }
}
