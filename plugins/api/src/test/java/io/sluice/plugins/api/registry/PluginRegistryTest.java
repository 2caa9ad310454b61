package io.sluice.plugins.api.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.plugins.api.registry.PluginRegistry.Loaded;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each jar is a real one, compiled and packed by the test. */
class PluginRegistryTest {
    @TempDir
    private Path directory;

    private Path work;
    private PluginRegistry registry = PluginRegistry.load();

    @BeforeEach
    void makeDirectories() throws IOException {
        work = Files.createDirectory(directory.resolve("work"));
        Files.createDirectory(directory.resolve("plugins"));
    }

    @AfterEach
    void close() throws IOException {
        registry.close();
    }

    private void load() {
        registry = PluginRegistry.load(Optional.of(directory.resolve("plugins")));
    }

    private void drop(String jar, String className, String source) throws IOException {
        Path built = PluginJar.build(work, jar, className, source);
        Files.move(built, directory.resolve("plugins").resolve(jar));
    }

    private void dropSample(String jar) throws IOException {
        drop(jar, PluginJar.SAMPLE, PluginJar.sampleSource());
    }

    private String reason(String jar) {
        assertThat(registry.skipped())
                .filteredOn(each -> each.origin().equals(jar))
                .hasSize(1);
        return registry.skipped().stream()
                .filter(each -> each.origin().equals(jar))
                .findFirst()
                .orElseThrow()
                .reason();
    }

    private static String factorySource(String body) {
        return "package org.example;\n"
                + "import io.sluice.plugins.api.*;\n"
                + "import io.vertx.core.*;\n"
                + "import java.util.List;\n"
                + "public class Odd implements ProviderFactory {\n"
                + "  public List<SettingProblem> check(ProviderSettings s) { return List.of(); }\n"
                + "  public Future<Provider> create(ProviderSettings s, Vertx v) { return Future.failedFuture(\"no\"); }\n"
                + body
                + "}\n";
    }

    private static final String WORD = "  public String plugin() { return \"odd\"; }\n";
    private static final String VERSION = "  public int apiVersion() { return PluginApi.VERSION; }\n";

    @Test
    void aDroppedInJarIsLoadedByItsOwnClassLoader() throws IOException {
        dropSample("shout.jar");

        load();

        ProviderFactory factory = registry.factory("shout").orElseThrow();
        assertThat(registry.loaded()).contains(new Loaded("shout", "shout.jar"));
        assertThat(registry.skipped()).isEmpty();
        assertThat(factory.getClass().getClassLoader()).isNotSameAs(getClass().getClassLoader());
        assertThat(factory.check(new ProviderSettings("ftp://x", Map.of()))).hasSize(1);
    }

    @Test
    void aPluginSeesTheInterfaceButNotTheRestOfSluice() throws IOException {
        dropSample("shout.jar");
        load();
        ClassLoader loader = registry.factory("shout").orElseThrow().getClass().getClassLoader();

        assertThat(visible(loader, "io.sluice.plugins.api.Provider")).isTrue();
        assertThat(visible(loader, "io.vertx.core.buffer.Buffer")).isTrue();
        assertThat(visible(loader, "com.fasterxml.jackson.databind.JsonNode")).isTrue();
        assertThat(visible(loader, "java.sql.Connection")).isTrue();
        assertThat(visible(loader, "io.sluice.plugins.bus.Bus")).isFalse();
        assertThat(visible(loader, "org.assertj.core.api.Assertions")).isFalse();
        assertThat(loader.getResource("META-INF/services/io.vertx.core.spi.VerticleFactory"))
                .isNull();
    }

    private static boolean visible(ClassLoader loader, String name) {
        try {
            loader.loadClass(name);
            return true;
        } catch (ClassNotFoundException hidden) {
            return false;
        }
    }

    @Test
    void aDirectoryThatIsNotThereHasNoPlugins() {
        registry = PluginRegistry.load(Optional.of(directory.resolve("absent")));

        assertThat(registry.skipped()).isEmpty();
    }

    @Test
    void garbageIsNamedAndTheNextJarIsStillLoaded() throws IOException {
        Files.writeString(directory.resolve("plugins").resolve("a-garbage.jar"), "no zip at all");
        dropSample("shout.jar");

        load();

        assertThat(reason("a-garbage.jar")).contains("is no jar");
        assertThat(registry.factory("shout")).isPresent();
    }

    @Test
    void aJarWithoutServiceFileIsNamed() throws IOException {
        PluginJar.pack(directory.resolve("plugins").resolve("plain.jar"), work, null);

        load();

        assertThat(reason("plain.jar")).contains("META-INF/services/io.sluice.plugins.api.ProviderFactory");
    }

    @Test
    void aServiceFileThatNamesNoClassIsNamed() throws IOException {
        PluginJar.pack(directory.resolve("plugins").resolve("missing.jar"), work, "org.example.Missing");

        load();

        assertThat(reason("missing.jar")).contains("org.example.Missing");
    }

    @Test
    void aClassThatIsNotWhatItsNameSaysIsNamed() throws IOException {
        Path other = PluginJar.build(work, "other.jar", "org.example.Odd", factorySource(WORD + VERSION));
        Path classes = Files.createDirectories(work.resolve("broken/org/example"));
        try (FileSystem zip = FileSystems.newFileSystem(other)) {
            Files.copy(zip.getPath("org/example/Odd.class"), classes.resolve("Broken.class"));
        }
        PluginJar.pack(
                directory.resolve("plugins").resolve("broken.jar"), work.resolve("broken"), "org.example.Broken");

        load();

        assertThat(reason("broken.jar")).contains("NoClassDefFoundError");
    }

    @Test
    void aConstructorThatThrowsIsNamedWithItsWords() throws IOException {
        drop(
                "odd.jar",
                "org.example.Odd",
                factorySource(
                        WORD + VERSION + "  public Odd() { throw new IllegalStateException(\"no licence\"); }\n"));

        load();

        assertThat(reason("odd.jar")).contains("no licence");
        assertThat(registry.factory("odd")).isEmpty();
    }

    @Test
    void anErrorInAStaticBlockIsNamed() throws IOException {
        drop(
                "odd.jar",
                "org.example.Odd",
                factorySource(WORD + VERSION + "  static final int N = Integer.parseInt(\"x\");\n"));

        load();

        assertThat(reason("odd.jar")).contains("can not be loaded");
    }

    @Test
    void anotherVersionOfTheInterfaceIsNamed() throws IOException {
        drop("odd.jar", "org.example.Odd", factorySource(WORD + "  public int apiVersion() { return 99; }\n"));

        load();

        assertThat(reason("odd.jar")).contains("version 99").contains("has version 1");
    }

    @Test
    void aWordThatIsNoWordIsNamed() throws IOException {
        drop(
                "odd.jar",
                "org.example.Odd",
                factorySource(VERSION + "  public String plugin() { return \"Not A Word\"; }\n"));

        load();

        assertThat(reason("odd.jar")).contains("lower-case");
    }

    @Test
    void theFirstOfTwoWithTheSameWordWins() throws IOException {
        dropSample("a.jar");
        dropSample("b.jar");

        load();

        assertThat(registry.loaded()).contains(new Loaded("shout", "a.jar"));
        assertThat(reason("b.jar")).contains("shout is there already");
    }

    @Test
    void aClassOfSluicesInsidesCanNotBeUsed() throws IOException {
        drop(
                "odd.jar",
                "org.example.Odd",
                factorySource(
                        WORD + VERSION + "  static final Object BUS = io.sluice.plugins.bus.Bus.class.getName();\n"));

        load();

        assertThat(reason("odd.jar")).contains("io/sluice/plugins/bus/Bus");
    }
}
