package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import io.vertx.core.Future;
import java.util.List;

/**
 * Reserves for requests: at once where the node's slices suffice, else after asking the authority for exactly what is missing. Thread-safe.
 */
public final class Reservations {
    /** Asks for what fell short; completes when it is worth trying again, at the latest after the time that refills may take. */
    public interface Refill {
        /** Completes when trying again is worth it or useless; never fails. */
        Future<Refilled> urgent(Shortfall missing);
    }

    /**
     * A request that finds its money taken by others each time gives up after so many refills, without a word on its caps: each of its
     * accounts may need one.
     */
    private static final int ROUNDS_MAX = 2 * Purse.ACCOUNTS_MAX;

    private final Purse purse;
    private final Refill refill;

    public Reservations(Purse purse, Refill refill) {
        this.purse = purse;
        this.refill = refill;
    }

    /**
     * As {@link Purse#reserve}, with refills. The future is completed before this returns where no refill is needed, and never fails
     * for want of money.
     */
    public Future<Reservation> reserve(String requestId, List<AccountKey> accounts, long micros) {
        Reservation first = purse.reserve(requestId, accounts, micros);
        return first instanceof Shortfall missing
                ? again(missing, () -> purse.reserve(requestId, accounts, micros), ROUNDS_MAX)
                : Future.succeededFuture(first);
    }

    /** As {@link Hold#raise}, with refills. */
    public Future<Reservation> raise(Hold hold, long micros) {
        Reservation first = hold.raise(micros);
        return first instanceof Shortfall missing
                ? again(missing, () -> hold.raise(micros), ROUNDS_MAX)
                : Future.succeededFuture(first);
    }

    /** One more try. */
    private interface Try {
        Reservation run();
    }

    private Future<Reservation> again(Shortfall missing, Try step, int rounds) {
        return refill.urgent(missing).compose(came -> {
            if (came != Refilled.CAME) {
                return Future.succeededFuture(came == Refilled.UNANSWERED ? missing.asUnanswered() : missing);
            }
            Reservation next = step.run();
            if (!(next instanceof Shortfall still)) {
                return Future.succeededFuture(next);
            }
            return rounds > 1 ? again(still, step, rounds - 1) : Future.succeededFuture(still.asUnanswered());
        });
    }
}
