package io.sluice.ops;

import io.sluice.ops.settings.Settings;
import io.sluice.ops.settings.SettingsReader;
import io.sluice.tenants.NodeRole;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts one process with everything in it and stays until it is told to stop. */
@Command(
        name = "up",
        description = "One process, everything embedded; Ctrl-C drains and stops.",
        mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
    private final Terminal terminal;

    @ArgGroup
    private What what = new What();

    @Option(names = "--data-dir", paramLabel = "DIR", description = "where everything is kept; default: .sluice")
    private Path dataDir;

    /** One of the two or neither. */
    private static final class What {
        @Option(names = "--empty", description = "without demo objects")
        private boolean empty;

        @Option(names = "--config", paramLabel = "FILE", description = "production style: everything from the file")
        private Path config;
    }

    UpCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        Settings settings = SettingsReader.read(
                new SettingsReader.CommandLine(what.config, dataDir), terminal.environment(), terminal.home());
        // Its tenant is there to be called and to be looked at, which takes both roles.
        boolean demo = !what.empty && what.config == null && settings.roles().containsAll(Set.of(NodeRole.values()));
        Shutdown shutdown = Shutdown.onSignal();
        Node node;
        try {
            node = Assembly.start(settings, demo);
        } catch (StartFailedException | RuntimeException failed) {
            shutdown.disarm();
            throw failed;
        }
        shutdown.then(node::stop);
        terminal.out().print(Greeting.text(node.facts()));
        terminal.out().flush();
        shutdown.await();
        return Main.STOPPED;
    }
}
