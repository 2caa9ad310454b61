package io.sluice.tenants.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.ledger.AuthorityAnswer.Outcome;
import io.sluice.tenants.ledger.SharedAccounts.Question;
import io.sluice.tenants.ledger.SharedAccounts.Round;
import io.sluice.tenants.ledger.SharedAccounts.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A node's copy of accounts that other nodes change. */
class SharedAccountsTest {
    private static final AccountKey DAY = AccountKey.ofKey("acme|2026-03-28|cap");
    private static final Instant OPENS = Instant.parse("2026-03-28T00:00:00Z");
    private static final Instant NOON = OPENS.plus(Duration.ofHours(12));
    private static final Holder ONE = new Holder("one", 1);
    private static final Holder TWO = new Holder("two", 1);

    private final SharedAccounts accounts = new SharedAccounts(new Authority(
            1,
            OPENS.minusSeconds(60),
            Set.of(),
            account -> new CapTerms(1, true, 1_000, OPENS, OPENS.plus(Duration.ofDays(1)))));

    private static Question grant(Holder holder, long seq, long micros) {
        return grant(holder, seq, micros, 0);
    }

    /** @param hadMicros taken over by the holder before */
    private static Question grant(Holder holder, long seq, long micros, long hadMicros) {
        return Question.of(new AuthorityCommand.Grant(
                DAY, holder, 1, seq, micros, micros, 0, 1_000_000, new HolderTotals(seq, seq - 1, hadMicros, 0, 0, 0)));
    }

    private Round decide(Question... questions) {
        return accounts.decide(List.of(questions), NOON);
    }

    private static AuthorityAnswer answer(Round round, int question) {
        return round.verdicts().get(question).answer();
    }

    @Test
    void whatWasNeverAskedForHasToBeLookedUpFirst() {
        assertThatThrownBy(() -> decide(grant(ONE, 1, 400))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void questionsOfOneRoundAreOneWrite() {
        accounts.absent(DAY);
        Round round = decide(grant(ONE, 1, 400), grant(TWO, 1, 700));
        assertThat(answer(round, 0).micros()).isEqualTo(400);
        assertThat(answer(round, 1).outcome()).isEqualTo(Outcome.DENIED);
        assertThat(round.writes()).containsExactly(new Write(KeptAccount.NEVER, accounts.state(DAY)));
    }

    @Test
    void aRoundNamesTheRevisionOfTheOneBefore() {
        accounts.absent(DAY);
        decide(grant(ONE, 1, 400));
        accounts.kept(DAY, 7);
        assertThat(decide(grant(TWO, 1, 500)).writes())
                .extracting(Write::revision)
                .containsExactly(7L);
    }

    @Test
    void whoWasOvertakenDecidesAnewOnWhatIsThere() {
        accounts.absent(DAY);
        decide(grant(ONE, 1, 400));
        AccountState first = accounts.state(DAY);
        accounts.kept(DAY, 7);
        AccountState other =
                AccountDecider.decide(first, grant(TWO, 1, 500).command(), NOON).next();
        decide(grant(ONE, 2, 300, 400));

        accounts.overtaken(DAY, new KeptAccount(8, other));

        assertThat(accounts.state(DAY)).isEqualTo(other);
        assertThat(answer(decide(grant(ONE, 2, 300, 400)), 0).outcome()).isEqualTo(Outcome.DENIED);
    }

    @Test
    void whatWasOnlyReadIsSavedBeforeItIsAnswered() {
        accounts.absent(DAY);
        decide(grant(ONE, 1, 400));
        KeptAccount unconfirmed = new KeptAccount(7, accounts.state(DAY));
        accounts.forget(DAY);
        accounts.load(unconfirmed);

        Round again = decide(grant(ONE, 1, 400));

        assertThat(answer(again, 0).micros()).isEqualTo(400);
        assertThat(again.writes()).containsExactly(new Write(7, unconfirmed.state()));
        accounts.kept(DAY, 8);
        assertThat(decide(grant(ONE, 1, 400)).writes()).isEmpty();
    }

    @Test
    void newsOfOthersAreTakenOverUnlessTheyAreOldOrThisNodeWaitsForTheStore() {
        accounts.absent(DAY);
        decide(grant(ONE, 1, 400));
        AccountState first = accounts.state(DAY);
        AccountState other =
                AccountDecider.decide(first, grant(TWO, 1, 500).command(), NOON).next();
        accounts.load(new KeptAccount(8, other));
        assertThat(accounts.state(DAY)).isEqualTo(first);
        accounts.kept(DAY, 7);
        accounts.load(new KeptAccount(6, other));
        assertThat(accounts.state(DAY)).isEqualTo(first);
        accounts.load(new KeptAccount(8, other));
        assertThat(accounts.state(DAY)).isEqualTo(other);
    }

    @Test
    void aCommandThatBreaksSumsIsAFaultAndHarmsNoOther() {
        accounts.absent(DAY);
        Question wrong = Question.of(new AuthorityCommand.Report(
                DAY, TWO, 1, new HolderTotals(1, 0, AccountState.MICROS_MAX, 0, AccountState.MICROS_MAX, 0)));
        Round round = decide(grant(ONE, 1, 400), wrong);
        assertThat(answer(round, 0).outcome()).isEqualTo(Outcome.GRANTED);
        assertThat(accounts.state(DAY).holders().get(ONE).grantedMicros()).isEqualTo(400);
    }

    @Test
    void anAccountWhoseSumsAreWrongStaysUnknown() {
        AccountState state = AccountDecider.decide(
                        null, new AuthorityCommand.SetCap(DAY, 1, 1_000, OPENS, OPENS.plus(Duration.ofDays(1))), NOON)
                .next();
        AccountState damaged = new AccountState(
                DAY,
                1,
                true,
                999,
                state.opens(),
                state.ends(),
                0,
                Set.of(),
                false,
                1_000,
                0,
                Set.of(),
                state.holders());
        assertThatThrownBy(() -> accounts.load(new KeptAccount(3, damaged))).isInstanceOf(IllegalStateException.class);
        assertThat(accounts.knows(DAY)).isFalse();
    }

    @Test
    void changesAreToldOnce() {
        accounts.absent(DAY);
        decide(grant(ONE, 1, 400));
        assertThat(accounts.changes()).isEmpty();
        accounts.kept(DAY, 7);
        assertThat(accounts.changes()).containsExactly(DAY);
        assertThat(accounts.changes()).isEmpty();
    }
}
