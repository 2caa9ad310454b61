package io.sluice.control.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSecretTest {
    @TempDir
    Path directory;

    @Test
    void isMadeOnceAndKeptForItsOwnerOnly() throws IOException {
        byte[] first = ServerSecret.of(null, directory.resolve("new")).bytes();
        byte[] second = ServerSecret.of(null, directory.resolve("new")).bytes();
        Path file = directory.resolve("new/secret.key");
        assertThat(second).isEqualTo(first);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void isAnotherInAnotherDirectory() throws IOException {
        assertThat(ServerSecret.of(null, directory.resolve("a")).bytes())
                .isNotEqualTo(ServerSecret.of(null, directory.resolve("b")).bytes());
    }

    @Test
    void isRefusedWhereOthersCanReadIt() throws IOException {
        ServerSecret.of(null, directory);
        Files.setPosixFilePermissions(directory.resolve("secret.key"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> ServerSecret.of(null, directory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("chmod 600");
    }

    @Test
    void aGivenOneLeavesNoFile() throws IOException {
        ServerSecret.of("sixteen characters or more", directory);
        assertThat(directory.resolve("secret.key")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "                        ", "short"})
    void aGivenOneIsLongEnough(String given) {
        assertThatThrownBy(() -> ServerSecret.of(given, directory)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDamagedFileIsNotReplaced() throws IOException {
        ServerSecret.of(null, directory);
        Files.writeString(directory.resolve("secret.key"), "");
        assertThatThrownBy(() -> ServerSecret.of(null, directory)).hasMessageContaining("damaged");
    }

    @Test
    void doesNotShowItself() throws IOException {
        assertThat(ServerSecret.of("sixteen characters or more", directory).toString())
                .doesNotContain("sixteen");
    }
}
