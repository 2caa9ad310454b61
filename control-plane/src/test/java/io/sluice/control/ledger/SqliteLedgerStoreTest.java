package io.sluice.control.ledger;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.store.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLedgerStoreTest extends LedgerStoreContract {
    @TempDir
    Path directory;

    @Override
    protected LedgerStore open() {
        return SqliteLedgerStore.open(directory.resolve("ledger.db"));
    }

    @Test
    void aFileOfANewerReleaseIsRefused() throws Exception {
        Path file = directory.resolve("newer.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version=99");
        }
        assertThatThrownBy(() -> SqliteLedgerStore.open(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("newer release");
    }

    @Test
    void aFileThatIsNoLedgerIsRefused() throws Exception {
        Path file = directory.resolve("broken.db");
        Files.writeString(file, "this is no database, but long enough to look at: " + "x".repeat(2_000));
        assertThatThrownBy(() -> SqliteLedgerStore.open(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("broken.db");
    }
}
