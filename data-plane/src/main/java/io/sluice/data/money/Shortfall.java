package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;

/**
 * Nothing was reserved, because one account's slice on this node is too small. Whether its cap is used up only the authority
 * knows: {@link Reservations} asks it before a request is refused.
 *
 * @param account the first of the request's accounts that fell short
 * @param missingMicros so much more it would have needed
 * @param unanswered whether the authority was asked and did not say if its cap has that much
 */
public record Shortfall(AccountKey account, long missingMicros, boolean unanswered) implements Reservation {
    /** Of this node; the authority was not asked. */
    Shortfall(AccountKey account, long missingMicros) {
        this(account, missingMicros, false);
    }

    /** The same after nobody answered. */
    Shortfall asUnanswered() {
        return new Shortfall(account, missingMicros, true);
    }
}
