package io.sluice.data.request;

import io.sluice.tenants.key.KeyFormat;
import io.sluice.tenants.key.KeyHasher;
import io.sluice.tenants.routing.CompiledKey;
import io.sluice.tenants.routing.Snapshot;
import java.util.Optional;

/**
 * Proves keys of {@link KeyFormat#API_KEY} by their keyed hash. An unknown id costs a hash too, so that time tells nothing
 * about which ids exist. Keeps the hasher's state: for one event loop.
 */
public final class HashedKeyVerifier implements KeyVerifier {
    private static final byte[] NO_HASH = new byte[32];

    private final KeyHasher hasher;

    public HashedKeyVerifier(KeyHasher hasher) {
        this.hasher = hasher;
    }

    @Override
    public Optional<CompiledKey> verify(Snapshot snapshot, String presented) {
        KeyFormat.Parts parts = KeyFormat.API_KEY.parse(presented).orElse(null);
        if (parts == null) {
            return Optional.empty();
        }
        CompiledKey key = snapshot.key(parts.id()).orElse(null);
        boolean right = hasher.matches(parts.secret(), key == null ? NO_HASH : key.secretHash());
        return right && key != null ? Optional.of(key) : Optional.empty();
    }
}
