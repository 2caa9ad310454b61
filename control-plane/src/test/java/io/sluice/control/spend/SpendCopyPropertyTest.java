package io.sluice.control.spend;

import static io.sluice.control.spend.Spent.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.spend.SpendLog.Logged;
import io.sluice.control.spend.SpendLogEntry.Adjusted;
import io.sluice.control.spend.SpendLogEntry.DaysClosed;
import io.sluice.control.spend.SpendLogEntry.Shipped;
import io.sluice.control.spend.SpendStore.Adjustment;
import io.sluice.control.spend.SpendStore.DaySpan;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same log leads to the same rows, however it is read and whenever a node dies. */
class SpendCopyPropertyTest {
    private static final int SEEDS = 25;
    private static final long MARCH_1_S = Instant.parse("2026-03-01T00:00:00Z").getEpochSecond();
    private static final long DAY_S = 86_400;

    @TempDir
    Path directory;

    private static <T> T one(SplittableRandom random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static TenantId tenant(SplittableRandom random) {
        return new TenantId(one(random, List.of("acme", "globex")));
    }

    /** Shipments of three nodes with repeats, corrections with repeats, and closings that fit, come twice, or come too early. */
    private static List<Logged> log(SplittableRandom random) {
        Map<String, Spent> nodes = new HashMap<>();
        List<SpendLogEntry> entries = new ArrayList<>();
        for (int i = 5 + random.nextInt(60); i > 0; i--) {
            SpendLogEntry next = switch (random.nextInt(6)) {
                case 0 -> closed(random);
                case 1 -> corrected(random);
                default -> shipped(random, nodes);
            };
            entries.add(random.nextInt(5) == 0 && !entries.isEmpty() ? one(random, entries) : next);
        }
        List<Logged> log = new ArrayList<>();
        entries.forEach(each -> log.add(new Logged(log.size() + 1, "id" + log.size(), each)));
        return log;
    }

    private static Shipped shipped(SplittableRandom random, Map<String, Spent> nodes) {
        Spent node = nodes.computeIfAbsent(one(random, List.of("n1", "n2", "n3")), Spent::new);
        for (int i = random.nextInt(4); i > 0; i--) {
            String at = Instant.ofEpochSecond(MARCH_1_S + random.nextLong(4 * DAY_S))
                    .toString();
            String user = one(random, List.of("ann", "bob"));
            node.add(Spent.facts(
                    tenant(random), at, "shop", user, Spent.charge("m", 1, 1, "0.00000" + random.nextInt(1, 10))));
        }
        SpendShipped shipped = node.next();
        return new Shipped(shipped, Instant.ofEpochSecond(MARCH_1_S + random.nextLong(9 * DAY_S)));
    }

    private static Adjusted corrected(SplittableRandom random) {
        return new Adjusted(new Adjustment(
                "c" + random.nextInt(5),
                tenant(random),
                LocalDate.of(2026, 3, 1 + random.nextInt(4)),
                new Money(random.nextInt(100) - 50),
                "reason " + random.nextInt(),
                "ann (FINANCE)",
                Instant.ofEpochSecond(MARCH_1_S)));
    }

    private static DaysClosed closed(SplittableRandom random) {
        List<DaySpan> days = new ArrayList<>();
        int first = random.nextInt(4);
        for (int day = first; day <= first + random.nextInt(3); day++) {
            long from = MARCH_1_S + day * DAY_S;
            days.add(new DaySpan(LocalDate.of(2026, 3, 1 + day), new Span(from, from + DAY_S)));
        }
        return new DaysClosed(tenant(random), "UTC", "2026a", "USD", Instant.ofEpochSecond(random.nextInt(99)), days);
    }

    /** Reads in pieces of random length; now and then it is closed between them, asked, or dies, also while it applies one. */
    private Path follow(String name, List<Logged> log, SplittableRandom random) throws Exception {
        Path file = directory.resolve(name + ".db");
        SqliteSpendStore copy = open(file, random);
        int at = 0;
        while (at < log.size()) {
            int until = Math.min(log.size(), at + 1 + random.nextInt(9));
            List<Logged> piece = log.subList(at, until);
            if (random.nextInt(6) == 0) {
                List<Logged> broken = new ArrayList<>(piece);
                broken.add(new Logged(until + 2L, "gap", log.get(0).entry())); // fails behind what it has applied
                assertThat(copy.apply(broken)
                                .transform(done -> Future.succeededFuture(done.failed()))
                                .toCompletionStage()
                                .toCompletableFuture()
                                .get())
                        .isTrue();
            }
            await(copy.apply(piece));
            at = until;
            switch (random.nextInt(6)) {
                case 0 -> {
                    await(copy.close());
                    copy = open(file, random);
                }
                case 1 -> {
                    SqliteSpendStore dying = copy;
                    file = asItIs(file, name + "-" + at);
                    await(dying.close());
                    copy = open(file, random);
                }
                case 2 -> await(copy.total(tenant(random), new Span(0, MARCH_1_S + 9 * DAY_S)));
                default -> {}
            }
            assertThat(await(copy.standing()).position()).isEqualTo(at);
        }
        await(copy.close());
        return file;
    }

    /** What a process that dies now leaves on the disk. */
    private Path asItIs(Path file, String name) throws Exception {
        Path left = directory.resolve(name + ".db");
        for (String end : List.of("", "-wal")) {
            Path part = file.resolveSibling(file.getFileName() + end);
            if (Files.exists(part)) {
                Files.copy(part, left.resolveSibling(left.getFileName() + end));
            }
        }
        return left;
    }

    private static SqliteSpendStore open(Path file, SplittableRandom random) {
        Instant now = Instant.ofEpochSecond(random.nextInt());
        return SqliteSpendStore.open(file, () -> now);
    }

    /** Every row of every table. */
    private static String rows(Path file) throws Exception {
        StringBuilder all = new StringBuilder();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String table : List.of(
                    "spend", "told", "position", "charges", "statement", "statement_head", "adjusted", "log_mark")) {
                all.append(table).append('\n');
                try (ResultSet row = statement.executeQuery("SELECT * FROM " + table)) {
                    int columns = row.getMetaData().getColumnCount();
                    while (row.next()) {
                        for (int i = 1; i <= columns; i++) {
                            byte[] value = row.getBytes(i);
                            all.append(value == null ? "-" : HexFormat.of().formatHex(value))
                                    .append(' ');
                        }
                        all.append('\n');
                    }
                }
            }
        }
        return all.toString();
    }

    @Test
    void threeCopiesOfALogAreEqualRowByRowAndHoldTogether() throws Exception {
        for (long seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Logged> log = log(random.split());
            String first = rows(follow("a" + seed, log, random.split()));
            assertThat(rows(follow("b" + seed, log, random.split())))
                    .as("seed " + seed)
                    .isEqualTo(first);
            Path third = follow("c" + seed, log, random.split());
            assertThat(rows(third)).as("seed " + seed).isEqualTo(first);
            SqliteSpendStore copy = open(third, random);
            for (String tenant : List.of("acme", "globex")) {
                var found = await(
                        copy.statements(new TenantId(tenant), LocalDate.of(2026, 2, 1), LocalDate.of(2026, 4, 1)));
                assertThat(found.verified())
                        .as("seed " + seed + ": " + found.problem())
                        .isTrue();
            }
            await(copy.close());
        }
    }
}
