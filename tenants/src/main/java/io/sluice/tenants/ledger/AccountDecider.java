package io.sluice.tenants.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The rules of the authority over one cap: what a command makes of its state. Pure; the state that it returns has to be durable before
 * its answer is given.
 */
public final class AccountDecider {
    /** Nodes fetch the first slice of a day a little early, and clocks differ by this much at most. */
    public static final Duration EARLY_MAX = Duration.ofSeconds(2);

    /** Requests of a period may end so long after it. */
    public static final Duration CLOSE_AFTER = Duration.ofMinutes(10);

    /** A holder that said nothing for so long is gone. */
    static final Duration GONE_AFTER = Duration.ofMinutes(10);

    private AccountDecider() {}

    /**
     * What became of a command.
     *
     * @param next the state from now on
     * @param transfers what moved, in order; empty where nothing did
     */
    public record Step(AccountState next, List<Transfer> transfers, AuthorityAnswer answer) {
        public Step {
            transfers = List.copyOf(transfers);
        }
    }

    /**
     * The step that {@code command} makes.
     *
     * @param state null where nothing is known of the account
     * @param now the authority's clock
     * @throws IllegalStateException where the sums do not add up any more
     */
    public static Step decide(AccountState state, AuthorityCommand command, Instant now) {
        AccountBook book = new AccountBook(state == null ? AccountState.first(command.account()) : state, now);
        AuthorityAnswer answer = command.fold(new AccountCases(book, command.holder(), now));
        AccountState next = book.state();
        next.check();
        return new Step(next, book.transfers(), answer);
    }
}
