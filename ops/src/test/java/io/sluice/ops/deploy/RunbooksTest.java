package io.sluice.ops.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A runbook is read at night: what it points at is there, and what it says that one sees is what one sees. */
class RunbooksTest {
    private static final Path RUNBOOKS = Path.of("docs/runbooks");
    private static final Path ROOT = Path.of("..");

    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[a-z0-9-]+)?\\)");
    private static final Pattern ANCHOR = Pattern.compile("]\\(([^):]*)#([a-z0-9-]+)\\)");
    private static final Pattern LOG = Pattern.compile("(?s)```log\\n(.*?)\\n```");
    /** A cause comes after a colon. */
    private static final Pattern PIECES = Pattern.compile("…|(?<=:) ");

    private static final Pattern METRIC = Pattern.compile("`(sluice_[a-z_]+)");

    /** Shorter pieces stand everywhere. */
    private static final int PIECE_MIN = 4;

    static List<Path> runbooks() {
        try (Stream<Path> files = Files.list(RUNBOOKS)) {
            return files.sorted().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static Stream<Path> whoPointsAtThem() {
        return Stream.concat(
                runbooks().stream(), Stream.of(Path.of("../README.md"), Manifests.KUBERNETES.resolve("README.md")));
    }

    @ParameterizedTest
    @MethodSource("whoPointsAtThem")
    void everyFileThatIsPointedAtIsThere(Path from) throws Exception {
        Stream<String> targets = groups(LINK, Files.readString(from));

        assertThat(targets.toList())
                .isNotEmpty()
                .allSatisfy(target ->
                        assertThat(from.resolveSibling(target).normalize()).exists());
    }

    @ParameterizedTest
    @MethodSource("runbooks")
    void everyHeadingThatIsPointedAtIsThere(Path from) throws Exception {
        List<MatchResult> anchors =
                ANCHOR.matcher(Files.readString(from)).results().toList();

        for (MatchResult anchor : anchors) {
            Path target = anchor.group(1).isEmpty() ? from : from.resolveSibling(anchor.group(1));
            assertThat(headings(target)).as(target.toString()).contains(anchor.group(2));
        }
    }

    private static Set<String> headings(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void theIndexHasEveryRunbook() throws Exception {
        String index = Files.readString(RUNBOOKS.resolve("README.md"));

        assertThat(runbooks())
                .hasSizeGreaterThan(5)
                .allSatisfy(file -> assertThat(
                                file.endsWith("README.md") || index.contains("](" + file.getFileName() + ")"))
                        .isTrue());
    }

    @Test
    void everyLineOfTheLogIsOneThatSluiceWrites() throws Exception {
        String sources = sources();
        List<String> pieces = runbooks().stream()
                .flatMap(file -> groups(LOG, read(file)))
                .flatMap(String::lines)
                .flatMap(line -> Stream.of(PIECES.split(line, -1)))
                .map(String::strip)
                .filter(piece -> piece.length() >= PIECE_MIN)
                .toList();

        assertThat(pieces)
                .hasSizeGreaterThan(10)
                .allSatisfy(
                        piece -> assertThat(sources.contains(piece)).as(piece).isTrue());
    }

    @Test
    void everyMetricIsOneThatSluiceHas() throws Exception {
        String sources = sources();
        List<String> metrics = runbooks().stream()
                .flatMap(file -> groups(METRIC, read(file)))
                .distinct()
                .map(name -> name.replaceFirst("_(total|seconds)$", "").replace('_', '.'))
                .toList();

        assertThat(metrics)
                .hasSizeGreaterThan(2)
                .allSatisfy(metric -> assertThat(sources).contains("\"" + metric + "\""));
    }

    /** The product's code, with texts that are put together of pieces made whole, and a place for a value made the end of a piece. */
    private static String sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, 20)) {
            return files.filter(file ->
                            file.toString().endsWith(".java") && file.toString().contains("/src/main/java/"))
                    .map(RunbooksTest::read)
                    .map(text -> text.replaceAll("\"\\s*\\+\\s*\"", ""))
                    .collect(Collectors.joining("\n"));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The first group of each find. */
    private static Stream<String> groups(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1));
    }
}
