package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;

/**
 * Nothing was reserved, because one account's slice on this node is too small. Whether its cap is used up only the authority
 * knows: {@link Reservations} asks it before a request is refused.
 *
 * @param account the first of the request's accounts that fell short
 * @param missingMicros so much more it would have needed
 */
public record Shortfall(AccountKey account, long missingMicros) implements Reservation {}
