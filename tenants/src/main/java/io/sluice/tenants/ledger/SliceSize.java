package io.sluice.tenants.ledger;

/**
 * How much a holder gets. Slices shrink with what is left, so that little money is ever in the wrong node; when not every node
 * could have one usual request's worth any more, a slice is exactly what is needed now, and the whole cap can be used.
 */
public final class SliceSize {
    /** Half of what is left is never promised to one round of wishes. */
    private static final int SHARE = 2;

    private SliceSize() {}

    /**
     * The amount for a grant; 0 where it is denied.
     *
     * @param availableMicros what may be granted
     * @param nodes that share it, at least 1
     */
    public static long decide(AuthorityCommand.Grant grant, long availableMicros, int nodes) {
        if (availableMicros <= 0 || availableMicros < grant.leastMicros()) {
            return 0;
        }
        long need = Math.min(grant.needMicros(), availableMicros);
        if (near(availableMicros, grant.usualMicros(), nodes)) {
            return need;
        }
        long share = availableMicros / ((long) SHARE * nodes);
        long slice = Math.max(grant.usualMicros(), Math.min(share, grant.wishMicros()));
        return Math.min(availableMicros, Math.max(need, slice));
    }

    /** Whether so little is left that only what is needed now is granted. */
    public static boolean near(long availableMicros, long usualMicros, int nodes) {
        return availableMicros / nodes < Math.max(1, usualMicros);
    }
}
