package io.sluice.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.config.Given;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqliteConfigStoreTest extends StoreContract {
    @TempDir
    Path directory;

    @Override
    protected ConfigStore open() {
        return SqliteConfigStore.open(directory.resolve("config.db"));
    }

    private Path other() {
        return directory.resolve("other.db");
    }

    private static AuditLine line(String action) {
        return new AuditLine(Given.NOW, null, "actor", action, "subject", Given.json("{}"));
    }

    @Test
    void aSecondProcessIsTurnedAway() {
        assertThatThrownBy(this::open).isInstanceOf(StoreException.class).hasMessageContaining("another process");
    }

    @Test
    void aStoreOfANewerReleaseIsLeftAlone() throws SQLException {
        await(SqliteConfigStore.open(other()).close());
        tamper("PRAGMA user_version=99");
        assertThatThrownBy(() -> SqliteConfigStore.open(other()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("newer release");
    }

    @Test
    void anObjectThatCanNotBeReadIsNamed() throws SQLException {
        await(SqliteConfigStore.open(other()).close());
        tamper("INSERT INTO object VALUES ('model', '', 'm1', 1, '{\"broken\":')");
        SqliteConfigStore store = SqliteConfigStore.open(other());
        assertThatThrownBy(() -> await(store.load()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("m1");
        await(store.close());
    }

    @Test
    void aFileThatIsNoStoreIsNotOverwritten() throws Exception {
        Files.writeString(other(), "these are somebody's notes, longer than a page header ".repeat(100));
        assertThatThrownBy(() -> SqliteConfigStore.open(other())).isInstanceOf(StoreException.class);
        assertThat(Files.readString(other())).startsWith("these are somebody's notes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "UPDATE audit SET actor = 'actos' WHERE id = 2; entry 2 was changed",
                "UPDATE audit SET at = '2026-11-29T12:00:01Z' WHERE id = 1; entry 1 was changed",
                "UPDATE audit SET detail = '{ }' WHERE id = 3; entry 3 was changed",
                "UPDATE audit SET hash = '00' WHERE id = 3; entry 3 was changed",
                "UPDATE audit SET subject = 'subjec', action = 'tone' WHERE id = 1; entry 1 was changed",
                "DELETE FROM audit WHERE id = 2; entry 2 is missing",
                "DELETE FROM audit WHERE id = 3; entry 3 is missing",
                "DELETE FROM audit; entry 1 is missing"
            })
    void theVerifierFindsWhatWasTamperedWith(String sql, String found) throws SQLException {
        SqliteConfigStore store = SqliteConfigStore.open(other());
        await(store.append(
                store.position(),
                List.of(new StoredWrite(0, List.of(), List.of(line("one"), line("two"), line("three"))))));
        await(store.close());
        tamper(sql);
        SqliteConfigStore again = SqliteConfigStore.open(other());
        assertThat(await(again.verifyAudit())).containsExactly(found.strip());
        await(again.close());
    }

    private void tamper(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + other());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
