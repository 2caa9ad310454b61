package io.sluice.ops;

import io.sluice.plugins.simulator.ScriptReader;
import io.sluice.plugins.simulator.SimulatorScript;
import io.sluice.plugins.simulator.SimulatorServer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves the simulated provider by itself, for drills, load and other people's clients. */
@Command(
        name = "simulator",
        description = "The simulated provider as a server of the OpenAI dialect.",
        mixinStandardHelpOptions = true)
final class SimulatorCommand implements Callable<Integer> {
    /** A script is written by hand; more is another file. */
    private static final long SCRIPT_BYTES_MAX = 1 << 20;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Option(names = "--port", paramLabel = "P", required = true, description = "to listen on; 0 takes a free one")
    private int port;

    @Option(names = "--script", paramLabel = "FILE", description = "JSON: latency, tokens, tool calls, faults")
    private Path script;

    SimulatorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException, StartFailedException {
        if (port < 0 || port > 65_535) {
            throw wrong("--port must be from 0 to 65535");
        }
        SimulatorScript played = script();
        Shutdown shutdown = Shutdown.onSignal();
        Vertx vertx = Vertx.vertx();
        try {
            SimulatorServer server = SimulatorServer.start(vertx, "127.0.0.1", port, played)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
            terminal.out().println("Simulator is ready: " + server.baseUrl() + " (Ctrl-C stops it)");
        } catch (ExecutionException failed) {
            shutdown.disarm();
            throw new StartFailedException(Ports.explain("--port", port, failed.getCause()), failed);
        }
        shutdown.await();
        return Main.STOPPED;
    }

    private SimulatorScript script() {
        if (script == null) {
            return SimulatorScript.DEFAULT;
        }
        try {
            if (Files.size(script) > SCRIPT_BYTES_MAX) {
                throw wrong(script + ": is larger than 1 MiB");
            }
            ScriptReader reader = ScriptReader.of(Files.readString(script));
            if (!reader.problems().isEmpty()) {
                StringBuilder lines = new StringBuilder();
                reader.problems()
                        .forEach(problem -> lines.append(lines.isEmpty() ? "" : "\n")
                                .append(script)
                                .append(": ")
                                .append(String.join(".", problem.path()))
                                .append(problem.path().isEmpty() ? "" : ": ")
                                .append(problem.message()));
                throw wrong(lines.toString());
            }
            return reader.script();
        } catch (IOException unreadable) {
            throw wrong(script + ": can't be read (" + unreadable + ")");
        }
    }

    private ParameterException wrong(String message) {
        CommandLine line = spec.commandLine();
        return new ParameterException(line, message);
    }
}
