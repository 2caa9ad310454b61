package io.sluice.ops;

import io.sluice.ops.redis.RedisSettings;
import io.sluice.ops.settings.RedisAccess;
import io.sluice.plugins.api.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Makes of what the settings say of a Redis what a connection needs: only here the file with the password is read. */
final class RedisPlace {
    private RedisPlace() {}

    /**
     * How to reach the Redis of {@code access}.
     *
     * @throws StartFailedException where the file with the password can't be read or is blank
     */
    static RedisSettings of(RedisAccess access) throws StartFailedException {
        return new RedisSettings(
                access.urls(), access.user(), password(access), access.replicasMin(), RedisSettings.ANSWER_MAX);
    }

    private static Optional<Secret> password(RedisAccess access) throws StartFailedException {
        if (access.password().isPresent() || access.passwordFile().isEmpty()) {
            return access.password();
        }
        Path file = access.passwordFile().get();
        try {
            String password = Files.readString(file, StandardCharsets.UTF_8).strip();
            if (password.isEmpty()) {
                throw new StartFailedException(
                        "the file " + file + " of redis.passwordFile is blank; write the password of Redis into it",
                        null);
            }
            return Optional.of(new Secret(password));
        } catch (IOException denied) {
            throw new StartFailedException(
                    "can't read the password of Redis in " + file + " (" + denied
                            + "); correct redis.passwordFile, or set SLUICE_REDIS_PASSWORD",
                    denied);
        }
    }
}
