package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    @TempDir
    Path directory;

    @Test
    void isReadableByItsOwnerOnly() throws Exception {
        DataDirectory.take(path()).close();

        assertThat(Files.getPosixFilePermissions(path())).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void serves1ProcessAtATime() throws Exception {
        try (DataDirectory first = DataDirectory.take(path())) {
            assertThat(first).isNotNull();
            assertThatThrownBy(() -> DataDirectory.take(path()))
                    .isInstanceOf(StartFailedException.class)
                    .hasMessageContaining("another process")
                    .hasMessageContaining("--data-dir");
        }
    }

    @Test
    void canBeTakenAgainOnceItWasGivenBack() throws Exception {
        DataDirectory.take(path()).close();

        DataDirectory.take(path()).close();
    }

    @Test
    void saysWhatToDoWhereItCannotBeWritten() throws IOException {
        Files.writeString(path(), "a file is in the way");

        assertThatThrownBy(() -> DataDirectory.take(path()))
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining(path().toString())
                .hasMessageContaining("--data-dir");
    }

    private Path path() {
        return directory.resolve("data");
    }
}
