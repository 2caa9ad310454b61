package io.sluice.plugins.api.registry;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * What a plugin in a jar sees of Sluice: the interface, the records that it speaks of, Vert.x, Netty, Jackson and SLF4J, and the
 * JDK. Everything else it brings itself, so that it can neither depend on Sluice's insides nor be broken by them. Resources
 * are hidden, or the services of Sluice's own plugins would look like the jar's.
 */
final class PluginParent extends ClassLoader {
    private static final List<String> SHOWN = List.of(
            "io.sluice.plugins.api.",
            "io.sluice.tenants.",
            "io.vertx.",
            "io.netty.",
            "com.fasterxml.jackson.",
            "org.slf4j.");

    private final ClassLoader sluice;

    PluginParent(ClassLoader sluice) {
        super("plugin-parent", ClassLoader.getPlatformClassLoader());
        this.sluice = sluice;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        for (String shown : SHOWN) {
            if (name.startsWith(shown)) {
                return sluice.loadClass(name);
            }
        }
        throw new ClassNotFoundException(name);
    }

    @Override
    public URL getResource(String name) {
        return null;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return Collections.emptyEnumeration();
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        return null;
    }
}
