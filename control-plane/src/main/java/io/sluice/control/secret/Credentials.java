package io.sluice.control.secret;

import io.sluice.control.config.CredentialPlaces;
import io.sluice.plugins.api.CredentialSource;
import io.sluice.plugins.api.Secret;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.ProviderConfig;
import java.io.IOException;
import java.nio.file.Files;
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

    private static final String MISSING = "is not there, empty or not readable";

    private static final String REFUSED = "is in a place that no credential may be read from";

    private record Kept(Found found, long untilMs) {}

    /** What was found, or in words why not. */
    private record Found(Secret secret, String whyNot) {
        static Found of(Optional<String> text) {
            return text.map(String::strip)
                    .filter(stripped -> !stripped.isEmpty())
                    .map(stripped -> new Found(new Secret(stripped), null))
                    .orElseGet(() -> new Found(null, MISSING));
        }
    }

    private record Question(ScopedId owner, CredentialRef reference) {}

    private final SecretBox box;
    private final CredentialPlaces places;
    private final UnaryOperator<String> environment;
    private final InstantSource clock;
    private final Map<Question, Kept> kept = new ConcurrentHashMap<>();

    /**
     * A source of credentials.
     *
     * @param places asked here again, since a path may lead elsewhere than when it was written
     * @param environment value of an environment variable, null where it is not set
     */
    public Credentials(SecretBox box, CredentialPlaces places, UnaryOperator<String> environment, InstantSource clock) {
        this.box = box;
        this.places = places;
        this.environment = environment;
        this.clock = clock;
    }

    @Override
    public Optional<Secret> reveal(ProviderConfig provider) {
        if (provider.credential() == null) {
            return Optional.empty();
        }
        Question question = new Question(provider.id(), provider.credential());
        long now = clock.millis();
        Kept known = kept.get(question);
        if (known == null || known.untilMs() <= now) {
            if (known == null) {
                kept.values().removeIf(each -> each.untilMs() + KEPT.toMillis() <= now);
            }
            known = new Kept(lookUp(provider), now + KEPT.toMillis());
            kept.put(question, known);
        }
        Found found = known.found();
        if (found.secret() == null) {
            throw new IllegalStateException("the credential of provider " + provider.id() + " (" + provider.credential()
                    + ") " + found.whyNot());
        }
        return Optional.of(found.secret());
    }

    private Found lookUp(ProviderConfig provider) {
        CredentialRef reference = provider.credential();
        if (reference instanceof CredentialRef.Sealed sealed) {
            return Found.of(box.open(provider.id().tenant(), provider.id().id(), sealed));
        }
        if (places.problem(reference).isPresent()) {
            return new Found(null, REFUSED);
        }
        return reference instanceof CredentialRef.Env env
                ? Found.of(Optional.ofNullable(environment.apply(env.name())))
                : read(Path.of(((CredentialRef.File) reference).path()));
    }

    private Found read(Path path) {
        try {
            Path file = path.toRealPath();
            boolean refused =
                    places.refuses(file) || file.startsWith(places.dataDir().toRealPath());
            if (refused) {
                return new Found(null, REFUSED);
            }
            boolean readable = Files.isRegularFile(file) && Files.size(file) <= FILE_BYTES_MAX;
            return Found.of(readable ? Optional.of(Files.readString(file)) : Optional.empty());
        } catch (IOException unreadable) {
            return new Found(null, MISSING);
        }
    }
}
