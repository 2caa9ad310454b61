package io.sluice.tenants.ledger;

/**
 * What a holder durably knows of its own part of an account: sums since its life began, which only grow, and what it holds.
 *
 * @param grantedMicros taken over from the authority
 * @param returnedMicros given back
 * @param settledMicros spent
 * @param heldMicros reserved by requests that have not ended
 * @param grantSeq number of the last grant that it has taken over, or given up: it will not take over this one or an older one
 */
public record HolderTotals(
        long grantedMicros, long returnedMicros, long settledMicros, long heldMicros, long grantSeq) {
    public static final HolderTotals NONE = new HolderTotals(0, 0, 0, 0, 0);

    public HolderTotals {
        if (grantedMicros < 0 || returnedMicros < 0 || settledMicros < 0 || heldMicros < 0 || grantSeq < 0) {
            throw new IllegalArgumentException("totals are never negative");
        }
        if (returnedMicros > grantedMicros) {
            throw new IllegalArgumentException("more was returned than granted");
        }
    }

    /** What is with the holder: granted and not returned. */
    public long outMicros() {
        return grantedMicros - returnedMicros;
    }
}
