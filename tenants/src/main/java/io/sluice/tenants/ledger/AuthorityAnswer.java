package io.sluice.tenants.ledger;

import java.time.Instant;
import java.util.Objects;

/**
 * The authority's answer to a command.
 *
 * @param holder who asked; null where the authority did so itself
 * @param epoch of the account; whoever spoke of another one has to reconcile
 * @param seq number of the grant, or of the statement, that this answers; 0 for other commands
 * @param micros granted
 * @param availableMicros neither granted nor corrected away; below 0 after a cap was lowered
 * @param nodes that hold something of the account
 * @param at the authority's clock: it alone says which day it is
 */
public record AuthorityAnswer(
        AccountKey account,
        Holder holder,
        Outcome outcome,
        long epoch,
        long seq,
        long micros,
        long availableMicros,
        int nodes,
        Instant at) {
    /** How a command ended. */
    public enum Outcome {
        DONE,
        GRANTED,
        /** Less is left than the smallest waiting request needs, or, for a wish, than may be held for later. */
        DENIED,
        /** No such cap. */
        NO_CAP,
        /** The holder spoke of an older epoch of the authority, or of one that it can not know. */
        OLD_EPOCH,
        /** Members have not said what they have. */
        FROZEN,
        /** A later word of the same holder, or version of the cap, was heard before. */
        STALE,
        /** The holder's life is over. */
        FINISHED,
        /** The period is closed. */
        CLOSED,
        /** The period begins later, by the authority's clock; or it is too early to close it. */
        NOT_YET,
        /** Holders are still there, so the period is not closed. */
        STILL_HELD
    }

    public AuthorityAnswer {
        Objects.requireNonNull(account);
        Objects.requireNonNull(outcome);
        Objects.requireNonNull(at);
    }
}
