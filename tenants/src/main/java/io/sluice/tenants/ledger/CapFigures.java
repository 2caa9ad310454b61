package io.sluice.tenants.ledger;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * How a cap stands in one period, for people, for bands and for the nodes that hold slices of it. Amounts are micro-units.
 *
 * @param epoch of the authority
 * @param awaiting nodes that have to reconcile before anything is granted
 * @param limitMicros the cap
 * @param capped false where it was removed
 * @param availableMicros neither granted nor corrected away; below 0 after the cap was lowered below that
 * @param committedMicros granted and not returned: the most that may have been spent
 * @param spentMicros as reported within the last second, with finance's corrections
 * @param heldMicros reserved by requests in flight, as reported within the last second
 * @param burnedMicros lost with nodes that crashed; counts as spent until finance corrects it
 * @param holders that may hold something of it
 * @param opens when the period begins
 * @param ends when the cap begins anew
 * @param at by the authority's clock
 */
public record CapFigures(
        AccountKey account,
        long epoch,
        Set<String> awaiting,
        boolean capped,
        boolean closed,
        long limitMicros,
        long availableMicros,
        long committedMicros,
        long spentMicros,
        long heldMicros,
        long burnedMicros,
        Set<Holder> holders,
        Instant opens,
        Instant ends,
        Instant at) {
    public CapFigures {
        awaiting = Set.copyOf(awaiting);
        holders = Set.copyOf(holders);
    }

    /** Those of {@code state} at {@code at}. */
    public static CapFigures of(AccountState state, Instant at) {
        return new CapFigures(
                state.account(),
                state.epoch(),
                state.awaiting(),
                state.capped(),
                state.closed(),
                state.limitMicros(),
                state.availableMicros(),
                state.committedMicros(),
                state.spentMicros(),
                state.heldMicros(),
                state.burnedMicros(),
                state.openHolders(),
                state.opens(),
                state.ends(),
                at);
    }

    /** Nodes that may hold something of it. */
    public int nodes() {
        Set<String> nodes = new HashSet<>();
        holders.forEach(holder -> nodes.add(holder.node()));
        return nodes.size();
    }

    /** Spent, held and lost: what bands look at. */
    public long usedMicros() {
        return Math.addExact(Math.addExact(spentMicros, heldMicros), burnedMicros);
    }
}
