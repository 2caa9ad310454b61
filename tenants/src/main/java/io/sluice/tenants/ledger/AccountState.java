package io.sluice.tenants.ledger;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One cap in one period, as its authority knows it: {@link AccountDecider} makes the next state out of a command. Every micro-unit
 * of the cap is in exactly one place; {@link #check} says so after every step, in production too. Flat, so that it is a row and one row
 * per holder, or one hash.
 *
 * @param version of the configuration that set the cap
 * @param capped false where the cap was removed
 * @param limitMicros the cap
 * @param opens when the period begins
 * @param ends when it ends
 * @param epoch of the authority
 * @param awaiting nodes that have to reconcile before anything is granted
 * @param closed only corrections change it any more
 * @param availableMicros neither with a holder nor corrected away; below 0 after the cap was lowered below that
 * @param adjustedMicros sum of finance's corrections
 * @param corrections ids of the corrections that were made
 */
public record AccountState(
        AccountKey account,
        long version,
        boolean capped,
        long limitMicros,
        Instant opens,
        Instant ends,
        long epoch,
        Set<String> awaiting,
        boolean closed,
        long availableMicros,
        long adjustedMicros,
        Set<String> corrections,
        SortedMap<Holder, HolderState> holders) {
    /** No amount is larger: a store that computes in doubles must hold it exactly. */
    public static final long MICROS_MAX = (1L << 53) - 1;

    public AccountState {
        Objects.requireNonNull(account);
        awaiting = Set.copyOf(awaiting);
        corrections = Set.copyOf(corrections);
        holders = Collections.unmodifiableSortedMap(new TreeMap<>(holders));
    }

    /** Before its cap is set. */
    static AccountState first(AccountKey account) {
        return new AccountState(
                account,
                -1,
                false,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                0,
                Set.of(),
                false,
                0,
                0,
                Set.of(),
                new TreeMap<>());
    }

    /** Whether a cap was ever set. */
    public boolean known() {
        return version >= 0;
    }

    /** Whether nothing is granted until {@link #awaiting} is empty. */
    public boolean frozen() {
        return !awaiting.isEmpty();
    }

    /** Granted and not returned: the most that may have been spent. */
    public long committedMicros() {
        long sum = 0;
        for (HolderState part : holders.values()) {
            sum += part.outMicros();
        }
        return sum;
    }

    /** Spent as far as was reported, with finance's corrections. */
    public long spentMicros() {
        long sum = adjustedMicros;
        for (HolderState part : holders.values()) {
            sum += part.spentMicros();
        }
        return sum;
    }

    /** Reserved by requests as far as was reported. */
    public long heldMicros() {
        long sum = 0;
        for (HolderState part : holders.values()) {
            sum += part.heldMicros();
        }
        return sum;
    }

    /** Lost with holders. */
    public long burnedMicros() {
        long sum = 0;
        for (HolderState part : holders.values()) {
            sum += part.burnedMicros();
        }
        return sum;
    }

    /** Holders whose life is not over. */
    public Set<Holder> openHolders() {
        Set<Holder> open = new TreeSet<>();
        holders.forEach((holder, part) -> {
            if (!part.finished()) {
                open.add(holder);
            }
        });
        return open;
    }

    /** Nodes that hold something of it, or may. */
    public int nodes() {
        return nodes(holders);
    }

    static int nodes(SortedMap<Holder, HolderState> holders) {
        int count = 0;
        String last = "";
        for (Map.Entry<Holder, HolderState> each : holders.entrySet()) {
            if (!each.getValue().finished() && !each.getKey().node().equals(last)) {
                last = each.getKey().node();
                count++;
            }
        }
        return count;
    }

    /**
     * Throws {@link IllegalStateException} unless every micro-unit of the cap is in exactly one place, for the cap and for each
     * holder: then this machine has a fault, and nothing may be granted by it.
     */
    public void check() {
        long sum = Math.addExact(availableMicros, adjustedMicros);
        for (Map.Entry<Holder, HolderState> each : holders.entrySet()) {
            HolderState part = each.getValue();
            long held = Math.addExact(
                    Math.addExact(part.escrowMicros(), part.heldMicros()),
                    Math.addExact(part.spentMicros(), part.burnedMicros()));
            if (held != part.outMicros()) {
                throw new IllegalStateException(
                        account + ": " + each.getKey() + " was granted " + part.outMicros() + " and has " + held);
            }
            sum = Math.addExact(sum, held);
        }
        if (sum != limitMicros) {
            throw new IllegalStateException(account + ": the cap is " + limitMicros + " and its parts are " + sum);
        }
    }
}
