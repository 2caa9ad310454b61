package io.sluice.plugins.api.registry;

import io.sluice.plugins.api.ProviderFactory;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The provider plugins of this process. A plugin that can not be used is named with its reason and left out; it never keeps the
 * process from starting. Immutable and thread-safe; {@link #close} when no provider of a dropped-in jar is in use any more.
 */
public final class PluginRegistry implements AutoCloseable {
    /** Where plugins of the class path come from. */
    public static final String CLASS_PATH = "class path";

    /**
     * A usable plugin.
     *
     * @param plugin its word
     * @param origin {@link #CLASS_PATH} or the jar's file name
     */
    public record Loaded(String plugin, String origin) {}

    /**
     * A plugin that is not used.
     *
     * @param origin {@link #CLASS_PATH} or the jar's file name
     * @param reason what is wrong with it, for operators
     */
    public record Skipped(String origin, String reason) {}

    private final Map<String, ProviderFactory> factories;
    private final List<Loaded> loaded;
    private final List<Skipped> skipped;
    private final List<URLClassLoader> loaders;

    PluginRegistry(
            Map<String, ProviderFactory> factories,
            List<Loaded> loaded,
            List<Skipped> skipped,
            List<URLClassLoader> loaders) {
        this.factories = Map.copyOf(factories);
        this.loaded = List.copyOf(loaded);
        this.skipped = List.copyOf(skipped);
        this.loaders = List.copyOf(loaders);
    }

    /** The plugins of the class path. */
    public static PluginRegistry load() {
        return load(Optional.empty());
    }

    /**
     * The plugins of the class path, then those of the jars in {@code directory} in the order of their names; a word that is taken
     * stays with the one that had it first. Blocks; a directory that does not exist has no jars.
     */
    public static PluginRegistry load(Optional<Path> directory) {
        PluginLoading loading = new PluginLoading();
        loading.fromClassPath(PluginRegistry.class.getClassLoader());
        directory.ifPresent(loading::fromDirectory);
        return loading.registry();
    }

    /** The factory of a plugin, by its word. */
    public Optional<ProviderFactory> factory(String plugin) {
        return Optional.ofNullable(factories.get(plugin));
    }

    /** All usable factories by their words. */
    public Map<String, ProviderFactory> factories() {
        return factories;
    }

    /** In the order in which they were found. */
    public List<Loaded> loaded() {
        return loaded;
    }

    /** In the order in which they were found. */
    public List<Skipped> skipped() {
        return skipped;
    }

    @Override
    public void close() throws IOException {
        for (URLClassLoader loader : loaders) {
            loader.close();
        }
    }
}
