package io.sluice.ops;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * What surrounds a command: where it prints and what it was started with.
 *
 * @param out for what was asked for
 * @param err for why it can't be had
 * @param home the directory that {@code .sluice} is in where no data directory is named
 */
record Terminal(PrintStream out, PrintStream err, Map<String, String> environment, Path home) {
    /** The process's own. {@code -Dsluice.home} is set by {@code ops/sluice}. */
    static Terminal ofProcess() {
        return new Terminal(System.out, System.err, System.getenv(), Path.of(System.getProperty("sluice.home", ".")));
    }
}
