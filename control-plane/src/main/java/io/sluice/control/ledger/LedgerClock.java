package io.sluice.control.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The clock of the authority, which alone says which day it is: the store's where nodes share one, so that a node whose clock is wrong neither
 * begins a day early nor closes one. Between two looks it goes as this node's clock does. For one loop.
 */
final class LedgerClock implements InstantSource {
    private final InstantSource own;
    private Duration ahead = Duration.ZERO;

    LedgerClock(InstantSource own) {
        this.own = own;
    }

    /** The store has just said what time it is. */
    void heard(Optional<Instant> at) {
        at.ifPresent(there -> ahead = Duration.between(own.instant(), there));
    }

    @Override
    public Instant instant() {
        return own.instant().plus(ahead);
    }
}
