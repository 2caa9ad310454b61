package io.sluice.tenants.ledger;

import io.sluice.tenants.ledger.Transfer.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** A state while a command changes it: money moves by {@link #move} only, so that what leaves one place arrives at another. */
final class AccountBook {
    private final AccountState before;
    private final Instant now;
    private final List<Transfer> transfers = new ArrayList<>();
    private final SortedMap<Holder, HolderState> holders;
    private final Set<String> corrections;
    private long version;
    private boolean capped;
    private long limitMicros;
    private Instant opens;
    private Instant ends;
    private long epoch;
    private Set<String> awaiting;
    private boolean closed;
    private long availableMicros;
    private long adjustedMicros;

    AccountBook(AccountState state, Instant now) {
        this.before = state;
        this.now = now;
        holders = new TreeMap<>(state.holders());
        corrections = new HashSet<>(state.corrections());
        version = state.version();
        capped = state.capped();
        limitMicros = state.limitMicros();
        opens = state.opens();
        ends = state.ends();
        epoch = state.epoch();
        awaiting = state.awaiting();
        closed = state.closed();
        availableMicros = state.availableMicros();
        adjustedMicros = state.adjustedMicros();
    }

    /** As it was before the command. */
    AccountState before() {
        return before;
    }

    /** As it is now. */
    AccountState state() {
        return new AccountState(
                before.account(),
                version,
                capped,
                limitMicros,
                opens,
                ends,
                epoch,
                awaiting,
                closed,
                availableMicros,
                adjustedMicros,
                corrections,
                holders);
    }

    List<Transfer> transfers() {
        return transfers;
    }

    long availableMicros() {
        return availableMicros;
    }

    long epoch() {
        return epoch;
    }

    int nodes() {
        return AccountState.nodes(holders);
    }

    boolean knows(Holder holder) {
        return holders.containsKey(holder);
    }

    /** Whether a later life of the same node was heard of: then this one is over, and what still comes of it is late. */
    boolean laterLife(Holder holder) {
        for (Holder each : holders.keySet()) {
            if (each.node().equals(holder.node()) && each.incarnation() > holder.incarnation()) {
                return true;
            }
        }
        return false;
    }

    List<Holder> holders() {
        return List.copyOf(holders.keySet());
    }

    HolderState holder(Holder holder) {
        HolderState known = holders.get(holder);
        return known == null ? HolderState.first(now) : known;
    }

    void put(Holder holder, HolderState part) {
        holders.put(holder, part);
    }

    /** Moves {@code micros} from one place to the other, or back where it is below 0. */
    void move(Holder holder, Place from, Place to, long micros) {
        if (micros == 0) {
            return;
        }
        transfers.add(
                micros > 0
                        ? new Transfer(before.account(), holder, from, to, micros)
                        : new Transfer(before.account(), holder, to, from, -micros));
        post(holder, from, -micros);
        post(holder, to, micros);
    }

    private void post(Holder holder, Place place, long micros) {
        switch (place) {
            case OUTSIDE -> limitMicros = Math.subtractExact(limitMicros, micros);
            case CAP -> availableMicros = Math.addExact(availableMicros, micros);
            case ADJUSTED -> adjustedMicros = Math.addExact(adjustedMicros, micros);
            case ESCROW, HELD, SPENT, BURNED -> put(holder, holder(holder).posted(place, micros));
        }
    }

    void terms(long newVersion, boolean isCapped, Instant newOpens, Instant newEnds) {
        version = newVersion;
        capped = isCapped;
        opens = newOpens;
        ends = newEnds;
    }

    void status(long newEpoch, Set<String> nodes, boolean isClosed) {
        epoch = newEpoch;
        awaiting = nodes;
        closed = isClosed;
    }

    void corrected(String id) {
        corrections.add(id);
    }
}
