package io.sluice.ops;

import io.sluice.ops.settings.SettingsReader;
import io.sluice.ops.settings.WrongSettingsException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks a settings file by reading it as {@code up --config} would, without the environment and without starting. */
@Command(
        name = "validate",
        description = "Checks a configuration file without starting.",
        mixinStandardHelpOptions = true)
final class ValidateCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "the settings file")
    private Path file;

    ValidateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        try {
            SettingsReader.read(new SettingsReader.CommandLine(file, null), Map.of(), terminal.home());
            terminal.out().println(file + " is right");
            return Main.STOPPED;
        } catch (WrongSettingsException wrong) {
            wrong.problems().forEach(terminal.out()::println);
            return Main.WRONG_USE;
        }
    }
}
