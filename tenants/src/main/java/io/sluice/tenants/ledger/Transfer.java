package io.sluice.tenants.ledger;

import java.util.Objects;

/**
 * One entry of the double-entry book: an amount leaves one place and arrives at another.
 *
 * @param holder whose part it concerns; null for the cap itself and for finance
 * @param micros above 0
 */
public record Transfer(AccountKey account, Holder holder, Place from, Place to, long micros) {
    /** Where money of an account can be. */
    public enum Place {
        /** Outside: what a cap is raised from and lowered to. */
        OUTSIDE,
        /** Free to be granted. */
        CAP,
        /** In a holder's slice; below zero by estimates that were too low. */
        ESCROW,
        /** Reserved by requests of a holder. */
        HELD,
        SPENT,
        /** Lost with a holder: spent, as far as anybody knows. */
        BURNED,
        /** Corrections by finance. */
        ADJUSTED
    }

    public Transfer {
        Objects.requireNonNull(account);
        if (micros <= 0 || from == to) {
            throw new IllegalArgumentException("a transfer moves more than nothing to another place");
        }
    }
}
