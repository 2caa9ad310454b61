package io.sluice.control.ledger;

import io.sluice.control.ledger.LedgerStore.Epoch;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.Authority;
import io.sluice.tenants.ledger.CapTerms;
import io.sluice.tenants.ledger.SharedAccounts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a node's copy of the ledger in step with the store: in its epoch, and with what other nodes saved. For one loop. */
final class LedgerFeed {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerFeed.class);

    private final LedgerStore store;
    private final LedgerWrites writes;
    private final String spender;
    private final Function<AccountKey, CapTerms> terms;
    private final LedgerClock clock;
    private final Context context;
    private long upTo = LedgerStore.ALL;

    LedgerFeed(
            LedgerStore store,
            LedgerWrites writes,
            String spender,
            Function<AccountKey, CapTerms> terms,
            LedgerClock clock,
            Context context) {
        this.store = store;
        this.writes = writes;
        this.spender = spender;
        this.terms = terms;
        this.clock = clock;
        this.context = context;
    }

    /**
     * Brings the copy up to date.
     *
     * @param alive whether to tell the store that this node is there
     */
    Future<Void> look(boolean alive) {
        return alive || writes.away() != null
                ? begin()
                : hear(writes.accounts(), writes.epoch()).recover(this::anew);
    }

    private Future<Void> anew(Throwable cause) {
        return cause instanceof EpochOverException ? begin() : Future.failedFuture(cause);
    }

    /** Joins the epoch that holds now. What is not in memory after a failure is read again. */
    private Future<Void> begin() {
        Epoch known = writes.epoch();
        return here(store.begin(spender, known, clock.instant().toEpochMilli()))
                .onFailure(this::away)
                .compose(epoch -> {
                    boolean same = epoch.is(known);
                    if (same && writes.away() == null) {
                        return hear(writes.accounts(), epoch);
                    }
                    SharedAccounts accounts = same ? writes.accounts() : accounts(epoch);
                    upTo = LedgerStore.ALL;
                    return hear(accounts, epoch).onSuccess(heard -> {
                        LOG.info("The ledger is there, epoch {}", epoch.number());
                        writes.serve(accounts, epoch);
                    });
                });
    }

    /** Every epoch is a clock's milliseconds, or more: what opens later can not have been known before. */
    private SharedAccounts accounts(Epoch epoch) {
        Instant began = Instant.ofEpochMilli(epoch.number());
        return new SharedAccounts(new Authority(epoch.number(), began, epoch.members(), terms));
    }

    private Future<Void> hear(SharedAccounts accounts, Epoch epoch) {
        return here(store.changes(epoch, upTo, accounts::revision))
                .onFailure(this::away)
                .map(heard -> {
                    heard.accounts().forEach(kept -> LedgerWrites.load(accounts, kept));
                    upTo = heard.upTo();
                    clock.heard(heard.at());
                    return null;
                });
    }

    private void away(Throwable cause) {
        if (cause instanceof EpochOverException) {
            writes.over(cause);
            return;
        }
        if (writes.away() == null || writes.away() instanceof EpochOverException) {
            LOG.error("The ledger can not be reached; nothing is granted until it is there again", cause);
        }
        writes.lost(cause);
    }

    /** What a store completes elsewhere goes on here. */
    private <T> Future<T> here(Future<T> elsewhere) {
        return Future.future(promise -> elsewhere.onComplete(done -> context.runOnContext(now -> {
            if (done.succeeded()) {
                promise.complete(done.result());
            } else {
                promise.fail(done.cause());
            }
        })));
    }
}
