package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.HolderTotals;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What this node may spend of one account. Any thread takes and settles, by compare-and-set; only the owner of {@link Leases}
 * grants, takes back and retires. At any moment {@code granted - returned = free + settled + what requests hold}; what is held
 * is computed from the others, so that a reservation touches one number.
 */
final class Slice {
    /** Far below what any overdraft reaches: nobody takes from a slice that is gone. */
    private static final long RETIRED = Long.MIN_VALUE / 2;

    /** So many of the last estimates say how much a request usually needs. */
    private static final int ESTIMATES = 64;

    private final AccountKey account;
    private final AtomicLong free = new AtomicLong();
    private final AtomicLong settled = new AtomicLong();
    private final AtomicLong uncovered = new AtomicLong();
    private final AtomicLongArray estimates = new AtomicLongArray(ESTIMATES);
    private final AtomicBoolean wished = new AtomicBoolean();
    private int nextEstimate;
    private volatile long lowWater;
    private final AtomicLong granted = new AtomicLong();
    private final AtomicLong returned = new AtomicLong();

    Slice(AccountKey account) {
        this.account = account;
    }

    AccountKey account() {
        return account;
    }

    /** What was left after taking {@code micros}, or -1 where there was not enough: then nothing was taken. */
    long take(long micros) {
        while (true) {
            long before = free.get();
            if (before < micros) {
                return -1;
            }
            if (free.compareAndSet(before, before - micros)) {
                return before - micros;
            }
        }
    }

    /** So much more would have to be free for {@code micros}. */
    long missing(long micros) {
        return Math.max(1, micros - Math.max(free.get(), -MICROS_OVERDRAWN_MAX));
    }

    /** An overdraft is the error of one estimate; nothing real comes near it. */
    private static final long MICROS_OVERDRAWN_MAX = 1L << 53;

    /** Gives back what {@link #take} took. */
    void giveBack(long micros) {
        free.addAndGet(micros);
    }

    /**
     * Ends a hold of {@code held} that cost {@code actual}. What is held never seems less than it is while this runs: the order of
     * the two steps sees to it.
     */
    void settle(long held, long actual) {
        if (actual <= held) {
            settled.addAndGet(actual);
            free.addAndGet(held - actual);
        } else {
            long excess = actual - held;
            long after = free.addAndGet(-excess);
            if (after < 0) {
                uncovered.addAndGet(Math.min(excess, -after));
            }
            settled.addAndGet(actual);
        }
    }

    /** Remembers an estimate. A lost update costs one of {@value #ESTIMATES} samples. */
    void estimated(long micros) {
        int next = nextEstimate;
        nextEstimate = next + 1;
        estimates.setOpaque(next & (ESTIMATES - 1), micros);
    }

    /** Whether less than the low-water mark is left and nobody has asked for more yet; whoever is told so asks. */
    boolean wishes(long left) {
        return left < lowWater && !wished.getPlain() && wished.compareAndSet(false, true);
    }

    long freeMicros() {
        return Math.max(0, free.get());
    }

    /** Below zero by what requests cost beyond their estimates. */
    long balanceMicros() {
        long now = free.get();
        return now <= RETIRED / 2 ? 0 : now;
    }

    long uncoveredMicros() {
        return uncovered.get();
    }

    /** The 95th percentile of the last estimates; 0 where there were none. */
    long usualEstimateMicros() {
        long[] sorted = new long[ESTIMATES];
        int count = 0;
        for (int i = 0; i < ESTIMATES; i++) {
            long each = estimates.getOpaque(i);
            if (each > 0) {
                sorted[count++] = each;
            }
        }
        if (count == 0) {
            return 0;
        }
        Arrays.sort(sorted, 0, count);
        return sorted[(count * 95 - 1) / 100];
    }

    /** Owner only: {@code micros} more may be spent, and when half of it all is gone more is wished for. */
    void grant(long micros) {
        granted.addAndGet(micros);
        lowWater = Math.max(0, free.addAndGet(micros) / 2);
        wished.setRelease(false);
    }

    /** Owner only: nothing came of a wish; whoever takes next and sees little may wish again. */
    void wishAgain() {
        wished.setRelease(false);
    }

    /** Owner only: takes up to {@code micros} of what is free out of the slice, and says how much. */
    long takeBack(long micros) {
        while (true) {
            long before = free.get();
            long taken = Math.min(Math.max(0, before), micros);
            if (taken == 0) {
                return 0;
            }
            if (free.compareAndSet(before, before - taken)) {
                returned.addAndGet(taken);
                return taken;
            }
        }
    }

    /** Owner only: whether the slice is empty, nobody holds anything of it, and it was therefore put out of use for good. */
    boolean retire() {
        if (free.get() != 0 || heldMicros() != 0 || !free.compareAndSet(0, RETIRED)) {
            return false;
        }
        if (granted.get() - returned.get() - settled.get() != 0) {
            free.addAndGet(-RETIRED);
            return false;
        }
        return true;
    }

    /** What requests hold. While others settle it may be more than that, never less. */
    long heldMicros() {
        long nowSettled =
                settled.get(); // before what is free: a request that begins and ends in between must not count twice
        return granted.get() - returned.get() - balanceMicros() - nowSettled;
    }

    /** Owner only: the sums of this slice, as number {@code no}, after grant {@code grantSeq}. */
    HolderTotals totals(long no, long grantSeq) {
        long held = heldMicros(); // first: what ends meanwhile counts twice rather than not at all
        return new HolderTotals(no, grantSeq, granted.get(), returned.get(), settled.get(), held);
    }

    long settledMicros() {
        return settled.get();
    }
}
