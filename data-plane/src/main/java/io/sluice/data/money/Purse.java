package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The money that this node may spend without asking anybody: one {@link Slice} per account. Requests of all event loops reserve
 * and settle here; neither waits, locks or does I/O. {@link Leases} fills it. Money that a request holds is not reserved again
 * until it ends, so that the caps hold whatever requests turn out to cost.
 */
public final class Purse {
    /** A request is under at most four kinds of caps, each by day and by month. */
    public static final int ACCOUNTS_MAX = 8;

    /** No amount is larger: a store that computes in doubles must hold it exactly. */
    public static final long MICROS_MAX = (1L << 53) - 1;

    private final ConcurrentHashMap<AccountKey, Slice> slices = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Hold> inFlight = new ConcurrentHashMap<>();
    private final LedgerJournal journal;
    private final Consumer<Throwable> lost = this::lost;
    private volatile Consumer<AccountKey> low = account -> {};
    private volatile String stopped;

    public Purse(LedgerJournal journal) {
        this.journal = journal;
    }

    /**
     * Reserves {@code micros} in each of {@code accounts}, or nothing at all. A reservation is of one micro-unit at least, so that
     * an account with nothing left refuses requests that cost nothing, too.
     *
     * @param requestId unique among the requests in flight
     * @param accounts those of all caps that apply, none twice; none where no cap applies
     * @return a {@link Hold}, which must be ended, or a {@link Shortfall}
     */
    public Reservation reserve(String requestId, List<AccountKey> accounts, long micros) {
        requireAmount(micros);
        int count = accounts.size();
        if (count > ACCOUNTS_MAX) {
            throw new IllegalArgumentException("a request is under at most " + ACCOUNTS_MAX + " caps");
        }
        long wanted = Math.max(1, micros);
        if (stopped != null && count > 0) {
            return new Shortfall(accounts.get(0), wanted);
        }
        Slice[] found = new Slice[count];
        for (int i = 0; i < count; i++) {
            AccountKey account = accounts.get(i);
            Slice slice = slices.get(account);
            if (slice == null) {
                return new Shortfall(account, wanted);
            }
            slice.estimated(wanted);
            found[i] = slice;
        }
        Shortfall missing = takeAll(accounts, found, wanted);
        if (missing != null) {
            return missing;
        }
        Hold hold = new Hold(this, requestId, accounts, found, wanted);
        Hold other = inFlight.putIfAbsent(requestId, hold);
        if (other != null) {
            giveBack(found, count, wanted);
            throw new IllegalStateException("request " + requestId + " has reserved before");
        }
        return hold;
    }

    /** Null where everything was taken. */
    Shortfall takeAll(List<AccountKey> accounts, Slice[] found, long micros) {
        for (int i = 0; i < found.length; i++) {
            Slice slice = found[i];
            long left = slice.take(micros);
            if (left < 0) {
                giveBack(found, i, micros);
                return new Shortfall(accounts.get(i), slice.missing(micros));
            }
            if (slice.wishes(left)) {
                low.accept(slice.account());
            }
        }
        return null;
    }

    static void giveBack(Slice[] slices, int count, long micros) {
        for (int i = 0; i < count; i++) {
            slices[i].giveBack(micros);
        }
    }

    static void requireAmount(long micros) {
        if (micros < 0 || micros > MICROS_MAX) {
            throw new IllegalArgumentException("an amount is 0 to " + MICROS_MAX + " micro-units, not " + micros);
        }
    }

    void ended(Hold hold) {
        inFlight.remove(hold.requestId(), hold);
    }

    /** Writes down what a request cost; where that can not be, this node spends nothing any more. */
    void settled(LedgerRecord.Settled line) {
        journal.append(line, lost);
    }

    /**
     * From now on every account falls short: what this node spends can not be written down any more.
     *
     * @param reason for people
     */
    public void stop(String reason) {
        stopped = reason;
    }

    /** The journal can not be written: a node that can not write takes no money. */
    void lost(Throwable failure) {
        stop("what is spent can not be written down: " + failure.getMessage());
    }

    /** Why this node spends nothing any more; null where it may. */
    public String stopped() {
        return stopped;
    }

    /** Requests that hold money. */
    public int inFlight() {
        return inFlight.size();
    }

    /** The holds that have not ended: at the end of a life they are settled with what is known of them. */
    public Collection<Hold> holds() {
        return new ArrayList<>(inFlight.values());
    }

    /** What this node could reserve of {@code account} now. */
    public long freeMicros(AccountKey account) {
        Slice slice = slices.get(account);
        return slice == null ? 0 : slice.freeMicros();
    }

    /** What requests hold of {@code account} on this node. */
    public long heldMicros(AccountKey account) {
        Slice slice = slices.get(account);
        return slice == null ? 0 : Math.max(0, slice.heldMicros());
    }

    /** What requests of this life of the node have cost in {@code account}. */
    public long settledMicros(AccountKey account) {
        Slice slice = slices.get(account);
        return slice == null ? 0 : slice.settledMicros();
    }

    /** What requests cost beyond their estimates without a slice that covered it, over all accounts. */
    public long uncoveredMicros() {
        return slices.values().stream().mapToLong(Slice::uncoveredMicros).sum();
    }

    /** Tells {@code listener} of accounts that run low, on the thread of the request that saw it. */
    void onLow(Consumer<AccountKey> listener) {
        low = listener;
    }

    /** Owner of the leases only: the slice of {@code account}, made where there is none. */
    Slice slice(AccountKey account) {
        return slices.computeIfAbsent(account, Slice::new);
    }

    /** Owner of the leases only. */
    void forget(Slice retired) {
        slices.remove(retired.account(), retired);
    }

    Collection<Slice> slices() {
        return slices.values();
    }
}
