package io.sluice.control.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ledger.AccountDecider;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store of the ledger keeps. */
abstract class LedgerStoreContract {
    static final AccountKey DAY = AccountKey.ofKey("acme|2026-03-28|day-end-user:a|b");
    private static final Instant OPENS = Instant.parse("2026-03-28T00:00:00.123456Z");
    private static final Instant ENDS = OPENS.plus(Duration.ofDays(1));

    private LedgerStore store;

    /** Opens what was written before. */
    abstract LedgerStore open();

    @BeforeEach
    void openStore() {
        store = open();
    }

    @AfterEach
    void closeStore() throws Exception {
        await(store.close());
    }

    private void reopen() throws Exception {
        await(store.close());
        store = open();
    }

    /** An account with everything that one can have. */
    static AccountState busy() {
        Holder one = new Holder("node-1", 7);
        Holder two = new Holder("node-2", 1_700_000_000_000L);
        AccountState state = null;
        for (AuthorityCommand command : List.of(
                new AuthorityCommand.SetCap(DAY, 3, 1_000, OPENS, ENDS),
                new AuthorityCommand.Grant(DAY, one, 0, 1, 0, 300, 0, 0, HolderTotals.NONE),
                new AuthorityCommand.Report(DAY, one, 0, new HolderTotals(2, 1, 300, 20, 50, 30)),
                new AuthorityCommand.Grant(DAY, two, 0, 1, 0, 100, 0, 0, HolderTotals.NONE),
                new AuthorityCommand.Finish(DAY, two, 0, new HolderTotals(HolderTotals.LAST, 1, 100, 0, 10, 0)),
                new AuthorityCommand.Adjust(DAY, "a-1", -15, "not charged"),
                new AuthorityCommand.Adjust(DAY, "a-2", 5, "charged later"),
                new AuthorityCommand.Freeze(DAY, 9, Set.of("node-3")))) {
            state = AccountDecider.decide(state, command, OPENS.plusSeconds(60)).next();
        }
        return state;
    }

    static AccountState closed() {
        AccountState state = AccountDecider.decide(null, new AuthorityCommand.SetCap(DAY, 3, 1_000, OPENS, ENDS), OPENS)
                .next();
        return AccountDecider.decide(state, new AuthorityCommand.Close(DAY), ENDS.plus(Duration.ofHours(1)))
                .next();
    }

    @Test
    void anAccountComesBackAsItWas() throws Exception {
        await(store.save(List.of(busy())));
        reopen();
        assertThat(await(store.find(DAY))).contains(busy());
        assertThat(await(store.open())).containsExactly(busy());
    }

    @Test
    void theLastSaveOfAnAccountCounts() throws Exception {
        await(store.save(List.of(busy())));
        AccountState later = AccountDecider.decide(
                        busy(),
                        new AuthorityCommand.Reconcile(DAY, new Holder("node-3", 1), 9, Map.of()),
                        OPENS.plusSeconds(70))
                .next();
        await(store.save(List.of(later)));
        reopen();
        assertThat(await(store.find(DAY))).contains(later);
    }

    @Test
    void aClosedAccountIsFoundAndNoLongerOpen() throws Exception {
        await(store.save(List.of(closed())));
        assertThat(await(store.find(DAY))).contains(closed());
        assertThat(await(store.open())).isEmpty();
    }

    @Test
    void anAccountThatWasNeverSavedIsNotFound() throws Exception {
        assertThat(await(store.find(DAY))).isEmpty();
    }

    @Test
    void epochsOnlyGrow() throws Exception {
        assertThat(await(store.beginEpoch(500))).isEqualTo(500);
        reopen();
        assertThat(await(store.beginEpoch(3))).isEqualTo(501);
    }

    static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
