package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole start, a little of everything and a whole stop, within the tests' own JVM. */
class TrainIT {
    @TempDir
    Path directory;

    @Test
    void servesALittleOfEverythingAndStops() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Terminal terminal = new Terminal(stream, stream, Map.of(), directory);

        assertThat(Main.run(terminal, "train"))
                .as(printed.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(directory).isEmptyDirectory();
    }
}
