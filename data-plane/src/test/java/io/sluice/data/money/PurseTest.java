package io.sluice.data.money;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reserving and settling out of slices that are there. */
class PurseTest {
    private static final AccountKey DAY = AccountKey.ofKey("acme|2026-03-28|day");
    private static final AccountKey MONTH = AccountKey.ofKey("acme|2026-03|month");

    private final MemoryJournal journal = new MemoryJournal();
    private final Purse purse = new Purse(journal);

    PurseTest() {
        purse.slice(DAY).grant(1_000);
        purse.slice(MONTH).grant(500);
    }

    private Hold hold(String id, long micros) {
        return (Hold) purse.reserve(id, List.of(DAY, MONTH), micros);
    }

    @Test
    void aReservationIsTakenFromEveryAccount() {
        hold("r", 300);
        assertThat(purse.freeMicros(DAY)).isEqualTo(700);
        assertThat(purse.heldMicros(MONTH)).isEqualTo(300);
    }

    @Test
    void whereOneAccountFallsShortNothingIsTaken() {
        assertThat(purse.reserve("r", List.of(DAY, MONTH), 600)).isEqualTo(new Shortfall(MONTH, 100));
        assertThat(purse.freeMicros(DAY)).isEqualTo(1_000);
        assertThat(purse.inFlight()).isZero();
    }

    @Test
    void anAccountWithoutSliceFallsShortByEverything() {
        AccountKey other = AccountKey.ofKey("acme|2026-03|other");
        assertThat(purse.reserve("r", List.of(DAY, other), 600)).isEqualTo(new Shortfall(other, 600));
    }

    @Test
    void underNoCapEverythingIsAdmitted() {
        assertThat(purse.reserve("r", List.of(), 600)).isInstanceOf(Hold.class);
    }

    @Test
    void aSettlementChargesTheCostAndGivesTheRestBack() {
        hold("r", 300).settle(120, null);
        assertThat(purse.freeMicros(DAY)).isEqualTo(880);
        assertThat(purse.settledMicros(DAY)).isEqualTo(120);
        assertThat(purse.heldMicros(DAY)).isZero();
    }

    @Test
    void aSettlementIsAccountedForWhenItIsDurable() {
        hold("r", 300).settle(120, null);
        assertThat(journal.acknowledged()).isEmpty();
        journal.sync();
        assertThat(journal.acknowledged()).containsExactly("r");
    }

    @Test
    void aSettlementThatCanNotBeWrittenStopsTheSpending() {
        hold("r", 300).settle(120, null);
        journal.fail();
        assertThat(purse.stopped()).contains("can not be written down");
        assertThat(purse.reserve("s", List.of(DAY, MONTH), 1)).isInstanceOf(Shortfall.class);
    }

    @Test
    void aRequestWithoutEndLeavesNoLine() {
        hold("r", 300).raise(100);
        hold("s", 50).release();
        assertThat(journal.hasUnsynced()).isFalse();
    }

    @Test
    void aReleaseGivesEverythingBack() {
        hold("r", 300).release();
        assertThat(purse.freeMicros(MONTH)).isEqualTo(500);
        assertThat(purse.inFlight()).isZero();
    }

    @Test
    void onlyTheFirstEndCounts() {
        Hold hold = hold("r", 300);
        hold.settle(120, null);
        hold.settle(200, null);
        hold.release();
        assertThat(purse.freeMicros(DAY)).isEqualTo(880);
        assertThat(purse.settledMicros(DAY)).isEqualTo(120);
    }

    @Test
    void raisingTakesMoreInEveryAccount() {
        Hold hold = hold("r", 300);
        assertThat(hold.raise(100)).isSameAs(hold);
        assertThat(hold.heldMicros()).isEqualTo(400);
        assertThat(purse.freeMicros(MONTH)).isEqualTo(100);
    }

    @Test
    void whereRaisingFallsShortWhatWasHeldStaysHeld() {
        Hold hold = hold("r", 300);
        assertThat(hold.raise(201)).isEqualTo(new Shortfall(MONTH, 1));
        assertThat(hold.heldMicros()).isEqualTo(300);
        assertThat(purse.freeMicros(DAY)).isEqualTo(700);
    }

    @Test
    void aHoldThatHasEndedCanNotBeRaised() {
        Hold hold = hold("r", 300);
        hold.release();
        assertThatThrownBy(() -> hold.raise(1)).isInstanceOf(IllegalStateException.class);
        assertThat(purse.freeMicros(DAY)).isEqualTo(1_000);
    }

    @Test
    void whatARequestCostsBeyondItsHoldIsTakenFromTheSlice() {
        hold("r", 300).settle(450, null);
        assertThat(purse.freeMicros(MONTH)).isEqualTo(50);
        assertThat(purse.uncoveredMicros()).isZero();
    }

    @Test
    void whatNoSliceCoversIsCountedAndStopsTheAccount() {
        hold("r", 300).settle(650, null);
        assertThat(purse.uncoveredMicros()).isEqualTo(150);
        assertThat(purse.settledMicros(MONTH)).isEqualTo(650);
        assertThat(purse.reserve("s", List.of(DAY, MONTH), 1)).isEqualTo(new Shortfall(MONTH, 151));
    }

    @Test
    void aRequestThatCostsNothingNeedsAnAccountWithSomethingLeft() {
        hold("r", 500);
        assertThat(purse.reserve("s", List.of(MONTH), 0)).isEqualTo(new Shortfall(MONTH, 1));
    }

    @Test
    void twoRequestsInFlightCanNotHaveOneId() {
        hold("r", 300);
        assertThatThrownBy(() -> hold("r", 100)).isInstanceOf(IllegalStateException.class);
        assertThat(purse.freeMicros(DAY)).isEqualTo(700);
    }

    @Test
    void amountsThatAreNoneAreRefused() {
        assertThatThrownBy(() -> hold("r", -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> hold("r", Purse.MICROS_MAX + 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSliceIsRetiredOnlyWhenNothingOfItIsLeftOrHeld() {
        Slice slice = purse.slice(MONTH);
        Hold hold = hold("r", 300);
        assertThat(slice.takeBack(Long.MAX_VALUE)).isEqualTo(200);
        assertThat(slice.retire()).isFalse();
        hold.settle(300, null);
        assertThat(slice.retire()).isTrue();
        assertThat(purse.reserve("s", List.of(MONTH), 1)).isInstanceOf(Shortfall.class);
    }

    @Test
    void theJournalSaysWhatALifeHad() {
        journal.append(new LedgerRecord.Opened(new Holder("n", 1), 0));
        journal.append(new LedgerRecord.Granted(DAY, 1, 1_000));
        hold("r", 300).settle(120, null);
        journal.append(new LedgerRecord.Returned(DAY, 70));
        journal.sync();
        JournalTotals again = new JournalTotals();
        journal.read().checkpoint().forEach(again::read);
        assertThat(again.lastWords(DAY)).isEqualTo(journal.read().lastWords(DAY));
        assertThat(again.lastWords(DAY).values().iterator().next())
                .isEqualTo(new HolderTotals(Long.MAX_VALUE, 1, 1_000, 70, 120, 0));
    }
}
