package io.sluice.control.secret;

import io.sluice.plugins.api.CredentialSource;
import io.sluice.plugins.api.Secret;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.ProviderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Looks credentials up where the configuration says they are. What was found is kept for {@link #KEPT}, so that a file is
 * read at most once a minute, whoever asks; reading one takes less than a disk access, and a file of more than
 * {@link #FILE_BYTES_MAX} is refused.
 */
public final class Credentials implements CredentialSource {
    static final Duration KEPT = Duration.ofSeconds(60);

    /** The largest credential file seen is a service account of 2.4 KB. */
    static final int FILE_BYTES_MAX = 65_536;

    private record Kept(Optional<Secret> secret, long untilMs) {}

    private record Question(String owner, CredentialRef reference) {}

    private final SecretBox box;
    private final UnaryOperator<String> environment;
    private final InstantSource clock;
    private final Map<Question, Kept> kept = new ConcurrentHashMap<>();

    /**
     * A source of credentials.
     *
     * @param environment value of an environment variable, null where it is not set
     */
    public Credentials(SecretBox box, UnaryOperator<String> environment, InstantSource clock) {
        this.box = box;
        this.environment = environment;
        this.clock = clock;
    }

    @Override
    public Optional<Secret> reveal(ProviderConfig provider) {
        if (provider.credential() == null) {
            return Optional.empty();
        }
        Question question = new Question(provider.id().key(), provider.credential());
        long now = clock.millis();
        Kept known = kept.get(question);
        if (known == null || known.untilMs() <= now) {
            if (known == null) {
                kept.values().removeIf(each -> each.untilMs() + KEPT.toMillis() <= now);
            }
            known = new Kept(lookUp(provider), now + KEPT.toMillis());
            kept.put(question, known);
        }
        if (known.secret().isEmpty()) {
            throw new IllegalStateException("the credential of provider " + provider.id() + " (" + provider.credential()
                    + ") is not there, empty or not readable");
        }
        return known.secret();
    }

    private Optional<Secret> lookUp(ProviderConfig provider) {
        Optional<String> found;
        if (provider.credential() instanceof CredentialRef.Env env) {
            found = Optional.ofNullable(environment.apply(env.name()));
        } else if (provider.credential() instanceof CredentialRef.File file) {
            found = read(file.path());
        } else {
            found = box.open(provider.id().tenant(), provider.id().id(), (CredentialRef.Sealed) provider.credential());
        }
        return found.map(String::strip).filter(text -> !text.isEmpty()).map(Secret::new);
    }

    private static Optional<String> read(String path) {
        try {
            Path file = Path.of(path);
            return Files.size(file) > FILE_BYTES_MAX ? Optional.empty() : Optional.of(Files.readString(file));
        } catch (IOException | InvalidPathException unreadable) {
            return Optional.empty();
        }
    }
}
