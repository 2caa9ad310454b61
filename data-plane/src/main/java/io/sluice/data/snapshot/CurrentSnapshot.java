package io.sluice.data.snapshot;

import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.shift.PublishedShifts;

/** The snapshot that requests of this node read: one volatile reference, set by the snapshot actor alone. */
public final class CurrentSnapshot {
    private volatile Snapshot snapshot = Snapshot.NONE;
    private volatile boolean ready;

    public Snapshot get() {
        return snapshot;
    }

    /** Whether a configuration has arrived at all. */
    public boolean ready() {
        return ready;
    }

    /** The first configuration, or a newer one. */
    void set(Snapshot next) {
        snapshot = next;
        ready = true;
    }

    /** What is served now, under other shifts. */
    void shift(PublishedShifts newer) {
        snapshot = snapshot.with(newer);
    }
}
