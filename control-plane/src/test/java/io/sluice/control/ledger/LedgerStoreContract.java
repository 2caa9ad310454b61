package io.sluice.control.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.ledger.LedgerStore.Changes;
import io.sluice.control.ledger.LedgerStore.Epoch;
import io.sluice.control.ledger.LedgerStore.Saved;
import io.sluice.tenants.ledger.AccountDecider;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.ledger.SharedAccounts.Write;
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
public abstract class LedgerStoreContract {
    protected static final AccountKey DAY = AccountKey.ofKey("acme|2026-03-28|day-end-user:a|b");
    private static final AccountKey MONTH = AccountKey.ofKey("acme|2026-03|month-tenant");
    private static final Instant OPENS = Instant.parse("2026-03-28T00:00:00.123456Z");
    private static final Instant ENDS = OPENS.plus(Duration.ofDays(1));
    private static final long CLOCK = 1_774_000_000_000L;

    private LedgerStore store;
    private Epoch epoch;

    /** Opens what was written before. */
    protected abstract LedgerStore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
        epoch = await(store.begin("node-1", Epoch.NONE, CLOCK));
    }

    @AfterEach
    void closeStore() throws Exception {
        await(store.close());
    }

    private void reopen() throws Exception {
        await(store.close());
        openStore();
    }

    /** An account with everything that one can have. */
    static AccountState busy() {
        Holder one = new Holder("node-1", 7);
        Holder two = new Holder("node-2", 1_700_000_000_000L);
        AccountState state = null;
        for (AuthorityCommand command : List.of(
                new AuthorityCommand.SetCap(DAY, 3, AccountState.MICROS_MAX, OPENS, ENDS),
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

    /** Another step of it. */
    static AccountState later() {
        return AccountDecider.decide(
                        busy(),
                        new AuthorityCommand.Reconcile(DAY, new Holder("node-3", 1), 9, Map.of()),
                        OPENS.plusSeconds(70))
                .next();
    }

    static AccountState fresh() {
        return AccountDecider.decide(null, new AuthorityCommand.SetCap(DAY, 3, 1_000, OPENS, ENDS), OPENS)
                .next();
    }

    static AccountState closed() {
        return AccountDecider.decide(fresh(), new AuthorityCommand.Close(DAY), ENDS.plus(Duration.ofHours(1)))
                .next();
    }

    private static AccountState month() {
        return AccountDecider.decide(null, new AuthorityCommand.SetCap(MONTH, 3, 1_000, OPENS, ENDS), OPENS)
                .next();
    }

    private Saved save(long revision, AccountState state) throws Exception {
        return await(store.save(epoch, List.of(new Write(revision, state)))).get(state.account());
    }

    private long kept(long revision, AccountState state) throws Exception {
        return ((Saved.Kept) save(revision, state)).revision();
    }

    private KeptAccount found(AccountKey account) throws Exception {
        return await(store.find(List.of(account))).get(0);
    }

    private List<AccountState> open(long since) throws Exception {
        return await(store.changes(epoch, since, account -> KeptAccount.NEVER)).accounts().stream()
                .map(KeptAccount::state)
                .toList();
    }

    @Test
    void anAccountComesBackAsItWas() throws Exception {
        kept(KeptAccount.NEVER, busy());
        reopen();
        assertThat(found(DAY).state()).isEqualTo(busy());
        assertThat(open(LedgerStore.ALL)).containsExactly(busy());
    }

    @Test
    void aSaveThatNamesThePresentRevisionCounts() throws Exception {
        long first = kept(KeptAccount.NEVER, busy());
        long second = kept(first, later());
        assertThat(second).isGreaterThan(first);
        assertThat(found(DAY)).isEqualTo(new KeptAccount(second, later()));
        reopen();
        assertThat(found(DAY).state()).isEqualTo(later());
    }

    @Test
    void aSaveThatNamesAnotherRevisionChangesNothingAndIsToldWhatIsThere() throws Exception {
        long first = kept(KeptAccount.NEVER, busy());
        KeptAccount present = new KeptAccount(kept(first, later()), later());
        assertThat(save(first, busy())).isEqualTo(new Saved.Overtaken(present));
        assertThat(save(KeptAccount.NEVER, busy())).isEqualTo(new Saved.Overtaken(present));
        assertThat(found(DAY)).isEqualTo(present);
    }

    @Test
    void aSaveOfWhatIsNotThereChangesNothing() throws Exception {
        assertThat(save(5, busy())).isEqualTo(new Saved.Overtaken(null));
        assertThat(await(store.find(List.of(DAY)))).isEmpty();
    }

    @Test
    void oneThatIsOvertakenDoesNotHarmTheOthersOfItsRound() throws Exception {
        kept(KeptAccount.NEVER, busy());
        Map<AccountKey, Saved> saved = await(store.save(
                epoch, List.of(new Write(KeptAccount.NEVER, later()), new Write(KeptAccount.NEVER, month()))));
        assertThat(saved.get(DAY)).isInstanceOf(Saved.Overtaken.class);
        assertThat(saved.get(MONTH)).isInstanceOf(Saved.Kept.class);
        assertThat(found(DAY).state()).isEqualTo(busy());
        assertThat(found(MONTH).state()).isEqualTo(month());
    }

    @Test
    void aClosedAccountIsFoundAndNoLongerOpen() throws Exception {
        long first = kept(KeptAccount.NEVER, fresh());
        kept(first, closed());
        assertThat(found(DAY).state()).isEqualTo(closed());
        assertThat(open(LedgerStore.ALL)).isEmpty();
    }

    @Test
    void aClosedAccountIsCorrectedUnderARevisionOfItsOwn() throws Exception {
        kept(KeptAccount.NEVER, closed());
        AuthorityCommand adjust = new AuthorityCommand.Adjust(DAY, "a-1", 5, "charged later");
        AccountState corrected = AccountDecider.decide(closed(), adjust, ENDS).next();
        kept(found(DAY).revision(), corrected);
        assertThat(found(DAY).state()).isEqualTo(corrected);
    }

    @Test
    void anAccountThatWasNeverSavedIsNotFound() throws Exception {
        assertThat(await(store.find(List.of(DAY)))).isEmpty();
    }

    @Test
    void whatTheCallerHasIsNotToldAgain() throws Exception {
        long first = kept(KeptAccount.NEVER, busy());
        Changes changes = await(store.changes(epoch, LedgerStore.ALL, account -> first));
        assertThat(changes.accounts()).isEmpty();
        assertThat(open(changes.upTo())).isEmpty();
    }

    @Test
    void anEpochIsNotLessThanTheClockAndHoldsForEveryoneUntilSomethingMayBeLost() throws Exception {
        assertThat(epoch.number()).isEqualTo(CLOCK);
        assertThat(await(store.begin("node-1", epoch, CLOCK + 10)).is(epoch)).isTrue();
        reopen();
        assertThat(epoch.number()).isGreaterThanOrEqualTo(CLOCK);
    }

    @Test
    void aNodeThatKnowsALaterEpochProvesALoss() throws Exception {
        kept(KeptAccount.NEVER, busy());
        Epoch next = await(store.begin("node-1", new Epoch(CLOCK + 500, "another", Set.of()), CLOCK + 1));
        assertThat(next.number()).isGreaterThan(CLOCK + 500);
        assertThat(next.members()).contains("node-1");
    }

    @Test
    void nobodyWaitsAfterALossForANodeThatSpendsNothing() throws Exception {
        assertThat(await(store.begin(null, Epoch.NONE, CLOCK)).is(epoch)).isTrue();

        Epoch next = await(store.begin(null, new Epoch(CLOCK + 500, "another", Set.of()), CLOCK + 1));

        assertThat(next.number()).isGreaterThan(CLOCK + 500);
        assertThat(Set.of("node-1")).containsAll(next.members());
    }

    @Test
    void aNodeThatKnowsAnEpochOfTheSameNumberAndAnotherHistoryProvesALossToo() throws Exception {
        Epoch next = await(store.begin("node-1", new Epoch(epoch.number(), "another", Set.of()), CLOCK));
        assertThat(next.number()).isGreaterThan(epoch.number());
        assertThat(failure(store.changes(epoch, LedgerStore.ALL, account -> 0))).isInstanceOf(EpochOverException.class);
    }

    @Test
    void nothingIsSavedOrToldInAnEpochThatIsOver() throws Exception {
        await(store.begin("node-1", new Epoch(CLOCK + 1, "another", Set.of()), CLOCK));
        Future<?> saved = store.save(epoch, List.of(new Write(KeptAccount.NEVER, busy())));
        assertThat(failure(saved)).isInstanceOf(EpochOverException.class);
        assertThat(failure(store.changes(epoch, LedgerStore.ALL, account -> 0))).isInstanceOf(EpochOverException.class);
        assertThat(await(store.find(List.of(DAY)))).isEmpty();
    }

    @Test
    void largeNumbersComeBackToTheLastDigit() throws Exception {
        Holder holder = new Holder("node-1", Long.MAX_VALUE - 1);
        AccountState state = AccountDecider.decide(
                        AccountDecider.decide(
                                        null,
                                        new AuthorityCommand.SetCap(
                                                DAY, 1_234_567_890_123_456_789L, AccountState.MICROS_MAX, OPENS, ENDS),
                                        OPENS)
                                .next(),
                        new AuthorityCommand.Finish(
                                DAY,
                                holder,
                                0,
                                new HolderTotals(HolderTotals.LAST, 1, AccountState.MICROS_MAX, 0, 1, 0)),
                        OPENS)
                .next();
        kept(KeptAccount.NEVER, state);
        reopen();
        assertThat(found(DAY).state()).isEqualTo(state);
    }

    private static Throwable failure(Future<?> future) throws Exception {
        await(future.otherwiseEmpty());
        return future.cause();
    }

    protected static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
