package io.sluice.control.config;

import io.sluice.tenants.config.CredentialRef;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a provider's credential may be read from: never from what makes the server itself safe. Immutable; touches no file,
 * so whoever reads one asks {@link #refuses} again with the path that all symbolic links lead to.
 *
 * @param dataDir holds the server's secret and its store; absolute and normalised
 */
public record CredentialPlaces(Path dataDir) {
    /** Variables of the server itself, its administrator's token and its secret among them. */
    private static final String OWN_VARIABLES = "SLUICE_";

    /** On Linux the environment and the memory of every process can be read as files in here. */
    private static final Path PROCESSES = Path.of("/proc");

    public CredentialPlaces {
        dataDir = dataDir.toAbsolutePath().normalize();
    }

    /** What is wrong with a reference, in words that say what to write; empty where nothing is. */
    public Optional<String> problem(CredentialRef reference) {
        if (reference instanceof CredentialRef.Env env) {
            return env.name().toUpperCase(Locale.ROOT).startsWith(OWN_VARIABLES)
                    ? Optional.of("must not name a variable of Sluice itself; put the credential into one of its own")
                    : Optional.empty();
        }
        return reference instanceof CredentialRef.File file ? problemOfFile(file.path()) : Optional.empty();
    }

    private Optional<String> problemOfFile(String text) {
        Path path;
        try {
            path = Path.of(text);
        } catch (InvalidPathException noPath) {
            return Optional.of("must be a path of the server's system");
        }
        if (!path.isAbsolute() || !path.normalize().equals(path)) {
            return Optional.of("must be an absolute path without . and .. in it");
        }
        return refuses(path)
                ? Optional.of("must not be in the data directory or in " + PROCESSES
                        + "; put the credential into a file of its own")
                : Optional.empty();
    }

    /** Whether no credential may be at {@code path}, which is absolute and normalised. */
    public boolean refuses(Path path) {
        return path.startsWith(dataDir) || path.startsWith(PROCESSES);
    }
}
