package io.sluice.tenants.ledger;

import java.util.Objects;

/**
 * An account as its store keeps it.
 *
 * @param revision grows with each save of it; 0 is that of an account that was never saved
 */
public record KeptAccount(long revision, AccountState state) {
    /** Of what was never saved. */
    public static final long NEVER = 0;

    public KeptAccount {
        Objects.requireNonNull(state);
        if (revision <= NEVER) {
            throw new IllegalArgumentException("what is kept was saved");
        }
    }
}
