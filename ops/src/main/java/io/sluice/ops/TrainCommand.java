package io.sluice.ops;

import io.sluice.ops.settings.Settings;
import io.sluice.ops.settings.SettingsReader;
import io.sluice.plugins.api.Secret;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * Starts as {@code up} does, serves a little of everything on free ports from a directory of its own, and stops: what it loads
 * is what the JVM should keep for the next starts ({@code -XX:ArchiveClassesAtExit}).
 */
@Command(name = "train", description = "Serves a little and stops, for class data sharing.", hidden = true)
final class TrainCommand implements Callable<Integer> {
    private static final int ROUNDS = 5;
    private static final int TIMEOUT_MS = 10_000;

    private final Terminal terminal;

    TrainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        Path directory = Files.createTempDirectory("sluice-train");
        try {
            Settings settings = SettingsReader.read(
                    new SettingsReader.CommandLine(null, directory.resolve("data")),
                    Map.of("SLUICE_PORT", "0", "SLUICE_ADMIN_PORT", "0"),
                    terminal.home());
            Node node = Assembly.start(settings, true);
            terminal.out().print(Greeting.text(node.facts()).lines().count() + " lines of greeting, ");
            serve(node.facts());
            node.stop();
            terminal.out().println("trained");
            return Main.STOPPED;
        } finally {
            delete(directory);
        }
    }

    private static void serve(Greeting.Facts facts) throws IOException {
        String key = facts.demoKey().orElseThrow().reveal();
        String token = facts.madeToken().map(Secret::reveal).orElseThrow();
        String chat = facts.apps() + "/v1/chat/completions";
        for (int round = 0; round < ROUNDS; round++) {
            exchange(chat, key, "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}");
            exchange(
                    chat,
                    key,
                    "{\"model\":\"auto\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}");
            exchange(facts.apps() + "/v1/models", key, null);
            exchange(facts.management() + "/readyz", token, null);
            exchange(facts.management() + "/metrics", token, null);
            exchange(
                    facts.management() + "/graphql",
                    token,
                    "{\"query\":\"{ tenants { nodes { id pools { id } } } }\"}");
        }
    }

    private static void exchange(String url, String bearer, String body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        connection.setRequestProperty("Authorization", "Bearer " + bearer);
        if (body != null) {
            connection.setRequestMethod("POST");
            connection.setRequestProperty("Content-Type", "application/json");
            connection.setDoOutput(true);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body.getBytes(StandardCharsets.UTF_8));
            }
        }
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            throw new IOException(url + " answered " + connection.getResponseCode());
        }
        connection.getInputStream().readAllBytes();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
