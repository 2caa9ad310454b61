package io.sluice.data.recall;

import io.sluice.tenants.recall.IdempotencyDecider;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Input;
import io.sluice.tenants.recall.IdempotencyDecider.Standing;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Knows which named requests run on this node and asks the store about all others, those on other nodes among them. Of the requests under one key at most one runs
 * at a time; whoever is told to begin holds the key until it calls {@link #end}, which it must do once, however the request ends.
 * Thread-safe; futures complete on any thread.
 */
public final class IdempotencyDesk {
    private final IdempotencyStore store;
    private final ConcurrentMap<IdempotencyKey, Flight> flights = new ConcurrentHashMap<>();

    /** The request that runs; {@code over} is given what others under its key are to be told, or nothing where they may begin. */
    private record Flight(Claim claim, Promise<Optional<Found>> over) {}

    public IdempotencyDesk(IdempotencyStore store) {
        this.store = store;
    }

    /**
     * What to do with a request.
     *
     * @return fails with {@link StoreUnavailableException} where nobody can know; nothing is held then
     */
    public Future<Found> claim(Claim claim, boolean mayWait) {
        Flight mine = new Flight(claim, Promise.promise());
        Flight running = flights.putIfAbsent(claim.key(), mine);
        if (running != null) {
            return Future.succeededFuture(toRunning(running.claim(), claim, mayWait));
        }
        return store.begin(claim)
                .onComplete(found -> {
                    if (found.failed() || found.result().input().standing() == Standing.RUNNING) {
                        land(mine, Optional.empty());
                    } else if (!found.result().verdict().begins()) {
                        land(mine, Optional.of(found.result()));
                    }
                })
                .map(found -> elsewhere(found, claim, mayWait));
    }

    /** The store does not know whether the caller waits for a request that runs on another node. */
    private static Found elsewhere(Found found, Claim claim, boolean mayWait) {
        Input input = found.input();
        return input.standing() == Standing.RUNNING
                ? found(Standing.RUNNING, input.sameRequest(), claim, mayWait, null)
                : found;
    }

    private static Found toRunning(Claim running, Claim claim, boolean mayWait) {
        boolean same = running.fingerprint().equals(claim.fingerprint());
        return found(Standing.RUNNING, same, claim, mayWait, null);
    }

    private static Found found(Standing standing, boolean same, Claim claim, boolean mayWait, KeptAnswer answer) {
        Input input = new Input(standing, same, claim.kind(), mayWait);
        Verdict verdict = IdempotencyDecider.decide(input);
        return new Found(input, verdict, verdict == Verdict.REPLAY ? answer : null);
    }

    /**
     * Completes when no request runs under the key of {@code claim}, which is the same request: with what it is to be told, or
     * empty where it has to claim the key anew.
     */
    public Future<Optional<Found>> over(Claim claim) {
        Flight running = flights.get(claim.key());
        return running == null
                ? store.changed(claim).map(maybe -> Optional.empty())
                : running.over().future();
    }

    /**
     * Gives the key back; completes when the record is on disk, or fails where it could not be written.
     *
     * @param answer with {@link Fate#KEEP} only, else null
     */
    public Future<Void> end(Claim claim, Fate fate, KeptAnswer answer) {
        Flight flight = flights.get(claim.key());
        Future<Void> stored = store.end(claim, fate, answer);
        // A key that is free again, or that nobody knows the outcome of, need not wait for the disk: what is asked next
        // is asked later.
        if (fate == Fate.FREE || fate == Fate.MARK_UNKNOWN) {
            land(flight, Optional.empty());
            return stored;
        }
        Standing standing = fate == Fate.KEEP ? Standing.KEPT : Standing.TOO_LARGE;
        return stored.onComplete(done -> land(
                flight, done.failed() ? Optional.empty() : Optional.of(found(standing, true, claim, true, answer))));
    }

    private void land(Flight flight, Optional<Found> told) {
        flights.remove(flight.claim().key(), flight);
        flight.over().complete(told);
    }

    /** Requests under a key that run now. */
    public int running() {
        return flights.size();
    }
}
