package io.sluice.control.ledger;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Where the authority over caps keeps its accounts. Thread-safe; writes become durable in the order in which they were given. */
public interface LedgerStore {
    /**
     * Begins a new epoch of the authority and makes it durable.
     *
     * @param atLeast the epoch is larger than every one before, and not less than this
     */
    Future<Long> beginEpoch(long atLeast);

    /** The accounts that are not closed. */
    Future<List<AccountState>> open();

    /** One account, closed or not. */
    Future<Optional<AccountState>> find(AccountKey account);

    /** Keeps {@code changed}, all or none; completes when they are durable. */
    Future<Void> save(Collection<AccountState> changed);

    /** Finishes what was begun. */
    Future<Void> close();
}
