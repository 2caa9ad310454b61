package io.sluice.ops;

import io.sluice.plugins.api.ProviderFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The provider plugins of this process, by their word. */
final class Plugins {
    private Plugins() {}

    static Map<String, ProviderFactory> in(Path directory) {
        Map<String, ProviderFactory> factories = new TreeMap<>();
        for (ProviderFactory factory : ServiceLoader.load(ProviderFactory.class)) {
            factories.put(factory.plugin(), factory);
        }
        return factories;
    }
}
