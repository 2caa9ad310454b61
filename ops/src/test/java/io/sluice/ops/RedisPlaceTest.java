package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ops.redis.RedisSettings;
import io.sluice.ops.settings.RedisAccess;
import io.sluice.plugins.api.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisPlaceTest {
    @TempDir
    Path directory;

    @Test
    void takesThePasswordOfTheFile() throws Exception {
        Files.writeString(file(), "very-secret\n");

        RedisSettings settings = RedisPlace.of(access(Optional.empty()));

        assertThat(settings.password().orElseThrow().reveal()).isEqualTo("very-secret");
        assertThat(settings.endpoints()).containsExactly("redis://127.0.0.1:6379");
        assertThat(settings.replicasMin()).isEqualTo(1);
    }

    @Test
    void prefersThePasswordOfTheEnvironment() throws Exception {
        assertThat(RedisPlace.of(access(Optional.of(new Secret("other"))))
                        .password()
                        .orElseThrow()
                        .reveal())
                .isEqualTo("other");
    }

    @Test
    void namesAFileThatCannotBeReadAndTheRemedy() {
        assertThatThrownBy(() -> RedisPlace.of(access(Optional.empty())))
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining(file().toString())
                .hasMessageContaining("SLUICE_REDIS_PASSWORD");
    }

    @Test
    void refusesABlankFile() throws Exception {
        Files.writeString(file(), " \n");

        assertThatThrownBy(() -> RedisPlace.of(access(Optional.empty())))
                .isInstanceOf(StartFailedException.class)
                .hasMessageContaining("blank");
    }

    private Path file() {
        return directory.resolve("password");
    }

    private RedisAccess access(Optional<Secret> password) {
        return new RedisAccess(List.of("redis://127.0.0.1:6379"), Optional.of("me"), password, Optional.of(file()), 1);
    }
}
