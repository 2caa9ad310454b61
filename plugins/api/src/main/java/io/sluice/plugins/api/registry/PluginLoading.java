package io.sluice.plugins.api.registry;

import io.sluice.plugins.api.PluginApi;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.registry.PluginRegistry.Loaded;
import io.sluice.plugins.api.registry.PluginRegistry.Skipped;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** One search for plugins. Whatever a plugin's code throws while it is looked at is that plugin's fault and nobody else's. */
final class PluginLoading {
    private static final Pattern WORD = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final String SERVICE = "META-INF/services/" + ProviderFactory.class.getName();

    private final Map<String, ProviderFactory> factories = new HashMap<>();
    private final List<Loaded> loaded = new ArrayList<>();
    private final List<Skipped> skipped = new ArrayList<>();
    private final List<URLClassLoader> loaders = new ArrayList<>();

    PluginRegistry registry() {
        return new PluginRegistry(factories, loaded, skipped, loaders);
    }

    void fromClassPath(ClassLoader loader) {
        takeAll(ServiceLoader.load(ProviderFactory.class, loader), PluginRegistry.CLASS_PATH);
    }

    void fromDirectory(Path directory) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.jar")) {
            found.forEach(jars::add);
        } catch (IOException | java.nio.file.DirectoryIteratorException unreadable) {
            skipped.add(
                    new Skipped(directory.getFileName() + "", "the directory can not be read: " + words(unreadable)));
        }
        jars.sort(null);
        jars.forEach(this::fromJar);
    }

    private void fromJar(Path jar) {
        String name = jar.getFileName() + "";
        String unusable = unusable(jar);
        if (unusable != null) {
            skipped.add(new Skipped(name, unusable));
            return;
        }
        try {
            URLClassLoader loader = new URLClassLoader(
                    name,
                    new URL[] {jar.toUri().toURL()},
                    new PluginParent(getClass().getClassLoader()));
            if (takeAll(ServiceLoader.load(ProviderFactory.class, loader), name)) {
                loaders.add(loader);
            } else {
                loader.close();
            }
        } catch (IOException unreadable) {
            skipped.add(new Skipped(name, "can not be read: " + words(unreadable)));
        }
    }

    /** Why the file is no plugin jar at all; null where it is one. */
    private static String unusable(Path jar) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry service = zip.getEntry(SERVICE);
            return service == null ? "has no " + SERVICE : null;
        } catch (IOException noZip) {
            return "is no jar: " + words(noZip);
        }
    }

    /** Whether any was taken. */
    private boolean takeAll(ServiceLoader<ProviderFactory> found, String origin) {
        boolean any = false;
        Iterator<ServiceLoader.Provider<ProviderFactory>> candidates =
                found.stream().iterator();
        while (true) {
            try {
                if (!candidates.hasNext()) {
                    return any;
                }
                any |= take(candidates.next().get(), origin);
            } catch (ServiceConfigurationError | LinkageError | RuntimeException broken) {
                skipped.add(new Skipped(origin, "can not be loaded: " + words(broken)));
            }
        }
    }

    private boolean take(ProviderFactory factory, String origin) {
        if (factory.apiVersion() != PluginApi.VERSION) {
            skipped.add(new Skipped(
                    origin,
                    factory.getClass().getName() + " was built for version " + factory.apiVersion()
                            + " of the plugin interface; this Sluice has version " + PluginApi.VERSION));
            return false;
        }
        String plugin = factory.plugin();
        if (plugin == null || !WORD.matcher(plugin).matches()) {
            skipped.add(new Skipped(
                    origin, factory.getClass().getName() + " has no word of lower-case letters, digits and hyphens"));
            return false;
        }
        if (factories.putIfAbsent(plugin, factory) != null) {
            skipped.add(new Skipped(origin, "the plugin " + plugin + " is there already"));
            return false;
        }
        loaded.add(new Loaded(plugin, origin));
        return true;
    }

    private static String words(Throwable trouble) {
        Throwable cause = trouble.getCause() == null ? trouble : trouble.getCause();
        String of = cause == trouble ? "" : trouble.getMessage() + ": ";
        return of + cause.getClass().getSimpleName() + (cause.getMessage() == null ? "" : " " + cause.getMessage());
    }
}
