package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.SpendFacts;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one request has reserved, the same amount in each of its accounts. It ends once, by {@link #settle} or {@link #release};
 * whatever ends it again changes nothing. Thread-safe.
 */
public final class Hold implements Reservation {
    private static final long ENDED = -1;

    private final Purse purse;
    private final String requestId;
    private final List<AccountKey> accounts;
    private final Slice[] slices;
    private final AtomicLong held;

    Hold(Purse purse, String requestId, List<AccountKey> accounts, Slice[] slices, long micros) {
        this.purse = purse;
        this.requestId = requestId;
        this.accounts = accounts;
        this.slices = slices;
        this.held = new AtomicLong(micros);
    }

    public String requestId() {
        return requestId;
    }

    public List<AccountKey> accounts() {
        return accounts;
    }

    /** What is reserved now; 0 when it has ended. */
    public long heldMicros() {
        return Math.max(0, held.get());
    }

    public boolean ended() {
        return held.get() == ENDED;
    }

    /**
     * Reserves {@code micros} more in each account, all or nothing, before an attempt that could cost more than is held.
     *
     * @return this, or what fell short; then what was held before stays held
     * @throws IllegalStateException where it has ended
     */
    public Reservation raise(long micros) {
        Purse.requireAmount(micros);
        if (purse.stopped() != null && slices.length > 0) {
            return new Shortfall(accounts.get(0), micros);
        }
        Shortfall missing = purse.takeAll(accounts, slices, micros);
        if (missing != null) {
            return missing;
        }
        while (true) {
            long before = held.get();
            if (before == ENDED) {
                Purse.giveBack(slices, slices.length, micros);
                throw new IllegalStateException("request " + requestId + " has ended and can not reserve more");
            }
            if (held.compareAndSet(before, before + micros)) {
                return this;
            }
        }
    }

    /**
     * Charges {@code actualMicros} in each account and gives the rest back. More than was held is taken from the slice and, where
     * that is empty, counted as uncovered: the money is spent. The charge is durable some milliseconds later; the caller's answer need
     * not wait for it.
     */
    public void settle(long actualMicros, SpendFacts facts) {
        Purse.requireAmount(actualMicros);
        long before = held.getAndSet(ENDED);
        if (before == ENDED) {
            return;
        }
        for (Slice slice : slices) {
            slice.settle(before, actualMicros);
        }
        purse.ended(this);
        purse.settled(new LedgerRecord.Settled(requestId, accounts, before, actualMicros, facts));
    }

    /**
     * Gives everything back. Only for a request of which provably nothing left the gateway; all others settle, at least with what
     * is known of them.
     */
    public void release() {
        long before = held.getAndSet(ENDED);
        if (before == ENDED) {
            return;
        }
        Purse.giveBack(slices, slices.length, before);
        purse.ended(this);
    }
}
