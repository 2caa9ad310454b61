package io.sluice.ops;

import io.sluice.ops.settings.WrongSettingsException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;

/**
 * The command line. Exit codes: {@value #STOPPED} stopped on request or done, {@value #WRONG_USE} wrong usage or
 * configuration, {@value #FAILED} anything else. Open {@link UpCommand}.
 */
@Command(name = "sluice", description = "Routes traffic to language models.", mixinStandardHelpOptions = true)
public final class Main {
    static final int STOPPED = 0;
    static final int FAILED = 1;
    static final int WRONG_USE = 2;

    private static final String ALLOCATOR = "io.netty.allocator.type";

    private Main() {}

    public static void main(String[] args) {
        // Vert.x would look for three logging libraries in turn, and log to java.util.logging where it finds its own
        // file first.
        System.setProperty("vertx.logger-delegate-factory-class-name", "io.vertx.core.logging.SLF4JLogDelegateFactory");
        // Netty 4.2's new default takes 8 % of an event loop's time here, and the JIT far longer to see through.
        if (System.getProperty(ALLOCATOR) == null) {
            System.setProperty(ALLOCATOR, "pooled");
        }
        System.exit(run(Terminal.ofProcess(), args));
    }

    /** Does what {@code args} say and returns the exit code. */
    static int run(Terminal terminal, String... args) {
        CommandLine line = new CommandLine(new Main())
                .addSubcommand("up", new UpCommand(terminal))
                .addSubcommand("simulator", new SimulatorCommand(terminal))
                .addSubcommand("train", new TrainCommand(terminal))
                .addSubcommand("validate", new ValidateCommand(terminal))
                .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setExecutionExceptionHandler((exception, command, parsed) -> explain(terminal, exception));
        if (args.length == 0) {
            line.usage(terminal.err(), Ansi.OFF);
            return WRONG_USE;
        }
        return line.execute(args);
    }

    private static int explain(Terminal terminal, Exception exception) {
        if (exception instanceof WrongSettingsException wrong) {
            wrong.problems().forEach(problem -> terminal.err().println("sluice: " + problem));
            return WRONG_USE;
        }
        if (exception instanceof StartFailedException failed) {
            terminal.err().println("sluice: " + failed.getMessage());
            return FAILED;
        }
        terminal.err().println("sluice: this is a mistake in Sluice, please report it:");
        exception.printStackTrace(terminal.err());
        return FAILED;
    }
}
