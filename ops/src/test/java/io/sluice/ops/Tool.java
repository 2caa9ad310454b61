package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs of the machine that tests run. */
final class Tool {
    /** A fresh installation of packages over a slow line. */
    private static final long RUN_MIN_MAX = 10;

    private Tool() {}

    /**
     * What the program printed; its errors are in it where it fails.
     *
     * @param directory where it runs
     */
    static String run(Path directory, Map<String, String> environment, String... command) throws Exception {
        Path out = Files.createTempFile("tool", ".out");
        Path err = Files.createTempFile("tool", ".err");
        try {
            Process process = start(directory, environment, out, err, command);
            boolean ended = process.waitFor(RUN_MIN_MAX, TimeUnit.MINUTES);
            process.destroyForcibly();
            String printed = Files.readString(out, StandardCharsets.UTF_8);
            String complaint = List.of(command) + ":\n" + printed + Files.readString(err, StandardCharsets.UTF_8);
            assertThat(ended).as("ended in time: %s", complaint).isTrue();
            assertThat(process.exitValue()).as(complaint).isZero();
            return printed;
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static Process start(
            Path directory, Map<String, String> environment, Path out, Path err, String... command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException missing) {
            throw new UncheckedIOException(
                    command[0] + " is needed for this test and can't be started; ops/sluice test installs it as root on"
                            + " Debian or Ubuntu, else please install it",
                    missing);
        }
    }
}
