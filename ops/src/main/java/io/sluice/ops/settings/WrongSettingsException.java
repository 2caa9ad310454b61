package io.sluice.ops.settings;

import java.util.List;
import java.util.stream.Collectors;

/** The settings have mistakes; all of them are in it. */
public final class WrongSettingsException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<SettingsProblem> problems;

    public WrongSettingsException(List<SettingsProblem> problems) {
        super(problems.stream().map(SettingsProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<SettingsProblem> problems() {
        return problems;
    }
}
