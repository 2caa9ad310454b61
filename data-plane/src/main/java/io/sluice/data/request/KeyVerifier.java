package io.sluice.data.request;

import io.sluice.tenants.routing.CompiledKey;
import io.sluice.tenants.routing.Snapshot;
import java.util.Optional;

/** Proves an API key against the snapshot. Implementations may keep buffers: one per event loop. */
@FunctionalInterface
public interface KeyVerifier {
    /** The key's record; empty where the text is no key, unknown, or has the wrong secret. Takes the same time for all. */
    Optional<CompiledKey> verify(Snapshot snapshot, String presented);
}
