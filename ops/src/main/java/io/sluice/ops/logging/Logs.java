package io.sluice.ops.logging;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import io.sluice.ops.settings.Settings.AttemptLog;
import io.sluice.ops.settings.Settings.LogTarget;
import io.sluice.ops.settings.Settings.Logging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/**
 * The log of this process: one JSON object a line, with every control character escaped, so that no text from outside can
 * begin a line of its own. A request's trace id and other facts are key-value pairs. Lines are written by one thread of their
 * own; where it can't keep up lines are lost rather than an event loop held up.
 */
public final class Logs implements AutoCloseable {
    /** The data plane's logger of attempts. */
    private static final String ATTEMPTS = "io.sluice.request";

    /** Hazelcast warns at each start that this is off, which it should be. */
    private static final String UNUSED_PART = "com.hazelcast.cp";

    /** Lines that may wait, about 2 MB of them. */
    private static final int QUEUE_LINES_MAX = 8_192;

    /** With the files before it the log never takes more than 60 MB. */
    private static final long FILE_BYTES_MAX = 10L << 20;

    private static final int OLD_FILES_MAX = 5;

    /** A stop waits this long for the queue to be written. */
    private static final int FLUSH_MS_MAX = 2_000;

    private final AsyncAppender queue;
    private final Logger root;

    private Logs(Logger root, AsyncAppender queue) {
        this.root = root;
        this.queue = queue;
    }

    /** The file that {@link LogTarget#FILE} means. */
    public static Path file(Path dataDir) {
        return dataDir.resolve("logs").resolve("sluice.log");
    }

    /**
     * Begins to write.
     *
     * @throws IOException where the directory of the log can't be made
     */
    public static Logs open(Logging logging, Path dataDir) throws IOException {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        OutputStreamAppender<ILoggingEvent> out =
                logging.target() == LogTarget.STDERR ? standardError() : rolling(context, file(dataDir));
        out.setContext(context);
        out.setEncoder(encoder(context));
        out.start();
        AsyncAppender queue = new AsyncAppender();
        queue.setContext(context);
        queue.setQueueSize(QUEUE_LINES_MAX);
        queue.setNeverBlock(true);
        queue.setMaxFlushTime(FLUSH_MS_MAX);
        queue.addAppender(out);
        queue.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(queue);
        context.getLogger(UNUSED_PART).setLevel(Level.ERROR);
        context.getLogger(ATTEMPTS).setLevel(level(logging.attempts()));
        return new Logs(root, queue);
    }

    private static Level level(AttemptLog attempts) {
        return switch (attempts) {
            case OFF -> Level.OFF;
            case ALERTS -> Level.WARN;
            case FAILURES -> Level.INFO;
        };
    }

    private static OutputStreamAppender<ILoggingEvent> standardError() {
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setTarget("System.err");
        return console;
    }

    private static OutputStreamAppender<ILoggingEvent> rolling(LoggerContext context, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        RollingFileAppender<ILoggingEvent> rolling = new RollingFileAppender<>();
        rolling.setFile(file.toString());
        FixedWindowRollingPolicy names = new FixedWindowRollingPolicy();
        names.setContext(context);
        names.setParent(rolling);
        names.setFileNamePattern(file + ".%i");
        names.setMinIndex(1);
        names.setMaxIndex(OLD_FILES_MAX);
        names.start();
        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(context);
        size.setMaxFileSize(new FileSize(FILE_BYTES_MAX));
        size.start();
        rolling.setRollingPolicy(names);
        rolling.setTriggeringPolicy(size);
        return rolling;
    }

    private static JsonEncoder encoder(LoggerContext context) {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.setWithMarkers(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        encoder.start();
        return encoder;
    }

    /** Writes what waits, then ends. */
    @Override
    public void close() {
        root.detachAppender(queue);
        queue.stop();
    }
}
