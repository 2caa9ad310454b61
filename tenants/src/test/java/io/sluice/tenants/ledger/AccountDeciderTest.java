package io.sluice.tenants.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.AuthorityAnswer.Outcome;
import io.sluice.tenants.ledger.Transfer.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The authority over one cap. Each test is one command and what it makes of the state before it. */
class AccountDeciderTest {
    private static final AccountKey DAY = AccountKey.ofKey("acme|2026-03-28|cap");
    private static final Instant OPENS = Instant.parse("2026-03-28T00:00:00Z");
    private static final Instant ENDS = OPENS.plus(Duration.ofDays(1));
    private static final Instant NOON = OPENS.plus(Duration.ofHours(12));
    private static final Holder ONE = new Holder("one", 1);
    private static final Holder TWO = new Holder("two", 1);

    private AccountState state;
    private AuthorityAnswer answer;
    private AccountDecider.Step step;

    AccountDeciderTest() {
        apply(new AuthorityCommand.SetCap(DAY, 1, 1_000, OPENS, ENDS));
    }

    private Outcome apply(AuthorityCommand command) {
        return apply(command, NOON);
    }

    private Outcome apply(AuthorityCommand command, Instant now) {
        step = AccountDecider.decide(state, command, now);
        state = step.next();
        answer = step.answer();
        return answer.outcome();
    }

    private static AuthorityCommand.Grant need(Holder holder, long seq, long micros, HolderTotals totals) {
        return new AuthorityCommand.Grant(DAY, holder, 0, seq, micros, micros, 0, 1_000_000, totals);
    }

    private static HolderTotals totals(long no, long seq, long granted, long returned, long settled, long held) {
        return new HolderTotals(no, seq, granted, returned, settled, held);
    }

    private void grant(Holder holder, long seq, long micros) {
        apply(need(
                holder,
                seq,
                micros,
                totals(
                        seq,
                        seq - 1,
                        state.holders().containsKey(holder)
                                ? state.holders().get(holder).grantedMicros()
                                : 0,
                        0,
                        0,
                        0)));
    }

    @Test
    void aGrantMovesMoneyFromTheCapToTheHolder() {
        grant(ONE, 1, 400);
        assertThat(step.transfers()).containsExactly(new Transfer(DAY, ONE, Place.CAP, Place.ESCROW, 400));
        assertThat(state.availableMicros()).isEqualTo(600);
    }

    @Test
    void aGrantThatIsAskedAgainIsAnsweredAgainAndCountsOnce() {
        AuthorityCommand.Grant asked = need(ONE, 1, 400, HolderTotals.NONE);
        apply(asked);
        assertThat(apply(asked)).isEqualTo(Outcome.GRANTED);
        assertThat(answer.micros()).isEqualTo(400);
        assertThat(state.committedMicros()).isEqualTo(400);
    }

    @Test
    void anOlderGrantIsNotHeardAfterALaterOne() {
        grant(ONE, 1, 100);
        grant(ONE, 2, 100);
        assertThat(apply(need(ONE, 1, 100, HolderTotals.NONE))).isEqualTo(Outcome.STALE);
    }

    @Test
    void whatIsLeftIsGrantedToTheLastMicroUnit() {
        grant(ONE, 1, 400);
        grant(TWO, 1, 600);
        assertThat(state.availableMicros()).isZero();
    }

    @Test
    void lessThanTheSmallestWaitingRequestNeedsIsDenied() {
        grant(ONE, 1, 400);
        assertThat(apply(need(TWO, 1, 601, HolderTotals.NONE))).isEqualTo(Outcome.DENIED);
        assertThat(state.availableMicros()).isEqualTo(600);
    }

    @Test
    void aHolderThatWasGrantedMoreThanTheAuthorityKnowsIsBelieved() {
        apply(need(ONE, 5, 100, totals(9, 4, 700, 0, 0, 0)));
        assertThat(state.committedMicros()).isEqualTo(800);
        assertThat(apply(need(TWO, 1, 300, HolderTotals.NONE))).isEqualTo(Outcome.DENIED);
    }

    @Test
    void aGrantThatTheHolderGaveUpComesBack() {
        grant(ONE, 1, 400);
        apply(new AuthorityCommand.Report(DAY, ONE, 0, totals(2, 1, 0, 0, 0, 0)));
        assertThat(state.availableMicros()).isEqualTo(1_000);
    }

    @Test
    void aReportMovesWhatWasSpentHeldAndReturned() {
        grant(ONE, 1, 400);
        apply(new AuthorityCommand.Report(DAY, ONE, 0, totals(2, 1, 400, 50, 120, 30)));
        assertThat(state.spentMicros()).isEqualTo(120);
        assertThat(state.heldMicros()).isEqualTo(30);
        assertThat(state.holders().get(ONE).escrowMicros()).isEqualTo(200);
        assertThat(state.availableMicros()).isEqualTo(650);
    }

    @Test
    void anOlderReportChangesNothing() {
        grant(ONE, 1, 400);
        apply(new AuthorityCommand.Report(DAY, ONE, 0, totals(3, 1, 400, 50, 120, 0)));
        AccountState before = state;
        assertThat(apply(new AuthorityCommand.Report(DAY, ONE, 0, totals(2, 1, 400, 0, 100, 70))))
                .isEqualTo(Outcome.STALE);
        assertThat(state).isEqualTo(before);
    }

    @Test
    void theLastWordsOfALifeBurnWhatItHadLeft() {
        grant(ONE, 1, 400);
        apply(new AuthorityCommand.Finish(DAY, ONE, 0, totals(HolderTotals.LAST, 1, 400, 50, 120, 0)));
        assertThat(state.burnedMicros()).isEqualTo(230);
        assertThat(state.availableMicros()).isEqualTo(650);
    }

    @Test
    void aLifeThatIsOverIsGrantedNothing() {
        grant(ONE, 1, 400);
        apply(new AuthorityCommand.Finish(DAY, ONE, 0, null));
        assertThat(apply(need(ONE, 2, 100, totals(2, 1, 400, 0, 0, 0)))).isEqualTo(Outcome.FINISHED);
    }

    @Test
    void aLifeBeforeOneThatWasHeardOfIsGrantedNothing() {
        apply(new AuthorityCommand.Reconcile(
                DAY, new Holder("one", 2), 0, Map.of(new Holder("one", 2), totals(1, 0, 0, 0, 0, 0))));
        assertThat(apply(need(ONE, 1, 100, HolderTotals.NONE))).isEqualTo(Outcome.FINISHED);
    }

    @Test
    void whatABurnedLifeStillReportsAsSpentIsNoLongerBurned() {
        grant(ONE, 1, 400);
        apply(new AuthorityCommand.Finish(DAY, ONE, 0, null));
        apply(new AuthorityCommand.Report(DAY, ONE, 0, totals(2, 1, 400, 0, 150, 0)));
        assertThat(state.burnedMicros()).isEqualTo(250);
        assertThat(state.spentMicros()).isEqualTo(150);
    }

    @Test
    void whatALifeSpentBeyondItsGrantsIsCoveredByTheCap() {
        grant(ONE, 1, 400);
        apply(new AuthorityCommand.Finish(DAY, ONE, 0, totals(HolderTotals.LAST, 1, 400, 0, 450, 0)));
        assertThat(state.availableMicros()).isEqualTo(550);
        assertThat(state.spentMicros()).isEqualTo(450);
        assertThat(state.burnedMicros()).isZero();
    }

    @Test
    void aLoweredCapLeavesLessThanNothing() {
        grant(ONE, 1, 800);
        apply(new AuthorityCommand.SetCap(DAY, 2, 500, OPENS, ENDS));
        assertThat(state.availableMicros()).isEqualTo(-300);
        assertThat(apply(need(TWO, 1, 1, HolderTotals.NONE))).isEqualTo(Outcome.DENIED);
    }

    @Test
    void anOlderVersionOfACapIsNotHeard() {
        apply(new AuthorityCommand.SetCap(DAY, 5, 500, OPENS, ENDS));
        assertThat(apply(new AuthorityCommand.SetCap(DAY, 4, 5_000, OPENS, ENDS)))
                .isEqualTo(Outcome.STALE);
        assertThat(state.limitMicros()).isEqualTo(500);
    }

    @Test
    void aCapThatWasRemovedGrantsNothingAndForgetsNothing() {
        grant(ONE, 1, 400);
        apply(new AuthorityCommand.RemoveCap(DAY, 2));
        assertThat(apply(need(ONE, 2, 10, totals(2, 1, 400, 0, 0, 0)))).isEqualTo(Outcome.NO_CAP);
        apply(new AuthorityCommand.SetCap(DAY, 3, 1_000, OPENS, ENDS));
        assertThat(state.committedMicros()).isEqualTo(400);
    }

    @Test
    void aDayOfTheFutureGrantsNothingUntilTwoSecondsBeforeItBegins() {
        assertThat(apply(need(ONE, 1, 10, HolderTotals.NONE), OPENS.minusMillis(2_001)))
                .isEqualTo(Outcome.NOT_YET);
        assertThat(apply(need(ONE, 1, 10, HolderTotals.NONE), OPENS.minusMillis(2_000)))
                .isEqualTo(Outcome.GRANTED);
    }

    @Test
    void afterItsEndAPeriodGrantsWhatARequestNeedsAndNothingAhead() {
        AuthorityCommand.Grant wish = new AuthorityCommand.Grant(DAY, ONE, 0, 1, 0, 0, 500, 10, HolderTotals.NONE);
        assertThat(apply(wish, ENDS)).isEqualTo(Outcome.DENIED);
        assertThat(apply(need(ONE, 2, 10, HolderTotals.NONE), ENDS)).isEqualTo(Outcome.GRANTED);
        assertThat(answer.micros()).isEqualTo(10);
    }

    @Test
    void tenMinutesAfterItsEndAPeriodGrantsNothing() {
        assertThat(apply(need(ONE, 1, 10, HolderTotals.NONE), ENDS.plus(Duration.ofMinutes(10))))
                .isEqualTo(Outcome.DENIED);
    }

    @Test
    void afterALossNothingIsGrantedUntilEveryMemberHasReconciled() {
        apply(new AuthorityCommand.Freeze(DAY, 7, Set.of("one", "two")));
        assertThat(apply(new AuthorityCommand.Grant(DAY, ONE, 7, 1, 10, 10, 0, 10, HolderTotals.NONE)))
                .isEqualTo(Outcome.FROZEN);
        apply(new AuthorityCommand.Reconcile(DAY, ONE, 7, Map.of(ONE, totals(4, 3, 600, 0, 100, 0))));
        assertThat(state.awaiting()).containsExactly("two");
        apply(new AuthorityCommand.Reconcile(DAY, TWO, 7, Map.of()));
        assertThat(state.frozen()).isFalse();
        assertThat(state.committedMicros()).isEqualTo(600);
    }

    @Test
    void aWordOfAnOlderEpochIsNotHeard() {
        apply(new AuthorityCommand.Freeze(DAY, 7, Set.of()));
        AccountState before = state;
        assertThat(apply(need(ONE, 1, 10, HolderTotals.NONE))).isEqualTo(Outcome.OLD_EPOCH);
        assertThat(answer.epoch()).isEqualTo(7);
        assertThat(state).isEqualTo(before);
    }

    @Test
    void anOperatorMayAnswerForMembersThatStayAway() {
        apply(new AuthorityCommand.Freeze(DAY, 7, Set.of("gone")));
        apply(new AuthorityCommand.Unfreeze(DAY, 7));
        assertThat(state.frozen()).isFalse();
    }

    @Test
    void aPeriodClosesTenMinutesAfterItsEnd() {
        assertThat(apply(new AuthorityCommand.Close(DAY), ENDS.plus(Duration.ofMinutes(9))))
                .isEqualTo(Outcome.NOT_YET);
        assertThat(apply(new AuthorityCommand.Close(DAY), ENDS.plus(Duration.ofMinutes(10))))
                .isEqualTo(Outcome.DONE);
        assertThat(state.closed()).isTrue();
    }

    @Test
    void aPeriodWaitsForAHolderThatIsHeardOf() {
        grant(ONE, 1, 400);
        Instant later = ENDS.plus(Duration.ofMinutes(15));
        apply(new AuthorityCommand.Report(DAY, ONE, 0, totals(2, 1, 400, 0, 0, 90)), later.minusSeconds(30));
        assertThat(apply(new AuthorityCommand.Close(DAY), later)).isEqualTo(Outcome.STILL_HELD);
    }

    @Test
    void whatAHolderHadThatIsGoneBurnsWhenThePeriodCloses() {
        grant(ONE, 1, 400);
        apply(new AuthorityCommand.Close(DAY), ENDS.plus(Duration.ofMinutes(10)));
        assertThat(state.burnedMicros()).isEqualTo(400);
        assertThat(state.closed()).isTrue();
    }

    @Test
    void aPeriodThatWaitsForNodesClosesWhenTheyHadTheirTimeSinceItsEndAndSinceTheLoss() {
        Instant over = ENDS.plus(Duration.ofMinutes(10));
        apply(new AuthorityCommand.Freeze(DAY, over.plus(Duration.ofMinutes(5)).toEpochMilli(), Set.of("gone")));
        assertThat(apply(new AuthorityCommand.Close(DAY), over.plus(Duration.ofMinutes(14))))
                .isEqualTo(Outcome.FROZEN);
        assertThat(apply(new AuthorityCommand.Close(DAY), over.plus(Duration.ofMinutes(15))))
                .isEqualTo(Outcome.DONE);
    }

    @Test
    void aClosedPeriodNeverOpensAgain() {
        apply(new AuthorityCommand.Close(DAY), ENDS.plus(Duration.ofMinutes(10)));
        AccountState before = state;
        assertThat(apply(need(ONE, 1, 10, HolderTotals.NONE))).isEqualTo(Outcome.CLOSED);
        assertThat(apply(new AuthorityCommand.Report(DAY, ONE, 0, totals(2, 1, 400, 0, 9, 0))))
                .isEqualTo(Outcome.CLOSED);
        assertThat(apply(new AuthorityCommand.SetCap(DAY, 9, 5_000, OPENS, ENDS)))
                .isEqualTo(Outcome.CLOSED);
        assertThat(state).isEqualTo(before);
    }

    @Test
    void financeMayCorrectAClosedPeriodOncePerId() {
        grant(ONE, 1, 400);
        apply(new AuthorityCommand.Close(DAY), ENDS.plus(Duration.ofMinutes(10)));
        AuthorityCommand.Adjust credit =
                new AuthorityCommand.Adjust(DAY, "a-1", -150, "the provider did not charge it");
        apply(credit);
        apply(credit);
        assertThat(state.adjustedMicros()).isEqualTo(-150);
        assertThat(state.availableMicros()).isEqualTo(750);
    }

    @Test
    void aCorrectionNeedsAReason() {
        assertThatThrownBy(() -> new AuthorityCommand.Adjust(DAY, "a-1", 5, " "))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sumsThatNoHolderCanHaveAreRefused() {
        assertThatThrownBy(() -> totals(1, 1, AccountState.MICROS_MAX + 1, 0, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> totals(1, 1, 5, 6, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> totals(1, 1, 5, 0, -1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anUnknownAccountIsNoCap() {
        state = null;
        assertThat(apply(need(ONE, 1, 10, HolderTotals.NONE))).isEqualTo(Outcome.NO_CAP);
    }

    @Test
    void sumsThatDoNotAddUpAreNoticed() {
        AccountState broken = new AccountState(
                DAY, 1, true, 1_000, OPENS, ENDS, 0, Set.of(), false, 999, 0, Set.of(), new TreeMap<>());
        assertThatThrownBy(() -> AccountDecider.decide(broken, need(ONE, 1, 10, HolderTotals.NONE), NOON))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the cap is 1000");
    }

    @Test
    void aHolderWhoseMoneyDoesNotAddUpIsNoticed() {
        TreeMap<Holder, HolderState> holders = new TreeMap<>();
        holders.put(ONE, new HolderState(100, 0, 90, 0, 0, 0, false, 1, 1, 100, NOON));
        AccountState broken =
                new AccountState(DAY, 1, true, 1_000, OPENS, ENDS, 0, Set.of(), false, 910, 0, Set.of(), holders);
        assertThatThrownBy(broken::check)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("one#1");
    }

    @Test
    void keysComeBackFromTheirText() {
        AccountKey odd = new AccountKey(new TenantId("acme"), "user|day|x@y", Period.ofKey("2026-03"));
        assertThat(AccountKey.ofKey(odd.key())).isEqualTo(odd);
        assertThat(Holder.ofKey(ONE.key())).isEqualTo(ONE);
    }
}
