package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The command that runs the packaged jar, with class data sharing as {@code ops/sluice} has it: most of what a start costs is the loading
 * of classes. The first process that needs the archive makes it, for all test JVMs and until a jar is newer. Thread-safe.
 */
final class ProductJvm {
    private static final Path DIRECTORY = Path.of("target", "sluice").toAbsolutePath();
    private static final Path JAR = DIRECTORY.resolve("sluice.jar");
    private static final Path ARCHIVE = DIRECTORY.resolve("sluice-tests.jsa");

    static final List<String> COMMAND = command();

    private ProductJvm() {}

    private static List<String> command() {
        try (FileChannel one =
                FileChannel.open(DIRECTORY.resolve(".train"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            one.lock();
            if (!Files.exists(ARCHIVE) || Files.getLastModifiedTime(ARCHIVE).compareTo(newestJar()) <= 0) {
                train();
            }
            return with("-XX:SharedArchiveFile=" + ARCHIVE, "-Xshare:auto");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static FileTime newestJar() throws IOException {
        try (Stream<Path> libraries = Files.list(DIRECTORY.resolve("lib"))) {
            FileTime newest = Files.getLastModifiedTime(JAR);
            for (Path library : libraries.toList()) {
                FileTime modified = Files.getLastModifiedTime(library);
                newest = modified.compareTo(newest) > 0 ? modified : newest;
            }
            return newest;
        }
    }

    private static void train() throws IOException {
        Files.deleteIfExists(ARCHIVE);
        List<String> command = new ArrayList<>(with("-XX:ArchiveClassesAtExit=" + ARCHIVE));
        command.add("train");
        try {
            Tool.run(DIRECTORY, Map.of(), command.toArray(String[]::new));
        } catch (Exception failed) {
            throw new IOException(failed);
        }
        assertThat(ARCHIVE).exists();
    }

    private static List<String> with(String... sharing) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // it lives for seconds: the slow compiler would take more than it gives
                "-Xmx256m",
                "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2"));
        command.addAll(List.of(sharing));
        command.addAll(List.of("-jar", JAR.toString()));
        return List.copyOf(command);
    }
}
