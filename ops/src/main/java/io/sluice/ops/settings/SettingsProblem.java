package io.sluice.ops.settings;

/**
 * One mistake in the settings.
 *
 * @param source the file, the environment variable or the option it is in
 * @param line in the file, from 1; 0 where there is none
 * @param path of the key, such as {@code listeners.port}; empty where the source as a whole is meant
 * @param message what is wrong and what to write instead
 */
public record SettingsProblem(String source, int line, String path, String message) {
    /** One line for a person: source, line, path, message. */
    @Override
    public String toString() {
        return source + (line > 0 ? ":" + line : "") + ": " + (path.isEmpty() ? "" : path + ": ") + message;
    }
}
