package io.sluice.plugins.api;

import java.util.List;

/**
 * One mistake in a provider's settings.
 *
 * @param path from the input of {@code putProvider}, such as {@code [settings, latencyMs]}
 * @param message what is wrong and what to write instead
 */
public record SettingProblem(List<String> path, String message) {
    public SettingProblem {
        path = List.copyOf(path);
    }
}
