package io.sluice.control.spend;

import io.sluice.control.spend.SpendLog.Place;
import io.sluice.control.spend.WaitingSums.Taken;
import io.sluice.control.spend.WaitingSums.Told;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.SpendKey;
import io.sluice.tenants.ledger.SpendSum;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The tables of usage and what is written to them. {@code spend} has sums by quarter of an hour and all that spend can be told apart by, for
 * good, those of the last shipments excepted ({@link RowsBehind}); {@code told} has who told them; {@code charges} has a row per shipment, with all of its requests packed, for a while. Of the store's writing thread.
 */
final class SpendTables {
    static final List<String> TABLES = List.of(
            "CREATE TABLE position (node TEXT NOT NULL, journal INTEGER NOT NULL, seq INTEGER NOT NULL,"
                    + " PRIMARY KEY (node, journal)) WITHOUT ROWID",
            "CREATE TABLE spend (tenant TEXT NOT NULL, bucket INTEGER NOT NULL, app TEXT NOT NULL, scenario TEXT NOT NULL,"
                    + " provider TEXT NOT NULL, model TEXT NOT NULL, step TEXT NOT NULL, end_user TEXT NOT NULL,"
                    + " price_version TEXT NOT NULL, estimated INTEGER NOT NULL,"
                    + " requests INTEGER NOT NULL, calls INTEGER NOT NULL, input INTEGER NOT NULL,"
                    + " cached_input INTEGER NOT NULL, cache_write INTEGER NOT NULL, output INTEGER NOT NULL,"
                    + " reasoning INTEGER NOT NULL, cost INTEGER NOT NULL, unpriced INTEGER NOT NULL,"
                    + " server_tool_calls INTEGER NOT NULL DEFAULT 0,"
                    + " PRIMARY KEY (tenant, bucket, app, scenario, provider, model, step, end_user, price_version, estimated))"
                    + " WITHOUT ROWID");

    static final String TOLD =
            "CREATE TABLE IF NOT EXISTS told (tenant TEXT NOT NULL, bucket INTEGER NOT NULL, node TEXT NOT NULL,"
                    + " cost INTEGER NOT NULL, requests INTEGER NOT NULL, PRIMARY KEY (tenant, bucket, node)) WITHOUT ROWID";

    /** What a table of {@code spend} lacks that a release wrote before there were fees for tools. */
    static final String SERVER_TOOL_CALLS = "ALTER TABLE spend ADD COLUMN server_tool_calls INTEGER NOT NULL DEFAULT 0";

    private static final String ADD_TOLD = "INSERT INTO told VALUES (?,?,?,?,?)"
            + " ON CONFLICT DO UPDATE SET cost = cost + excluded.cost, requests = requests + excluded.requests";

    static final List<String> CHARGES = List.of(
            "CREATE TABLE charges (from_s INTEGER NOT NULL, until_s INTEGER NOT NULL, node TEXT NOT NULL, journal INTEGER NOT NULL,"
                    + " packed BLOB NOT NULL)",
            "CREATE INDEX charges_until ON charges (until_s)");

    private static final String ADD = "INSERT INTO spend VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
            + " ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, calls = calls + excluded.calls,"
            + " input = input + excluded.input, cached_input = cached_input + excluded.cached_input,"
            + " cache_write = cache_write + excluded.cache_write, output = output + excluded.output,"
            + " reasoning = reasoning + excluded.reasoning, cost = cost + excluded.cost,"
            + " unpriced = unpriced + excluded.unpriced,"
            + " server_tool_calls = server_tool_calls + excluded.server_tool_calls";

    /** Some 1 KB of memory a row until they are executed. */
    private static final int BATCH = 500;

    private final Connection connection;

    SpendTables(Connection connection) {
        this.connection = connection;
    }

    long position(String node, long journal) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT seq FROM position WHERE node = ? AND journal = ?")) {
            query.setString(1, node);
            query.setLong(2, journal);
            try (ResultSet found = query.executeQuery()) {
                return found.next() ? found.getLong(1) : 0;
            }
        }
    }

    List<Place> places() throws SQLException {
        List<Place> places = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT node, journal, seq FROM position");
                ResultSet found = query.executeQuery()) {
            while (found.next()) {
                places.add(new Place(found.getString(1), found.getLong(2), found.getLong(3)));
            }
        }
        return places;
    }

    /** Keeps the charges and moves the position; the transaction is the caller's. */
    void add(SpendShipped shipped) throws SQLException {
        if (!shipped.charges().isEmpty()) {
            keep(shipped);
        }
        try (PreparedStatement move = connection.prepareStatement("INSERT OR REPLACE INTO position VALUES (?,?,?)")) {
            move.setString(1, shipped.node());
            move.setLong(2, shipped.journal());
            move.setLong(3, shipped.upToSeq());
            move.executeUpdate();
        }
    }

    /** Adds sums to their rows; the transaction is the caller's. */
    void write(List<Taken> all) throws SQLException {
        if (all.isEmpty()) {
            return;
        }
        try (PreparedStatement sum = connection.prepareStatement(ADD);
                PreparedStatement told = connection.prepareStatement(ADD_TOLD)) {
            int bound = 0;
            for (Taken taken : all) {
                for (SpendSum each : taken.sums()) {
                    bind(sum, each);
                }
                for (Told each : taken.told()) {
                    bind(told, taken.tenant(), each);
                }
                bound += taken.sums().size();
                if (bound >= BATCH) {
                    bound = 0;
                    sum.executeBatch();
                    told.executeBatch();
                }
            }
            sum.executeBatch();
            told.executeBatch();
        }
    }

    private void keep(SpendShipped shipped) throws SQLException {
        long from = Long.MAX_VALUE;
        long until = Long.MIN_VALUE;
        for (SpendSum each : shipped.sums()) {
            from = Math.min(from, each.key().beginSeconds());
            until = Math.max(until, each.key().beginSeconds() + SpendKey.QUARTER_SECONDS);
        }
        try (PreparedStatement row = connection.prepareStatement("INSERT INTO charges VALUES (?,?,?,?,?)")) {
            row.setLong(1, from);
            row.setLong(2, until);
            row.setString(3, shipped.node());
            row.setLong(4, shipped.journal());
            row.setBytes(5, shipped.charges().bytes());
            row.executeUpdate();
        }
    }

    private static void bind(PreparedStatement row, SpendSum sum) throws SQLException {
        SpendKey key = sum.key();
        int next = 1;
        row.setString(next++, key.tenant().value());
        row.setLong(next++, key.quarter());
        for (String part : Arrays.asList(
                key.app(),
                key.scenario(),
                key.provider(),
                key.model(),
                key.step(),
                key.endUser(),
                key.priceVersion())) {
            row.setString(next++, part == null ? "" : part); // no two nulls are equal
        }
        row.setInt(next++, key.estimated() ? 1 : 0);
        for (long figure : new long[] {
            sum.requests(),
            sum.calls(),
            sum.input(),
            sum.cachedInput(),
            sum.cacheWrite(),
            sum.output(),
            sum.reasoning(),
            sum.costMicros(),
            sum.unpriced(),
            sum.serverToolCalls()
        }) {
            row.setLong(next++, figure);
        }
        row.addBatch();
    }

    private static void bind(PreparedStatement row, TenantId tenant, Told told) throws SQLException {
        row.setString(1, tenant.value());
        row.setLong(2, told.teller().quarter());
        row.setString(3, told.teller().node());
        row.setLong(4, told.costMicros());
        row.setLong(5, told.requests());
        row.addBatch();
    }

    void purge(Instant before) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM charges WHERE until_s < ?")) {
            delete.setLong(1, before.getEpochSecond());
            delete.executeUpdate();
        }
    }
}
