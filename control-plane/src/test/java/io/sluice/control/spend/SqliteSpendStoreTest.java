package io.sluice.control.spend;

import static io.sluice.control.spend.Spent.ACME;
import static io.sluice.control.spend.Spent.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
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

    @Test
    void takesOverTheSumsOfTheReleaseBefore() throws Exception {
        await(store.append(
                node.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1").next()));
        await(store.close());
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("spend.db"));
                Statement statement = other.createStatement()) {
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
