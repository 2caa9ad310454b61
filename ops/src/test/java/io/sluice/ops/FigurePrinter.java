package io.sluice.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Adds the figures that tests report to {@code target/figures.txt}, one line each: Maven's plugins show them nowhere. Found by the launcher itself. */
public final class FigurePrinter implements TestExecutionListener {
    private static final Path FILE = Path.of("target", "figures.txt");

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        String name = test.getUniqueId().replaceFirst(".*\\[class:[^]]*?([^].]*)].*", "$1");
        entry.getKeyValuePairs()
                .forEach((key, value) -> write("%s %s %s, %s: %s%n"
                        .formatted(entry.getTimestamp().withNano(0), name, test.getDisplayName(), key, value)));
    }

    private static void write(String line) {
        try {
            Files.writeString(FILE, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException fullDisk) {
            throw new UncheckedIOException(fullDisk);
        }
    }
}
