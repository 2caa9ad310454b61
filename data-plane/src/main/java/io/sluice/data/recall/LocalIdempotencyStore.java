package io.sluice.data.recall;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.recall.IdempotencyDecider;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Input;
import io.sluice.tenants.recall.IdempotencyDecider.Standing;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;

/** Remembers for the life of an object, without bound: for warming up and for tests, whose requests are few. Thread-safe. */
public final class LocalIdempotencyStore implements IdempotencyStore {
    private final long ttlMs;
    private final Map<IdempotencyKey, Entry> entries = new HashMap<>();

    private record Entry(Claim claim, RequestKind kind, Standing standing, KeptAnswer answer) {}

    /** @param ttlMs a record is kept this long after its request came */
    public LocalIdempotencyStore(long ttlMs) {
        this.ttlMs = ttlMs;
    }

    @Override
    public synchronized Future<Found> begin(Claim claim) {
        Entry entry = entries.get(claim.key());
        boolean absent = entry == null || entry.claim().atMs() + ttlMs <= claim.atMs();
        Input input = absent
                ? new Input(Standing.ABSENT, false, claim.kind(), true)
                : new Input(
                        entry.standing(),
                        entry.claim().fingerprint().equals(claim.fingerprint()),
                        entry.kind().strictest(claim.kind()),
                        true);
        IdempotencyDecider.Verdict verdict = IdempotencyDecider.decide(input);
        if (verdict.begins()) {
            entries.put(claim.key(), new Entry(claim, input.kind(), Standing.UNKNOWN, null));
        }
        boolean replay = verdict == IdempotencyDecider.Verdict.REPLAY;
        return Future.succeededFuture(new Found(input, verdict, replay ? entry.answer() : null));
    }

    @Override
    public synchronized Future<Void> end(Claim claim, Fate fate, KeptAnswer answer) {
        switch (fate) {
            case FREE -> entries.remove(claim.key());
            case KEEP -> entries.put(claim.key(), new Entry(claim, claim.kind(), Standing.KEPT, answer));
            case KEEP_NOTE -> entries.put(claim.key(), new Entry(claim, claim.kind(), Standing.TOO_LARGE, null));
            case MARK_UNKNOWN -> entries.put(claim.key(), new Entry(claim, claim.kind(), Standing.UNKNOWN, null));
        }
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
