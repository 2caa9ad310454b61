package io.sluice.control.spend;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.spend.SpendLogEntry.DaysClosed;
import io.sluice.control.spend.SpendStore.Adjustment;
import io.sluice.control.spend.SpendStore.Closing;
import io.sluice.control.spend.SpendStore.DaySpan;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.SpendKey;
import io.sluice.tenants.ledger.SpendSum;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Statements as a chain of entries per tenant: closed days, and what came to them later. An entry is never changed; each one's hash covers
 * the one before it. Of one thread; transactions are the caller's.
 */
final class StatementBook {
    static final String CLOSED = "CLOSED";
    static final String ADJUSTMENT = "ADJUSTMENT";
    static final String LATE_USAGE = "LATE_USAGE";

    /** No usage yet. */
    private static final long NO_QUARTER = Long.MAX_VALUE;

    /** A tenant that was never closed catches up a year at a time: what is closed at once is one transaction. */
    private static final int DAYS_AT_ONCE_MAX = 400;

    static final List<String> TABLES = List.of(
            "CREATE TABLE statement (tenant TEXT NOT NULL, no INTEGER NOT NULL, kind TEXT NOT NULL, day TEXT NOT NULL,"
                    + " from_s INTEGER NOT NULL, until_s INTEGER NOT NULL, json TEXT NOT NULL, hash TEXT NOT NULL,"
                    + " PRIMARY KEY (tenant, no)) WITHOUT ROWID",
            "CREATE INDEX statement_day ON statement (tenant, day, no)",
            "CREATE TABLE statement_head (tenant TEXT PRIMARY KEY, no INTEGER NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID");

    private final Connection connection;
    private final SpendSums sums;
    private final LogMark mark;
    private final Rows rows;

    /** Some 150 bytes for each tenant that had usage, or was asked about. */
    private final Map<TenantId, Known> known = new HashMap<>();

    /** Sees to it that a tenant's rows of usage have everything. */
    @FunctionalInterface
    interface Rows {
        void write(TenantId tenant) throws SQLException;
    }

    StatementBook(Connection connection, Rows rows) {
        this.connection = connection;
        this.rows = rows;
        mark = new LogMark(connection);
        sums = new SpendSums(connection);
    }

    /** What is asked of a tenant again and again. */
    private static final class Known {
        /** The last day that is closed; null where none is. */
        private LocalDate day;

        /** Seconds since 1970. */
        private long until = Long.MIN_VALUE;

        private long firstQuarter;

        Known(Stored closed, long firstQuarter) {
            this.firstQuarter = firstQuarter;
            if (closed != null) {
                day = closed.day();
                until = closed.until();
            }
        }

        void closed(DaySpan closed) {
            day = closed.day();
            until = closed.span().until();
        }

        void used(long quarter) {
            firstQuarter = Math.min(firstQuarter, quarter);
        }
    }

    /** What a closing is made of, as it is hashed. */
    record Closed(
            Instant from,
            Instant until,
            String timeZone,
            String tzdb,
            String currency,
            SpendFigures figures,
            Instant closedAt) {}

    /** What an addition is made of, as it is hashed. */
    record Added(Money amount, String reason, String actor, Instant at) {}

    /** One entry as it is stored. */
    record Stored(long no, String kind, LocalDate day, long from, long until, String json, String hash) {
        String hashAfter(String before, TenantId tenant) {
            return StatementChain.hash(
                    before, no, tenant.value(), kind, day.toString(), Long.toString(from), Long.toString(until), json);
        }

        <T> T read(Class<T> type) {
            try {
                return StrictJson.MAPPER.readValue(json, type);
            } catch (JsonProcessingException unreadable) {
                throw new StoreException("entry " + no + " of a statement can not be read", unreadable);
            }
        }

        SpendStatements.Entry entry() {
            Added added = read(Added.class);
            return new SpendStatements.Entry(
                    no, day, kind, added.amount(), added.reason(), added.actor(), added.at(), hash);
        }

        SpendStatements.Closing closing() {
            Closed closed = read(Closed.class);
            return new SpendStatements.Closing(
                    no,
                    closed.from(),
                    closed.until(),
                    closed.timeZone(),
                    closed.tzdb(),
                    closed.currency(),
                    closed.figures(),
                    closed.closedAt(),
                    hash);
        }
    }

    /** Days that are over and not closed; each begins where the one before ended, also where the zone changed meanwhile. */
    List<DaySpan> due(Closing closing) throws SQLException {
        Known known = known(closing.tenant());
        LocalDate day = known.day == null ? firstDay(known, closing) : known.day.plusDays(1);
        long from = known.day == null
                ? (day == null ? 0 : day.atStartOfDay(closing.zone()).toEpochSecond())
                : known.until;
        List<DaySpan> due = new ArrayList<>();
        while (day != null && day.isBefore(closing.before()) && due.size() < DAYS_AT_ONCE_MAX) {
            long until =
                    Math.max(from, day.plusDays(1).atStartOfDay(closing.zone()).toEpochSecond());
            due.add(new DaySpan(day, new Span(from, until)));
            from = until;
            day = day.plusDays(1);
        }
        return due;
    }

    /**
     * Closes days one after another, as long as each follows the one that was closed before it; the first of all has nothing before it.
     *
     * @return how many were closed
     */
    int close(DaysClosed closing) throws SQLException {
        int closed = 0;
        rows.write(closing.tenant());
        for (DaySpan day : closing.days()) {
            if (!follows(closing.tenant(), day)) {
                continue;
            }
            Closed content = new Closed(
                    Instant.ofEpochSecond(day.span().from()),
                    Instant.ofEpochSecond(day.span().until()),
                    closing.timeZone(),
                    closing.tzdb(),
                    closing.currency(),
                    sums.total(closing.tenant(), day.span()),
                    closing.now());
            append(closing.tenant(), CLOSED, day.day(), day.span(), content);
            known(closing.tenant()).closed(day);
            closed++;
        }
        return closed;
    }

    private boolean follows(TenantId tenant, DaySpan day) throws SQLException {
        Known known = known(tenant);
        if (known.day != null) {
            return day.day().equals(known.day.plusDays(1)) && day.span().from() == known.until;
        }
        return sums.total(tenant, new Span(0, day.span().from())).calls() == 0;
    }

    private static LocalDate firstDay(Known known, Closing closing) {
        return known.firstQuarter == NO_QUARTER
                ? null
                : LocalDate.ofInstant(
                        Instant.ofEpochSecond(known.firstQuarter * SpendKey.QUARTER_SECONDS), closing.zone());
    }

    /** What {@link #late} and {@link #due} want to know of a tenant; read once. Usage comes by {@link #late} only, closings by {@link #close}. */
    private Known known(TenantId tenant) throws SQLException {
        Known there = known.get(tenant);
        if (there == null) {
            rows.write(tenant);
            there = new Known(lastClosed(tenant), firstQuarter(tenant));
            known.put(tenant, there);
        }
        return there;
    }

    /** A transaction did not come to its end: only the file knows now what is closed. */
    void forget() {
        known.clear();
    }

    /** Where the tenant's rows begin. */
    private long firstQuarter(TenantId tenant) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT MIN(bucket) FROM spend WHERE tenant = ?")) {
            query.setString(1, tenant.value());
            try (ResultSet found = query.executeQuery()) {
                long bucket = found.next() ? found.getLong(1) : 0;
                return found.wasNull() ? NO_QUARTER : bucket;
            }
        }
    }

    private Stored lastClosed(TenantId tenant) throws SQLException {
        List<Stored> found = entries("tenant = ? AND kind = '" + CLOSED + "' ORDER BY no DESC LIMIT 1", tenant.value());
        return found.isEmpty() ? null : found.get(0);
    }

    /** Adds it, unless it is there. */
    SpendStatements.Entry adjust(Adjustment adjustment) throws SQLException {
        SpendStatements.Entry before = adjusted(adjustment.id());
        if (before != null) {
            return before;
        }
        Added added = new Added(adjustment.amount(), adjustment.reason(), adjustment.actor(), adjustment.at());
        Stored entry = append(adjustment.tenant(), ADJUSTMENT, adjustment.day(), new Span(0, 0), added);
        mark.adjusted(adjustment.id(), new LogMark.EntryNo(adjustment.tenant(), entry.no()));
        return entry.entry();
    }

    /** What a correction became; null where it is not there. */
    SpendStatements.Entry adjusted(String id) throws SQLException {
        LogMark.EntryNo there = mark.adjusted(id);
        return there == null
                ? null
                : entries("tenant = ? AND no = " + there.no(), there.tenant().value())
                        .get(0)
                        .entry();
    }

    /** Usage of days that are closed becomes an entry of each of them. */
    void late(SpendShipped shipped, Instant now) throws SQLException {
        Map<TenantId, Map<LocalDate, Long>> late = new TreeMap<>();
        for (SpendSum sum : shipped.sums()) {
            TenantId tenant = sum.key().tenant();
            Known known = known(tenant);
            known.used(sum.key().quarter());
            long at = sum.key().beginSeconds(); // days end between two quarters of an hour
            if (at < known.until) {
                LocalDate day = closedDay(tenant, at);
                late.computeIfAbsent(tenant, of -> new TreeMap<>()).merge(day, sum.costMicros(), Math::addExact);
            }
        }
        for (Map.Entry<TenantId, Map<LocalDate, Long>> each : late.entrySet()) {
            for (Map.Entry<LocalDate, Long> day : each.getValue().entrySet()) {
                Added added = new Added(
                        new Money(day.getValue()),
                        "usage that node " + shipped.node() + " told after the day was closed",
                        "system",
                        now);
                append(each.getKey(), LATE_USAGE, day.getKey(), new Span(0, 0), added);
            }
        }
    }

    /** The closed day of an instant; the first one for what is older than all. */
    private LocalDate closedDay(TenantId tenant, long at) throws SQLException {
        String closed = "tenant = ? AND kind = '" + CLOSED + "'";
        List<Stored> of = entries(closed + " AND from_s <= " + at + " ORDER BY no DESC LIMIT 1", tenant.value());
        return (of.isEmpty() ? entries(closed + " ORDER BY no LIMIT 1", tenant.value()) : of)
                .get(0)
                .day();
    }

    private Stored append(TenantId tenant, String kind, LocalDate day, Span span, Object content) throws SQLException {
        Head head = head(tenant);
        Stored open = new Stored(head.no() + 1, kind, day, span.from(), span.until(), json(content), null);
        Stored entry = new Stored(
                open.no(), kind, day, span.from(), span.until(), open.json(), open.hashAfter(head.hash(), tenant));
        try (PreparedStatement row = connection.prepareStatement("INSERT INTO statement VALUES (?,?,?,?,?,?,?,?)");
                PreparedStatement move =
                        connection.prepareStatement("INSERT OR REPLACE INTO statement_head VALUES (?,?,?)")) {
            row.setString(1, tenant.value());
            row.setLong(2, entry.no());
            row.setString(3, kind);
            row.setString(4, day.toString());
            row.setLong(5, span.from());
            row.setLong(6, span.until());
            row.setString(7, entry.json());
            row.setString(8, entry.hash());
            row.executeUpdate();
            move.setString(1, tenant.value());
            move.setLong(2, entry.no());
            move.setString(3, entry.hash());
            move.executeUpdate();
        }
        return entry;
    }

    private static String json(Object content) {
        try {
            return StrictJson.MAPPER.writeValueAsString(content);
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalStateException(brokenRecord);
        }
    }

    private record Head(long no, String hash) {}

    private Head head(TenantId tenant) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT no, hash FROM statement_head WHERE tenant = ?")) {
            query.setString(1, tenant.value());
            try (ResultSet found = query.executeQuery()) {
                return found.next()
                        ? new Head(found.getLong(1), found.getString(2))
                        : new Head(0, StatementChain.START);
            }
        }
    }

    private List<Stored> entries(String condition, String... values) throws SQLException {
        List<Stored> entries = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT no, kind, day, from_s, until_s, json, hash FROM statement WHERE " + condition)) {
            for (int i = 0; i < values.length; i++) {
                query.setString(i + 1, values[i]);
            }
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    entries.add(new Stored(
                            found.getLong(1),
                            found.getString(2),
                            LocalDate.parse(found.getString(3)),
                            found.getLong(4),
                            found.getLong(5),
                            found.getString(6),
                            found.getString(7)));
                }
            }
        }
        return entries;
    }

    Money additions(TenantId tenant, LocalDate from, LocalDate to) throws SQLException {
        Money sum = Money.ZERO;
        for (Stored each : entries(
                "tenant = ? AND day >= ? AND day <= ? AND kind = '" + ADJUSTMENT + "'",
                tenant.value(),
                from.toString(),
                to.toString())) {
            sum = sum.plus(each.entry().amount());
        }
        return sum;
    }

    SpendStatements statements(TenantId tenant, LocalDate from, LocalDate to) throws SQLException {
        List<SpendStatements.Day> days = new ArrayList<>();
        SpendStatements.Closing closing = null;
        List<SpendStatements.Entry> additions = new ArrayList<>();
        LocalDate day = null;
        for (Stored each : entries(
                "tenant = ? AND day >= ? AND day <= ? ORDER BY day, no",
                tenant.value(),
                from.toString(),
                to.toString())) {
            if (day != null && !day.equals(each.day())) {
                days.add(new SpendStatements.Day(day, closing, additions));
                closing = null;
                additions = new ArrayList<>();
            }
            day = each.day();
            if (each.kind().equals(CLOSED)) {
                closing = each.closing();
            } else {
                additions.add(each.entry());
            }
        }
        if (day != null) {
            days.add(new SpendStatements.Day(day, closing, additions));
        }
        String problem = problem(tenant);
        return new SpendStatements(days, problem == null, problem);
    }

    /** The first thing that does not fit; null where all does. */
    private String problem(TenantId tenant) throws SQLException {
        String before = StatementChain.START;
        long no = 0;
        long closedUntil = 0;
        Money stated = Money.ZERO;
        for (Stored each : entries("tenant = ? ORDER BY no", tenant.value())) {
            if (each.no() != no + 1) {
                return "entry " + (no + 1) + " is missing";
            }
            if (!each.hashAfter(before, tenant).equals(each.hash())) {
                return "entry " + each.no() + " was changed";
            }
            if (each.kind().equals(CLOSED)) {
                closedUntil = each.until();
                stated = stated.plus(each.closing().figures().cost());
            } else if (each.kind().equals(LATE_USAGE)) {
                stated = stated.plus(each.entry().amount());
            }
            before = each.hash();
            no = each.no();
        }
        Head head = head(tenant);
        if (head.no() != no || !head.hash().equals(before)) {
            return "entry " + (no + 1) + " is missing";
        }
        Money stored = sums.total(tenant, new Span(0, closedUntil)).cost();
        return stored.equals(stated)
                ? null
                : "the usage of the closed days sums up to " + stored + ", and the statements to " + stated;
    }
}
