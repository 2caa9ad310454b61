package io.sluice.plugins.api.registry;

import io.sluice.plugins.api.ProviderContract;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.ProviderSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A stranger's plugin, built, dropped in and found like any other, keeps the contract. */
class SampleProviderTest extends ProviderContract {
    @TempDir
    private static Path directory;

    private static PluginRegistry registry;

    @BeforeAll
    static void dropIn() throws IOException {
        Path plugins = Files.createDirectory(directory.resolve("plugins"));
        Path built = PluginJar.build(directory, "shout.jar", PluginJar.SAMPLE, PluginJar.sampleSource());
        Files.move(built, plugins.resolve("shout.jar"));
        registry = PluginRegistry.load(Optional.of(plugins));
    }

    @AfterAll
    static void close() throws IOException {
        registry.close();
    }

    @Override
    protected ProviderFactory factory() {
        return registry.factory("shout").orElseThrow();
    }

    @Override
    protected ProviderSettings settings() {
        return new ProviderSettings("http://shout.example", Map.of());
    }

    @Override
    protected Sample text(boolean streamed) {
        return new Sample(Map.of(), "say Hé\nsay llo\nend\n");
    }

    @Override
    protected Sample toolCall(boolean streamed) {
        return new Sample(Map.of(), "call weather\ncall time\nend\n");
    }
}
