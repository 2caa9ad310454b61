package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    @Test
    void findsARightFileRight() throws IOException {
        Path file = write("listeners: {port: 9000}");

        assertThat(run(Map.of(), "validate", file.toString())).isZero();
        assertThat(out()).isEqualTo(file + " is right\n");
    }

    @Test
    void listsEveryMistakeOfAWrongFile() throws IOException {
        Path file = write("listeners: {prot: 9000}\nlimits: {bodyBytesMax: -1}\n");

        assertThat(run(Map.of(), "validate", file.toString())).isEqualTo(2);
        assertThat(out().lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith(file + ":"))
                .anyMatch(line -> line.contains("listeners.port"))
                .anyMatch(line -> line.contains("limits.bodyBytesMax"));
    }

    @Test
    void checksAFileWithoutTheEnvironment() throws IOException {
        assertThat(run(Map.of("SLUICE_ADMIN_TOKEN", ""), "validate", write("{}").toString()))
                .isZero();
    }

    @Test
    void refusesToStartWithAWrongFile() throws IOException {
        Path file = write("colour: red");

        assertThat(run(Map.of(), "up", "--config", file.toString())).isEqualTo(2);
        assertThat(err()).startsWith("sluice: " + file + ":1: colour: unknown key");
    }

    @ParameterizedTest(name = "CF04 and AT04: \"{0}\"")
    @ValueSource(strings = {"", "   "})
    void refusesToStartWithABlankAdminToken(String token) {
        Path dataDir = directory.resolve("data");

        assertThat(run(Map.of("SLUICE_ADMIN_TOKEN", token), "up", "--empty", "--data-dir", dataDir.toString()))
                .isEqualTo(2);
        assertThat(err()).contains("SLUICE_ADMIN_TOKEN").contains("blank");
        assertThat(dataDir).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "down",
                "up --port 1",
                "up --empty --config x.yaml",
                "up extra",
                "validate",
                "simulator",
                "simulator --port x",
                "simulator --port 70000"
            })
    void answersWrongUsageWithCode2AndUsage(String words) {
        assertThat(run(Map.of(), words.isEmpty() ? new String[0] : words.split(" ")))
                .isEqualTo(2);
        assertThat(err()).containsIgnoringCase("usage:");
        assertThat(out()).isEmpty();
    }

    @Test
    void explainsItselfOnRequest() {
        assertThat(run(Map.of(), "up", "--help")).isZero();
        assertThat(out()).contains("--config=FILE").contains("--data-dir=DIR");
    }

    private Path write(String yaml) throws IOException {
        return Files.writeString(directory.resolve("sluice.yaml"), yaml);
    }

    private int run(Map<String, String> environment, String... args) {
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment,
                directory);
        return Main.run(terminal, args);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
