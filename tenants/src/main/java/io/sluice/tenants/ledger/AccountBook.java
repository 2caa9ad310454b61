package io.sluice.tenants.ledger;

import io.sluice.tenants.ledger.Transfer.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A state while a command changes it: money moves by {@link #move} only, so that what leaves one place arrives at another. */
final class AccountBook {
    private final Instant now;
    private final List<Transfer> transfers = new ArrayList<>();
    private AccountState state;

    AccountBook(AccountState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    AccountState state() {
        return state;
    }

    List<Transfer> transfers() {
        return transfers;
    }

    HolderState holder(Holder holder) {
        HolderState known = state.holders().get(holder);
        return known == null ? HolderState.first(now) : known;
    }

    void put(Holder holder, HolderState part) {
        TreeMap<Holder, HolderState> holders = new TreeMap<>(state.holders());
        holders.put(holder, part);
        state = with(state.availableMicros(), state.adjustedMicros(), state.limitMicros(), holders);
    }

    /** Moves {@code micros} from one place to the other, or back where it is below 0. */
    void move(Holder holder, Place from, Place to, long micros) {
        if (micros == 0) {
            return;
        }
        transfers.add(
                micros > 0
                        ? new Transfer(state.account(), holder, from, to, micros)
                        : new Transfer(state.account(), holder, to, from, -micros));
        post(holder, from, -micros);
        post(holder, to, micros);
    }

    private void post(Holder holder, Place place, long micros) {
        switch (place) {
            case OUTSIDE ->
                state = with(state.availableMicros(), state.adjustedMicros(), state.limitMicros() - micros, holders());
            case CAP ->
                state = with(
                        Math.addExact(state.availableMicros(), micros),
                        state.adjustedMicros(),
                        state.limitMicros(),
                        holders());
            case ADJUSTED ->
                state = with(
                        state.availableMicros(),
                        Math.addExact(state.adjustedMicros(), micros),
                        state.limitMicros(),
                        holders());
            case ESCROW, HELD, SPENT, BURNED -> put(holder, holder(holder).posted(place, micros));
        }
    }

    private SortedMap<Holder, HolderState> holders() {
        return new TreeMap<>(state.holders());
    }

    private AccountState with(long available, long adjusted, long limit, SortedMap<Holder, HolderState> holders) {
        return new AccountState(
                state.account(),
                state.version(),
                state.capped(),
                limit,
                state.opens(),
                state.ends(),
                state.epoch(),
                state.awaiting(),
                state.closed(),
                available,
                adjusted,
                state.corrections(),
                holders);
    }

    void terms(long version, boolean capped, Instant opens, Instant ends) {
        state = new AccountState(
                state.account(),
                version,
                capped,
                state.limitMicros(),
                opens,
                ends,
                state.epoch(),
                state.awaiting(),
                state.closed(),
                state.availableMicros(),
                state.adjustedMicros(),
                state.corrections(),
                state.holders());
    }

    void status(long epoch, Set<String> awaiting, boolean closed) {
        state = new AccountState(
                state.account(),
                state.version(),
                state.capped(),
                state.limitMicros(),
                state.opens(),
                state.ends(),
                epoch,
                awaiting,
                closed,
                state.availableMicros(),
                state.adjustedMicros(),
                state.corrections(),
                state.holders());
    }

    void corrected(String id) {
        Set<String> corrections = new TreeSet<>(state.corrections());
        corrections.add(id);
        state = new AccountState(
                state.account(),
                state.version(),
                state.capped(),
                state.limitMicros(),
                state.opens(),
                state.ends(),
                state.epoch(),
                state.awaiting(),
                state.closed(),
                state.availableMicros(),
                state.adjustedMicros(),
                corrections,
                state.holders());
    }
}
