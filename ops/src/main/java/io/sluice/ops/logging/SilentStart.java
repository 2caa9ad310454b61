package io.sluice.ops.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Keeps logback from looking for a file at start, which would cost more than all the rest of it (an XML parser), and sets the
 * levels. {@link Logs} opens the log once the settings are known; nothing below a warning is lost before, for nothing is said.
 * Found by {@link java.util.ServiceLoader}.
 */
public final class SilentStart extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        level(context, org.slf4j.Logger.ROOT_LOGGER_NAME, Level.WARN);
        level(context, "io.sluice", Level.INFO);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static void level(LoggerContext context, String name, Level level) {
        Logger logger = context.getLogger(name);
        logger.setLevel(level);
    }
}
