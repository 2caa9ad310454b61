package io.sluice.tenants.ledger;

/**
 * What a holder durably knows of its own part of an account: sums since its life began, which only grow, and what it holds.
 *
 * @param no grows with every statement that the holder makes about this account; an older one changes nothing
 * @param grantSeq number of the last grant that it has taken over or given up: it will take over neither this one nor an older one
 * @param grantedMicros taken over from the authority
 * @param returnedMicros given back
 * @param settledMicros spent
 * @param heldMicros reserved by requests that have not ended
 */
public record HolderTotals(
        long no, long grantSeq, long grantedMicros, long returnedMicros, long settledMicros, long heldMicros) {
    public static final HolderTotals NONE = new HolderTotals(0, 0, 0, 0, 0, 0);

    /** The number of a holder's last words: its life is over, and whatever it has not taken over by then it never will. */
    public static final long LAST = Long.MAX_VALUE;

    /** The last words of a life that never had anything. */
    public static final HolderTotals NOTHING = new HolderTotals(LAST, 0, 0, 0, 0, 0);

    public HolderTotals {
        if (no < 0 || grantSeq < 0 || grantedMicros < 0 || returnedMicros < 0 || settledMicros < 0 || heldMicros < 0) {
            throw new IllegalArgumentException("totals are never negative");
        }
        if (Math.max(grantedMicros, Math.max(settledMicros, heldMicros)) > AccountState.MICROS_MAX) {
            throw new IllegalArgumentException("no sum is larger than " + AccountState.MICROS_MAX);
        }
        if (returnedMicros > grantedMicros) {
            throw new IllegalArgumentException("more was returned than granted");
        }
    }
}
