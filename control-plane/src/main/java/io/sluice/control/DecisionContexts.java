package io.sluice.control;

import io.sluice.control.config.CredentialPlaces;
import io.sluice.control.config.DecisionContext;
import io.sluice.control.config.DecisionContext.Minted;
import io.sluice.control.secret.SecretBox;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.key.KeyFormat;
import java.security.SecureRandom;
import java.time.Instant;

/** Gives decisions their time and their random bits. Thread-safe. */
final class DecisionContexts {
    private final ControlPlaneSettings settings;
    private final SecretBox box;
    private final CredentialPlaces places;
    private final SecureRandom random = new SecureRandom();

    DecisionContexts(ControlPlaneSettings settings, SecretBox box) {
        this.settings = settings;
        this.box = box;
        places = new CredentialPlaces(settings.dataDir());
    }

    /** Whether fault rules strike. */
    boolean faults() {
        return settings.faults();
    }

    Instant now() {
        return settings.clock().instant();
    }

    /** For a command that somebody of {@code role} gives. */
    DecisionContext context(Role role) {
        return new DecisionContext(
                now(), this::mint, settings.plugins(), settings.upstreams(), box, places, settings.faults(), role);
    }

    private Minted mint(KeyFormat format) {
        byte[] bits = new byte[KeyFormat.ID_BYTES + KeyFormat.SECRET_BYTES];
        random.nextBytes(bits);
        String key = format.make(bits);
        KeyFormat.Parts parts = format.parse(key).orElseThrow();
        return new Minted(parts.id(), key, box.keyHasher().hex(parts.secret()));
    }
}
