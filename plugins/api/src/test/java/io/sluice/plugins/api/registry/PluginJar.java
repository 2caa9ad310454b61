package io.sluice.plugins.api.registry;

import io.sluice.plugins.api.ProviderFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Builds a plugin as its author would: compiles the source against the interface and packs it with its service file. */
final class PluginJar {
    static final String SAMPLE = "org.example.shout.ShoutProviderFactory";

    private PluginJar() {}

    /** The source of the sample plugin. */
    static String sampleSource() {
        try (InputStream source = PluginJar.class.getResourceAsStream("/sample-plugin/ShoutProviderFactory.java.txt")) {
            return new String(source.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** A jar in {@code directory} with {@code className}, compiled from {@code source}. */
    static Path build(Path directory, String jar, String className, String source) throws IOException {
        Path classes = Files.createTempDirectory(directory, "classes");
        compile(classes, className, source);
        return pack(directory.resolve(jar), classes, className);
    }

    private static void compile(Path classes, String className, String source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            boolean compiled = compiler.getTask(
                            messages,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "-d",
                                    classes.toString(),
                                    "-classpath",
                                    System.getProperty("java.class.path")),
                            null,
                            List.of(new Source(className, source)))
                    .call();
            if (!compiled) {
                throw new IllegalStateException(messages.toString());
            }
        }
    }

    /** A jar of what is in {@code classes}, whose service file names {@code className}; null for no service file. */
    static Path pack(Path jar, Path classes, String className) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> found = Files.walk(classes)) {
            for (Path each : found.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                out.write(Files.readAllBytes(each));
            }
            if (className != null) {
                out.putNextEntry(new JarEntry("META-INF/services/" + ProviderFactory.class.getName()));
                out.write((className + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String className, String text) {
            super(URI.create("string:///" + className.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
