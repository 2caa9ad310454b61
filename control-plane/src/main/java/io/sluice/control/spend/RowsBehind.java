package io.sluice.control.spend;

import io.sluice.control.spend.WaitingSums.Taken;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.ChargePack;
import io.sluice.tenants.ledger.SpendEntry;
import io.sluice.tenants.ledger.SpendSum;
import io.sluice.tenants.ledger.SpendTally;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes rows of sums some shipments later, those of many shipments at once: where thousands of tenants take turns, each request would
 * else be two rows of its own. What has no rows yet is on disk all the same, in the packs of single charges, and is summed up from them
 * after a start. Of the store's writing thread; transactions are the caller's.
 *
 * <ol>
 *   <li>Each line of a shipment is in its tenant's rows or in the packs of the last {@code rows_behind.shipments} shipments, never in both.
 *   <li>Whoever reads a tenant's rows has them written before.
 * </ol>
 */
final class RowsBehind {
    /** {@code rows_written} has tenants that are ahead: the oldest so many of the shipments behind are in their rows. */
    static final List<String> TABLES = List.of(
            "CREATE TABLE IF NOT EXISTS rows_behind (only_row INTEGER PRIMARY KEY CHECK (only_row = 0),"
                    + " shipments INTEGER NOT NULL)",
            "CREATE TABLE IF NOT EXISTS rows_written (tenant TEXT PRIMARY KEY, shipments INTEGER NOT NULL) WITHOUT ROWID");

    /** A minute of one node's; a start sums up so many packs again. */
    private static final int SHIPMENTS_MAX = 128;

    /** Some 400 bytes each in memory; written at once they hold up shipments for a tenth of a second or two. */
    private static final int SUMS_MAX = 50_000;

    /** At some 90 bytes a request, and a microsecond or two to sum one up again. */
    private static final long PACKED_BYTES_MAX = 32L << 20;

    private final Connection connection;
    private final SpendTables tables;
    private WaitingSums waiting;
    private int shipments;
    private long packedBytes;

    RowsBehind(Connection connection, SpendTables tables) {
        this.connection = connection;
        this.tables = tables;
    }

    /** Stores a shipment, but for the rows of its sums. */
    void add(SpendShipped shipped) throws SQLException {
        WaitingSums sums = waiting(); // before its own pack is the newest
        tables.add(shipped);
        for (SpendSum each : shipped.sums()) {
            sums.add(shipped.node(), each);
        }
        if (shipped.charges().isEmpty()) {
            writeAll(); // nothing but the rows could tell them after a start
            return;
        }
        shipments++;
        packedBytes += shipped.charges().size();
        if (shipments >= SHIPMENTS_MAX || packedBytes >= PACKED_BYTES_MAX || sums.count() >= SUMS_MAX) {
            writeAll();
        } else {
            note();
        }
    }

    /** From now on the tenant's rows have everything. */
    void write(TenantId tenant) throws SQLException {
        Taken taken = waiting().take(tenant);
        if (taken == null) {
            return;
        }
        tables.write(List.of(taken));
        try (PreparedStatement ahead =
                connection.prepareStatement("INSERT OR REPLACE INTO rows_written VALUES (?,?)")) {
            ahead.setString(1, tenant.value());
            ahead.setInt(2, shipments);
            ahead.executeUpdate();
        }
    }

    /** From now on all rows have everything. */
    void writeAll() throws SQLException {
        List<Taken> all = waiting().takeAll();
        tables.write(all);
        if (shipments > 0 || !all.isEmpty()) {
            shipments = 0;
            packedBytes = 0;
            note();
            try (Statement none = connection.createStatement()) {
                none.executeUpdate("DELETE FROM rows_written");
            }
        }
    }

    /** A transaction did not come to its end: only the file knows now what has rows. */
    void forget() {
        waiting = null;
    }

    private void note() throws SQLException {
        try (PreparedStatement row = connection.prepareStatement("INSERT OR REPLACE INTO rows_behind VALUES (0,?)")) {
            row.setInt(1, shipments);
            row.executeUpdate();
        }
    }

    private WaitingSums waiting() throws SQLException {
        if (waiting == null) {
            waiting = read();
        }
        return waiting;
    }

    private record Packed(String node, ChargePack charges) {}

    private WaitingSums read() throws SQLException {
        WaitingSums read = new WaitingSums();
        Map<TenantId, Integer> written = written();
        List<Packed> packs = packs();
        shipments = packs.size();
        packedBytes = 0;
        for (int at = 1; at <= packs.size(); at++) {
            Packed pack = packs.get(at - 1);
            packedBytes += pack.charges().size();
            SpendTally tally = new SpendTally();
            for (SpendEntry entry : pack.charges().entries()) {
                tally.add(entry.seq(), entry.facts());
            }
            for (SpendSum each : tally.sums()) {
                if (written.getOrDefault(each.key().tenant(), 0) < at) {
                    read.add(pack.node(), each);
                }
            }
        }
        return read;
    }

    /** Of the shipments behind, the oldest first. Counted from the newest, for a copy of the file may number its rows anew. */
    private List<Packed> packs() throws SQLException {
        List<Packed> packs = new ArrayList<>();
        try (PreparedStatement query =
                        connection.prepareStatement("SELECT node, packed FROM charges ORDER BY rowid DESC"
                                + " LIMIT COALESCE((SELECT shipments FROM rows_behind), 0)");
                ResultSet found = query.executeQuery()) {
            while (found.next()) {
                packs.add(new Packed(found.getString(1), ChargePack.of(found.getBytes(2))));
            }
        }
        Collections.reverse(packs);
        return packs;
    }

    private Map<TenantId, Integer> written() throws SQLException {
        Map<TenantId, Integer> written = new HashMap<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT tenant, shipments FROM rows_written");
                ResultSet found = query.executeQuery()) {
            while (found.next()) {
                written.put(new TenantId(found.getString(1)), found.getInt(2));
            }
        }
        return written;
    }
}
