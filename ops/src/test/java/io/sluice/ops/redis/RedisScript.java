package io.sluice.ops.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What runbooks do by hand: a script makes commands for redis-cli out of a copy. Needs redis-cli, and no sqlite3. */
final class RedisScript {
    private static final long WAIT_SECONDS_MAX = 60;

    private RedisScript() {}

    /**
     * As sqlite3 and redis-cli would; fails where one command does.
     *
     * @param script in ops/deploy
     * @param copy the file of a store
     * @param directory for what is in between
     */
    static void run(String script, Path copy, RedisServer redis, Path directory) throws Exception {
        List<String> commands = lines(script, copy);
        Path file = directory.resolve("commands");
        Files.write(file, commands);
        Path said = directory.resolve("said");
        Process client = new ProcessBuilder("redis-cli", "-p", String.valueOf(redis.port()))
                .redirectInput(file.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(client.waitFor(WAIT_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readAllLines(said))
                .hasSizeGreaterThan(commands.size())
                .noneMatch(line -> line.contains("ERR"));
    }

    private static List<String> lines(String name, Path copy) throws IOException, SQLException {
        String script = Files.readString(Path.of("deploy").resolve(name));
        List<String> commands = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + copy);
                Statement statement = connection.createStatement()) {
            for (String select : script.replaceAll("(?m)^--.*$", "").split(";\\s*\n", 0)) {
                if (!select.isBlank()) {
                    try (ResultSet found = statement.executeQuery(select)) {
                        while (found.next()) {
                            commands.add(found.getString(1));
                        }
                    }
                }
            }
        }
        return commands;
    }
}
