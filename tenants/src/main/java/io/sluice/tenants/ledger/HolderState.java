package io.sluice.tenants.ledger;

import java.time.Instant;
import java.util.Objects;

/**
 * One holder's part of an account, as the authority knows it. Flat, so that it is one row of a table or a few fields of a hash.
 *
 * @param grantedMicros sum of grants; only what the holder says it never took over is taken off again
 * @param returnedMicros sum of what came back
 * @param escrowMicros in its slice; below 0 by estimates that were too low
 * @param finished whether its life is over
 * @param no of the last statement heard
 * @param grantSeq of the last grant
 * @param grantMicros of the last grant, to answer it again; -1 where the holder knows better
 * @param heardAt by the authority's clock
 */
public record HolderState(
        long grantedMicros,
        long returnedMicros,
        long escrowMicros,
        long heldMicros,
        long spentMicros,
        long burnedMicros,
        boolean finished,
        long no,
        long grantSeq,
        long grantMicros,
        Instant heardAt) {
    public HolderState {
        Objects.requireNonNull(heardAt);
    }

    static HolderState first(Instant now) {
        return new HolderState(0, 0, 0, 0, 0, 0, false, 0, 0, -1, now);
    }

    /** Granted and not returned. */
    public long outMicros() {
        return grantedMicros - returnedMicros;
    }

    HolderState heard(long newNo, long newGrantSeq, long newGrantMicros, Instant now) {
        return new HolderState(
                grantedMicros,
                returnedMicros,
                escrowMicros,
                heldMicros,
                spentMicros,
                burnedMicros,
                finished,
                newNo,
                newGrantSeq,
                newGrantMicros,
                now);
    }

    HolderState counted(long granted, long returned, boolean isFinished) {
        return new HolderState(
                granted,
                returned,
                escrowMicros,
                heldMicros,
                spentMicros,
                burnedMicros,
                isFinished,
                no,
                grantSeq,
                grantMicros,
                heardAt);
    }

    /** With {@code micros} more, or less, in one of its places. */
    HolderState posted(Transfer.Place place, long micros) {
        return new HolderState(
                grantedMicros,
                returnedMicros,
                escrowMicros + (place == Transfer.Place.ESCROW ? micros : 0),
                heldMicros + (place == Transfer.Place.HELD ? micros : 0),
                spentMicros + (place == Transfer.Place.SPENT ? micros : 0),
                burnedMicros + (place == Transfer.Place.BURNED ? micros : 0),
                finished,
                no,
                grantSeq,
                grantMicros,
                heardAt);
    }
}
