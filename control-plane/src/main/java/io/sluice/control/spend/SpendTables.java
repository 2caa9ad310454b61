package io.sluice.control.spend;

import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.ledger.SpendFacts.Charge;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.message.SpendEntry;
import io.sluice.tenants.money.TokenUsage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * The tables of usage and what is written to them. {@code charge} has one row per charge of a request, for a while; {@code spend} sums
 * them up by quarter of an hour and all they can be told apart by, for good. Of the store's writing thread.
 */
final class SpendTables {
    /** Seconds of a bucket: the midnights of all time zones are on one. */
    static final long BUCKET_S = 900;

    static final List<String> TABLES = List.of(
            "CREATE TABLE position (node TEXT NOT NULL, journal INTEGER NOT NULL, seq INTEGER NOT NULL,"
                    + " PRIMARY KEY (node, journal)) WITHOUT ROWID",
            "CREATE TABLE charge (node TEXT NOT NULL, journal INTEGER NOT NULL, seq INTEGER NOT NULL, n INTEGER NOT NULL,"
                    + " at_ms INTEGER NOT NULL, tenant TEXT NOT NULL, request TEXT NOT NULL, trace TEXT NOT NULL,"
                    + " app TEXT NOT NULL, scenario TEXT NOT NULL, end_user TEXT NOT NULL, step TEXT NOT NULL,"
                    + " provider TEXT NOT NULL, model TEXT NOT NULL, price_version TEXT NOT NULL, estimated INTEGER NOT NULL,"
                    + " input INTEGER NOT NULL, cached_input INTEGER NOT NULL, cache_write INTEGER NOT NULL,"
                    + " output INTEGER NOT NULL, reasoning INTEGER NOT NULL, cost INTEGER,"
                    + " PRIMARY KEY (node, journal, seq, n)) WITHOUT ROWID",
            "CREATE INDEX charge_at ON charge (at_ms)",
            "CREATE TABLE spend (tenant TEXT NOT NULL, bucket INTEGER NOT NULL, app TEXT NOT NULL, scenario TEXT NOT NULL,"
                    + " provider TEXT NOT NULL, model TEXT NOT NULL, step TEXT NOT NULL, end_user TEXT NOT NULL,"
                    + " price_version TEXT NOT NULL, estimated INTEGER NOT NULL,"
                    + " requests INTEGER NOT NULL, calls INTEGER NOT NULL, input INTEGER NOT NULL,"
                    + " cached_input INTEGER NOT NULL, cache_write INTEGER NOT NULL, output INTEGER NOT NULL,"
                    + " reasoning INTEGER NOT NULL, cost INTEGER NOT NULL, unpriced INTEGER NOT NULL,"
                    + " PRIMARY KEY (tenant, bucket, app, scenario, provider, model, step, end_user, price_version, estimated))"
                    + " WITHOUT ROWID");

    private static final String ADD = "INSERT INTO spend VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
            + " ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, calls = calls + excluded.calls,"
            + " input = input + excluded.input, cached_input = cached_input + excluded.cached_input,"
            + " cache_write = cache_write + excluded.cache_write, output = output + excluded.output,"
            + " reasoning = reasoning + excluded.reasoning, cost = cost + excluded.cost,"
            + " unpriced = unpriced + excluded.unpriced";

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

    /** Adds the lines and moves the position; the transaction is the caller's. */
    void add(SpendShipped shipped) throws SQLException {
        try (PreparedStatement row = connection.prepareStatement(
                        "INSERT INTO charge VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
                PreparedStatement sum = connection.prepareStatement(ADD);
                PreparedStatement move =
                        connection.prepareStatement("INSERT OR REPLACE INTO position VALUES (?,?,?)")) {
            for (SpendEntry entry : shipped.entries()) {
                List<Charge> charges = entry.facts().charges();
                for (int n = 0; n < charges.size(); n++) {
                    bindRow(row, shipped, entry, n);
                    bindSum(sum, entry.facts(), charges.get(n), n == charges.size() - 1);
                }
            }
            row.executeBatch();
            sum.executeBatch();
            move.setString(1, shipped.node());
            move.setLong(2, shipped.journal());
            move.setLong(3, shipped.upToSeq());
            move.executeUpdate();
        }
    }

    private static void bindRow(PreparedStatement row, SpendShipped shipped, SpendEntry entry, int n)
            throws SQLException {
        SpendFacts facts = entry.facts();
        Charge charge = facts.charges().get(n);
        int next = 1;
        row.setString(next++, shipped.node());
        row.setLong(next++, shipped.journal());
        row.setLong(next++, entry.seq());
        row.setInt(next++, n);
        row.setLong(next++, facts.at().toEpochMilli());
        row.setString(next++, facts.tenant().value());
        row.setString(next++, facts.requestId());
        row.setString(next++, text(facts.traceId()));
        row.setString(next++, text(facts.app()));
        row.setString(next++, text(facts.scenario()));
        row.setString(next++, text(facts.endUser()));
        row.setString(next++, text(charge.step()));
        row.setString(next++, text(charge.provider()));
        row.setString(next++, text(charge.model()));
        row.setString(next++, text(charge.priceVersion()));
        row.setInt(next++, charge.usage().estimated() ? 1 : 0);
        next = tokens(row, next, charge.usage());
        if (charge.cost() == null) {
            row.setNull(next, java.sql.Types.INTEGER);
        } else {
            row.setLong(next, charge.cost().micros());
        }
        row.addBatch();
    }

    private static void bindSum(PreparedStatement sum, SpendFacts facts, Charge charge, boolean last)
            throws SQLException {
        int next = 1;
        sum.setString(next++, facts.tenant().value());
        sum.setLong(next++, bucket(facts.at()));
        sum.setString(next++, text(facts.app()));
        sum.setString(next++, text(facts.scenario()));
        sum.setString(next++, text(charge.provider()));
        sum.setString(next++, text(charge.model()));
        sum.setString(next++, text(charge.step()));
        sum.setString(next++, text(facts.endUser()));
        sum.setString(next++, text(charge.priceVersion()));
        sum.setInt(next++, charge.usage().estimated() ? 1 : 0);
        sum.setInt(next++, last ? 1 : 0);
        sum.setInt(next++, 1);
        next = tokens(sum, next, charge.usage());
        sum.setLong(next++, charge.cost() == null ? 0 : charge.cost().micros());
        sum.setInt(next, charge.cost() == null ? 1 : 0);
        sum.addBatch();
    }

    private static int tokens(PreparedStatement row, int from, TokenUsage usage) throws SQLException {
        row.setLong(from, usage.input());
        row.setLong(from + 1, usage.cachedInput());
        row.setLong(from + 2, usage.cacheWrite());
        row.setLong(from + 3, usage.output());
        row.setLong(from + 4, usage.reasoning());
        return from + 5;
    }

    static long bucket(Instant at) {
        return Math.floorDiv(at.getEpochSecond(), BUCKET_S);
    }

    /** Keys of sums have no nulls, since no two nulls are equal. */
    private static String text(Object value) {
        return value == null ? "" : value.toString();
    }

    void purge(Instant before) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM charge WHERE at_ms < ?")) {
            delete.setLong(1, before.toEpochMilli());
            delete.executeUpdate();
        }
    }
}
