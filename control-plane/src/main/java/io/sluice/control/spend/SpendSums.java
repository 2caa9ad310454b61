package io.sluice.control.spend;

import io.sluice.control.api.Reconciliation.NodeTotal;
import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendReport;
import io.sluice.control.spend.SpendStore.DaySpan;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.ChargePack;
import io.sluice.tenants.ledger.SpendEntry;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.ledger.SpendKey;
import io.sluice.tenants.money.Money;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What is read of the sums of usage. Of one thread. */
final class SpendSums {
    private static final String FIGURES = "SUM(requests), SUM(calls), SUM(input), SUM(cached_input), SUM(cache_write),"
            + " SUM(output), SUM(reasoning), SUM(server_tool_calls), SUM(cost), SUM(estimated * cost), SUM(unpriced)";

    private static final String OF_SPAN = " FROM spend WHERE tenant = ? AND bucket >= ? AND bucket < ?";

    private static final long HOUR_S = 3_600;

    private static final String EXPORTED = "app, scenario, provider, model, step, end_user, price_version, estimated";

    private final Connection connection;

    SpendSums(Connection connection) {
        this.connection = connection;
    }

    SpendFigures total(TenantId tenant, Span span) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT " + FIGURES + OF_SPAN)) {
            bind(query, tenant, span);
            try (ResultSet found = query.executeQuery()) {
                found.next();
                return figures(found, 1);
            }
        }
    }

    List<SpendReport.Row> rows(TenantId tenant, Span span, List<SpendDimension> groupBy, int max) throws SQLException {
        List<SpendReport.Row> rows = new ArrayList<>();
        add(rows, Map.of(), tenant, span, groupBy, max);
        return rows;
    }

    List<SpendReport.Row> rowsByDay(TenantId tenant, List<DaySpan> days, List<SpendDimension> groupBy, int max)
            throws SQLException {
        List<SpendDimension> others =
                groupBy.stream().filter(each -> each != SpendDimension.DAY).toList();
        List<SpendReport.Row> rows = new ArrayList<>();
        for (DaySpan day : days) {
            if (rows.size() < max) {
                Map<String, String> key =
                        Map.of(SpendDimension.DAY.word(), day.day().toString());
                add(rows, key, tenant, day.span(), others, max - rows.size());
            }
        }
        return rows;
    }

    List<NodeTotal> byNode(TenantId tenant, Span span) throws SQLException {
        List<NodeTotal> nodes = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT node, SUM(cost), SUM(requests) FROM told WHERE tenant = ? AND bucket >= ? AND bucket < ?"
                        + " GROUP BY node ORDER BY SUM(cost) DESC, node")) {
            bind(query, tenant, span);
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    nodes.add(new NodeTotal(found.getString(1), new Money(found.getLong(2)), found.getLong(3)));
                }
            }
        }
        return nodes;
    }

    Map<TenantId, Long> ofProvider(TenantId tenant, String provider, Span span) throws SQLException {
        Map<TenantId, Long> micros = new HashMap<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT tenant, SUM(cost) FROM spend WHERE "
                + (tenant == null ? "" : "tenant = ? AND ")
                + "bucket >= ? AND bucket < ? AND provider = ? GROUP BY tenant")) {
            int next = 1;
            if (tenant != null) {
                query.setString(next++, tenant.value());
            }
            query.setLong(next++, span.from() / SpendKey.QUARTER_SECONDS);
            query.setLong(next++, span.until() / SpendKey.QUARTER_SECONDS);
            query.setString(next, provider);
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    micros.put(new TenantId(found.getString(1)), found.getLong(2));
                }
            }
        }
        return micros;
    }

    private void add(
            List<SpendReport.Row> rows,
            Map<String, String> known,
            TenantId tenant,
            Span span,
            List<SpendDimension> groupBy,
            int max)
            throws SQLException {
        String columns = groupBy.stream().map(SpendSums::column).collect(Collectors.joining(", "));
        String sql = groupBy.isEmpty()
                ? "SELECT " + FIGURES + OF_SPAN + " HAVING COUNT(*) > 0 LIMIT ?"
                : "SELECT " + FIGURES + ", " + columns + OF_SPAN + " GROUP BY " + columns + " ORDER BY "
                        + (groupBy.contains(SpendDimension.HOUR) ? column(SpendDimension.HOUR) + ", " : "")
                        + "SUM(cost) DESC, " + columns + " LIMIT ?";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            bind(query, tenant, span);
            query.setInt(4, max);
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    Map<String, String> key = new LinkedHashMap<>(known);
                    for (int i = 0; i < groupBy.size(); i++) {
                        key.put(groupBy.get(i).word(), value(groupBy.get(i), found, FIGURES_COUNT + 1 + i));
                    }
                    rows.add(new SpendReport.Row(key, figures(found, 1)));
                }
            }
        }
    }

    private static final int FIGURES_COUNT = 11;

    private static String column(SpendDimension dimension) {
        return switch (dimension) {
            case APP -> "app";
            case SCENARIO -> "scenario";
            case MODEL -> "provider || '/' || model";
            case STEP -> "step";
            case END_USER -> "end_user";
            case HOUR -> "bucket / " + HOUR_S / SpendKey.QUARTER_SECONDS;
            case DAY -> throw new IllegalArgumentException("days are spans, no column");
        };
    }

    private static String value(SpendDimension dimension, ResultSet found, int column) throws SQLException {
        if (dimension == SpendDimension.HOUR) {
            return Instant.ofEpochSecond(found.getLong(column) * HOUR_S).toString();
        }
        return orNull(found.getString(column));
    }

    private static String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static void bind(PreparedStatement query, TenantId tenant, Span span) throws SQLException {
        query.setString(1, tenant.value());
        query.setLong(2, span.from() / SpendKey.QUARTER_SECONDS);
        query.setLong(3, span.until() / SpendKey.QUARTER_SECONDS);
    }

    /** A sum over nothing is null, which reads as 0. */
    private static SpendFigures figures(ResultSet row, int from) throws SQLException {
        return new SpendFigures(
                row.getLong(from),
                row.getLong(from + 1),
                row.getLong(from + 2),
                row.getLong(from + 3),
                row.getLong(from + 4),
                row.getLong(from + 5),
                row.getLong(from + 6),
                row.getLong(from + 7),
                new Money(row.getLong(from + 8)),
                new Money(row.getLong(from + 9)),
                row.getLong(from + 10));
    }

    List<SpendFacts> charges(TenantId tenant, Span span, int max) throws SQLException {
        List<SpendFacts> charges = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT packed FROM charges WHERE until_s > ? AND from_s < ? ORDER BY until_s, rowid")) {
            query.setLong(1, span.from());
            query.setLong(2, span.until());
            try (ResultSet found = query.executeQuery()) {
                while (charges.size() < max && found.next()) {
                    ChargePack.of(found.getBytes(1)).entries().stream()
                            .map(SpendEntry::facts)
                            .filter(facts -> facts.tenant().equals(tenant) && within(span, facts.at()))
                            .limit(max - charges.size())
                            .forEach(charges::add);
                }
            }
        }
        return charges;
    }

    private static boolean within(Span span, Instant at) {
        return at.getEpochSecond() >= span.from() && at.getEpochSecond() < span.until();
    }

    /** Hour by hour, so that a page costs what it holds; a cursor is an hour and how many of its rows were given. */
    SpendPage page(TenantId tenant, Span span, String after, int max) throws SQLException {
        long hour = span.from() / HOUR_S;
        int skip = 0;
        if (after != null) {
            String[] parts = after.split(":", 2);
            hour = Long.parseLong(parts[0]);
            skip = Integer.parseInt(parts[1]);
        }
        List<SpendPage.Row> rows = new ArrayList<>();
        for (Long next = hourFrom(tenant, hour, span); next != null; next = hourFrom(tenant, next + 1, span)) {
            if (next != hour) {
                skip = 0;
            }
            int before = rows.size();
            addHour(rows, tenant, next, span, skip, max - before + 1);
            if (rows.size() > max) {
                return new SpendPage(rows.subList(0, max), next + ":" + (skip + max - before));
            }
        }
        return new SpendPage(rows, null);
    }

    /** The first hour with usage; null where there is none any more. */
    private Long hourFrom(TenantId tenant, long hour, Span span) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT MIN(bucket)" + OF_SPAN)) {
            bind(query, tenant, new Span(Math.max(span.from(), hour * HOUR_S), span.until()));
            try (ResultSet found = query.executeQuery()) {
                long bucket = found.next() ? found.getLong(1) : 0;
                return found.wasNull() ? null : (Long) (bucket * SpendKey.QUARTER_SECONDS / HOUR_S);
            }
        }
    }

    private void addHour(List<SpendPage.Row> rows, TenantId tenant, long hour, Span span, int skip, int max)
            throws SQLException {
        Span within = new Span(Math.max(span.from(), hour * HOUR_S), Math.min(span.until(), (hour + 1) * HOUR_S));
        try (PreparedStatement query = connection.prepareStatement("SELECT " + FIGURES + ", " + EXPORTED + OF_SPAN
                + " GROUP BY " + EXPORTED + " ORDER BY " + EXPORTED + " LIMIT ? OFFSET ?")) {
            bind(query, tenant, within);
            query.setInt(4, max);
            query.setInt(5, skip);
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    rows.add(row(found, hour));
                }
            }
        }
    }

    private static SpendPage.Row row(ResultSet found, long hour) throws SQLException {
        int next = FIGURES_COUNT + 1;
        String app = orNull(found.getString(next++));
        String scenario = orNull(found.getString(next++));
        String provider = orNull(found.getString(next++));
        String model = orNull(found.getString(next++));
        String step = orNull(found.getString(next++));
        String endUser = orNull(found.getString(next++));
        String priceVersion = orNull(found.getString(next++));
        return new SpendPage.Row(
                Instant.ofEpochSecond(hour * HOUR_S),
                app,
                scenario,
                provider,
                model,
                step,
                endUser,
                priceVersion,
                found.getInt(next) != 0,
                figures(found, 1));
    }
}
