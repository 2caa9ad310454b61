package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import io.sluice.tenants.ledger.SpendFacts;
import java.util.List;

/**
 * A line of a node's journal. Lines between two {@link Opened} belong to the holder of the first; amounts are micro-units. What
 * a node may claim after a crash is what {@link JournalTotals} makes of these lines and nothing else.
 */
public sealed interface LedgerRecord {
    /** A life of the node began. Durable before anything is granted to it. */
    record Opened(Holder holder, long atMs) implements LedgerRecord {}

    /** The authority granted. Durable before it is spendable. */
    record Granted(AccountKey account, long seq, long micros) implements LedgerRecord {}

    /**
     * A request's cost is known. Accounted for when durable. The only line of a request: what it reserved is no line, since what a life
     * neither spent nor gave back is burned whatever it was reserved for.
     *
     * @param heldMicros what was reserved for it
     * @param actualMicros what it cost, in each of the accounts
     * @param facts for spend reports
     */
    record Settled(String requestId, List<AccountKey> accounts, long heldMicros, long actualMicros, SpendFacts facts)
            implements LedgerRecord {
        public Settled {
            accounts = List.copyOf(accounts);
        }
    }

    /** Money goes back. Durable before the authority is told. */
    record Returned(AccountKey account, long micros) implements LedgerRecord {}

    /** A life is over for an account: the authority knows what is left of it. Its sums are kept until the account is forgotten. */
    record Finished(Holder holder, AccountKey account) implements LedgerRecord {}

    /** The authority has closed an account: nobody will ask for its sums again. */
    record Forgotten(AccountKey account) implements LedgerRecord {}

    /** Sums of all lines before it for one account and life, so that older segments can be dropped. */
    record Checkpoint(Holder holder, AccountKey account, HolderTotals totals, boolean finished)
            implements LedgerRecord {}
}
