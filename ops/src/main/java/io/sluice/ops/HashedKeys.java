package io.sluice.ops;

import io.sluice.data.request.KeyVerifier;
import io.sluice.tenants.key.KeyFormat;
import io.sluice.tenants.key.KeyHasher;
import io.sluice.tenants.routing.CompiledKey;
import io.sluice.tenants.routing.Snapshot;
import java.util.Optional;

/**
 * Proves API keys by their keyed hash: the data plane's question answered by the control plane's way of making keys. A key
 * that is unknown costs the same hash as one that is known.
 */
final class HashedKeys implements KeyVerifier {
    /** No text has this hash, as far as anyone knows. */
    private static final byte[] NO_HASH = new byte[32];

    private final KeyHasher hasher;

    HashedKeys(KeyHasher hasher) {
        this.hasher = hasher;
    }

    @Override
    public Optional<CompiledKey> verify(Snapshot snapshot, String presented) {
        return KeyFormat.API_KEY.parse(presented).flatMap(parts -> {
            Optional<CompiledKey> known = snapshot.key(parts.id());
            boolean proven = hasher.matches(
                    parts.secret(), known.map(CompiledKey::secretHash).orElse(NO_HASH));
            return proven ? known : Optional.empty();
        });
    }
}
