package io.sluice.ops.redis;

import io.sluice.control.ledger.LedgerStore;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.ledger.SharedAccounts.Write;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** A store on a Redis whose clock a test sets. */
record ClockedStore(LedgerStore store, InstantSource clock) implements LedgerStore {
    @Override
    public Future<Epoch> begin(String node, Epoch known, long atLeast) {
        return store.begin(node, known, atLeast);
    }

    @Override
    public Future<List<KeptAccount>> find(Collection<AccountKey> accounts) {
        return store.find(accounts);
    }

    @Override
    public Future<Changes> changes(Epoch epoch, long since, ToLongFunction<AccountKey> seen) {
        return store.changes(epoch, since, seen)
                .map(changes -> new Changes(changes.accounts(), changes.upTo(), Optional.of(clock.instant())));
    }

    @Override
    public Future<Map<AccountKey, Saved>> save(Epoch epoch, List<Write> writes) {
        return store.save(epoch, writes);
    }

    @Override
    public Future<Void> close() {
        return store.close();
    }
}
