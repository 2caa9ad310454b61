package io.sluice.control.spend;

import static io.sluice.control.spend.Spent.ACME;
import static io.sluice.control.spend.Spent.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqliteSpendStoreTest extends SpendStoreContract {
    @Override
    protected SpendStore make() {
        return SqliteSpendStore.open(directory.resolve("spend.db"), () -> NOW);
    }

    @Test
    void storesNothingOfAShipmentThatFails() throws Exception {
        SpendShipped good =
                new Spent("n2").add("2026-03-02T10:00:00Z", "a", "m", 1, 1, "1").next();
        SpendShipped nobodys = new SpendShipped(null, 7, 0, 9, good.sums(), good.charges());
        assertThatThrownBy(() -> await(store.append(nobodys))).hasCauseInstanceOf(StoreException.class);
        assertThat(await(store.position("n2", 7))).isZero();
        assertThat(march()).isEqualTo(SpendFigures.NONE);
    }

    @Test
    void tellsOfEveryChangeBehindItsBack() throws Exception {
        await(store.append(
                node.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1").next()));
        await(store.close(closing(BERLIN, "2026-03-05")));
        List<String> changes = List.of(
                "UPDATE statement SET json = replace(json, '\"cost\":\"1\"', '\"cost\":\"2\"') WHERE no = 1",
                "UPDATE statement SET day = '2026-03-01' WHERE no = 2",
                "UPDATE spend SET cost = cost + 1",
                "DELETE FROM statement WHERE no = 2",
                "DELETE FROM statement WHERE no = 3");
        List<String> problems = List.of(
                "entry 1 was changed",
                "entry 2 was changed",
                "the usage of the closed days",
                "entry 2 is missing",
                "entry 3 is missing");
        for (int i = 0; i < changes.size(); i++) {
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("spend.db"));
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                statement.executeUpdate(changes.get(i));
                other.commit();
                SpendStatements found = statements();
                assertThat(found.verified()).as(changes.get(i)).isFalse();
                assertThat(found.problem()).startsWith(problems.get(i));
            }
            restore(i);
        }
    }

    /** As it was before the change. */
    private void restore(int change) throws Exception {
        await(store.close());
        Files.delete(directory.resolve("spend.db"));
        open();
        await(store.append(new Spent("n" + (change + 2))
                .add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1")
                .next()));
        await(store.close(closing(BERLIN, "2026-03-05")));
    }

    private long inFile(String sql) throws Exception {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("spend.db"));
                Statement statement = other.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            return found.getLong(1);
        }
    }

    private SpendShipped oneRequestOfEach(Spent of, int tenants) {
        for (int i = 0; i < tenants; i++) {
            TenantId tenant = i == 0 ? ACME : new TenantId("tenant-" + i);
            of.add(Spent.facts(tenant, "2026-03-02T10:00:00Z", "shop", null, Spent.charge("m", 1, 1, "1")));
        }
        return of.next();
    }

    @Test
    void writesRowsOfManyShipmentsAtOnceAndThoseOfATenantWhoAsks() throws Exception {
        Spent n2 = new Spent("n2");
        await(store.append(oneRequestOfEach(n2, 500)));
        await(store.purge(Instant.EPOCH));
        for (int shipment = 0; shipment < 20; shipment++) {
            await(store.append(oneRequestOfEach(n2, 500)));
        }
        assertThat(inFile("SELECT SUM(requests) FROM spend")).isEqualTo(500);
        assertThat(march().requests()).isEqualTo(21);
        assertThat(inFile("SELECT SUM(requests) FROM spend")).isEqualTo(520);
        await(store.purge(Instant.EPOCH));
        assertThat(inFile("SELECT SUM(requests) FROM spend")).isEqualTo(21 * 500);
        assertThat(inFile("SELECT SUM(requests) FROM told")).isEqualTo(21 * 500);
        assertThat(march().requests()).isEqualTo(21);
    }

    @Test
    void rowsAreNeverFurtherBehindThanAFewShipments() throws Exception {
        Spent n2 = new Spent("n2");
        for (int shipment = 0; shipment < 300; shipment++) {
            await(store.append(oneRequestOfEach(n2, 1)));
        }
        assertThat(inFile("SELECT SUM(requests) FROM spend")).isBetween(150L, 300L);
        Spent n3 = new Spent("n3");
        for (int shipment = 0; shipment < 6; shipment++) {
            await(store.append(ofManyEndUsers(n3, shipment)));
        }
        assertThat(inFile("SELECT COUNT(*) FROM spend")).isGreaterThan(30_000);
    }

    private static SpendShipped ofManyEndUsers(Spent of, int shipment) {
        for (int i = 0; i < 10_000; i++) {
            of.add(Spent.facts(ACME, "2026-03-02T10:00:00Z", "shop", shipment + "-" + i, Spent.charge("m", 1, 1, "1")));
        }
        return of.next();
    }

    @Test
    void aCopyHasWhatHasNoRowsYet() throws Exception {
        SqliteSpendStore own = (SqliteSpendStore) store;
        Spent n2 = new Spent("n2");
        for (int shipment = 0; shipment < 3; shipment++) {
            await(store.append(oneRequestOfEach(n2, 3)));
        }
        await(store.purge(Instant.parse("2027-01-01T00:00:00Z"))); // its charges go, so that rows are numbered anew
        for (int shipment = 0; shipment < 3; shipment++) {
            await(store.append(oneRequestOfEach(n2, 3)));
        }
        march();
        await(store.append(oneRequestOfEach(n2, 3)));
        Path copied = directory.resolve("copy.db");
        own.copyTo(copied);
        SqliteSpendStore copy = SqliteSpendStore.open(copied, () -> NOW);
        for (TenantId tenant : List.of(ACME, new TenantId("tenant-1"), new TenantId("tenant-2"))) {
            assertThat(await(copy.total(tenant, MARCH)))
                    .isEqualTo(await(store.total(tenant, MARCH)))
                    .satisfies(of -> assertThat(of.requests()).isEqualTo(7));
        }
        await(copy.close());
    }

    /** What schemas before 4 did not have. */
    private static final String NO_SERVER_TOOL_CALLS = "ALTER TABLE spend DROP COLUMN server_tool_calls";

    @Test
    void takesOverTheSumsOfTheReleaseBefore() throws Exception {
        await(store.append(
                node.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1").next()));
        await(store.close());
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("spend.db"));
                Statement statement = other.createStatement()) {
            statement.execute(NO_SERVER_TOOL_CALLS);
            statement.execute("DROP TABLE charges");
            statement.execute("CREATE TABLE charge (node TEXT NOT NULL, at_ms INTEGER NOT NULL)");
            statement.execute("PRAGMA user_version=1");
        }
        for (int start = 0; start < 2; start++) {
            open();
            assertThat(march().cost()).isEqualTo(Money.of("1"));
            assertThat(await(store.charges(ACME, MARCH, 10))).isEmpty();
            await(store.close());
        }
        open();
        await(store.append(
                node.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1").next()));
        assertThat(await(store.charges(ACME, MARCH, 10))).hasSize(1);
    }

    @Test
    void countsCallsOfToolsFromTheUpgradeOn() throws Exception {
        await(store.append(
                node.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1").next()));
        march(); // its rows are written
        await(store.append(
                node.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1").next()));
        await(store.close());
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("spend.db"));
                Statement statement = other.createStatement()) {
            statement.execute(NO_SERVER_TOOL_CALLS);
            statement.execute("PRAGMA user_version=3");
        }
        open();
        assertThat(march().cost()).isEqualTo(Money.of("2"));
        assertThat(march().serverToolCalls()).isZero();
        TokenUsage searched = new TokenUsage(1, 0, 0, 1, 0, false).withServerToolCalls(4);
        await(store.append(node.add(Spent.facts(
                        "2026-03-02T10:00:00Z",
                        "shop",
                        null,
                        new SpendFacts.Charge("primary", "openai", "m", searched, Money.of("1"), Spent.PRICED)))
                .next()));
        assertThat(march().serverToolCalls()).isEqualTo(4);
        assertThat(march().cost()).isEqualTo(Money.of("3"));
    }

    @Test
    void refusesADatabaseOfANewerRelease() throws Exception {
        Path file = directory.resolve("newer.db");
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            statement.execute("PRAGMA user_version=99");
        }
        assertThatThrownBy(() -> SqliteSpendStore.open(file, () -> NOW))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("newer release");
    }
}
