package io.sluice.control.ledger;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.ledger.SharedAccounts.Write;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Where accounts of caps are kept, for one node or for several at once. Thread-safe.
 *
 * <ol>
 *   <li>A save replaces exactly the revision that it names, whoever else saves at the same time.
 *   <li>What {@link #save} kept is durable: it outlives every loss after which no new epoch begins.
 *   <li>Where something kept may have been lost, nothing is saved, nor told by {@link #changes}, until a new epoch has begun.
 *   <li>A failed save may have been applied in part.
 * </ol>
 */
public interface LedgerStore {
    /**
     * An epoch of the authority. Two with the same number can begin where one of them was lost; their histories differ.
     *
     * @param number larger than that of every epoch that the store or the node that began it knew; a clock's milliseconds, or more
     * @param history of writes to the store in which it began; never the same again after a loss
     * @param members nodes that may have been granted something before it
     */
    record Epoch(long number, String history, Set<String> members) {
        /** What a node knows that has not joined any. */
        public static final Epoch NONE = new Epoch(0, "", Set.of());

        public Epoch {
            members = Set.copyOf(members);
        }

        /** Whether it is the same one. */
        public boolean is(Epoch other) {
            return number == other.number && history.equals(other.history);
        }
    }

    /** What became of one write. */
    sealed interface Saved {
        /**
         * It is there.
         *
         * @param revision from now on
         */
        record Kept(long revision) implements Saved {}

        /**
         * Another one was there before.
         *
         * @param present what the store has instead; null where it has nothing
         */
        record Overtaken(KeptAccount present) implements Saved {}
    }

    /**
     * What was saved since a look before.
     *
     * @param upTo to begin the next look with
     * @param at by the clock that all nodes go by; empty where the node is alone and goes by its own
     */
    record Changes(List<KeptAccount> accounts, long upTo, Optional<Instant> at) {
        public Changes {
            accounts = List.copyOf(accounts);
        }
    }

    /** Where the changes of an epoch begin. */
    long ALL = 0;

    /**
     * The epoch that holds now, durably; a new one where the store may have lost something since the last one began. Says also that
     * {@code spender} is there: after a loss the accounts wait for its word.
     *
     * @param spender this node; null where it spends nothing, so that nobody ever waits for it
     * @param known the epoch that the node joined last; where the store has not come to that one, it has lost it
     * @param atLeast by the node's clock: the least number of a new epoch
     */
    Future<Epoch> begin(String spender, Epoch known, long atLeast);

    /** Those of {@code accounts} that were ever saved, closed or not. */
    Future<List<KeptAccount>> find(Collection<AccountKey> accounts);

    /**
     * Accounts that were saved after the look that answered {@code since}, and are not closed; from {@link #ALL} on, all of them. Fails with
     * {@link EpochOverException} where {@code epoch} does not hold any more.
     *
     * @param seen the revision that the caller has of an account: what is not newer may be left out
     */
    Future<Changes> changes(Epoch epoch, long since, ToLongFunction<AccountKey> seen);

    /**
     * Keeps each of {@code writes} by itself, where its revision is the present one. Fails with {@link EpochOverException}, and
     * keeps none, where {@code epoch} does not hold any more.
     *
     * @return one for each account, when what was kept is durable
     */
    Future<Map<AccountKey, Saved>> save(Epoch epoch, List<Write> writes);

    /** Finishes what was begun, and says that this node's slices went back as far as accounts say so. */
    Future<Void> close();
}
