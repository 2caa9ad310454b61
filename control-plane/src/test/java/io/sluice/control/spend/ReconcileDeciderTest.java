package io.sluice.control.spend;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.Reconciliation;
import io.sluice.control.api.Reconciliation.NodeTotal;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendStatements;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderState;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReconcileDeciderTest {
    private static final LocalDate DAY = LocalDate.of(2026, 3, 2);
    private static final Instant BEGIN = Instant.parse("2026-03-02T00:00:00Z");

    private static SpendFigures figures(long micros, long unpriced) {
        return new SpendFigures(3, 3, 0, 0, 0, 0, 0, 0, new Money(micros), Money.ZERO, unpriced);
    }

    /** The amounts are those of one node's life that is over. */
    private static AccountState cap(boolean capped, long spent, long held, long burned, long adjusted) {
        TreeMap<Holder, HolderState> holders = new TreeMap<>();
        long granted = spent + held + burned;
        holders.put(new Holder("n1", 1), new HolderState(granted, 0, 0, held, spent, burned, true, 1, 1, -1, BEGIN));
        return new AccountState(
                new AccountKey(Spent.ACME, "day-tenant", new Period(CapPeriod.DAY, DAY)),
                1,
                capped,
                1_000,
                BEGIN,
                BEGIN.plusSeconds(86_400),
                1,
                Set.of(),
                false,
                1_000 - granted - adjusted,
                adjusted,
                Set.of(),
                holders);
    }

    private static SpendStatements.Day statement(Long closed, long late, long corrected) {
        List<SpendStatements.Entry> additions = new ArrayList<>();
        if (late != 0) {
            additions.add(new SpendStatements.Entry(2, DAY, "LATE_USAGE", new Money(late), "r", "system", BEGIN, "h"));
        }
        if (corrected != 0) {
            additions.add(
                    new SpendStatements.Entry(3, DAY, "ADJUSTMENT", new Money(corrected), "r", "ann", BEGIN, "h"));
        }
        return new SpendStatements.Day(
                DAY,
                closed == null
                        ? null
                        : new SpendStatements.Closing(
                                1, BEGIN, BEGIN, "UTC", "2026a", "USD", figures(closed, 0), BEGIN, "h"),
                additions);
    }

    private static Reconciliation decide(SpendFigures journals, AccountState cap, SpendStatements.Day statement) {
        return ReconcileDecider.decide(new ReconcileDecider.Told(
                DAY,
                "USD",
                journals,
                List.of(new NodeTotal("n1", journals.cost(), journals.requests())),
                Optional.ofNullable(statement),
                Optional.ofNullable(cap)));
    }

    private static void assertTold(Reconciliation told, boolean balanced, Long difference, String... explanations) {
        assertThat(told.balanced()).isEqualTo(balanced);
        assertThat(told.difference()).isEqualTo(difference == null ? null : new Money(difference));
        assertThat(told.explanations()).hasSize(explanations.length);
        for (int i = 0; i < explanations.length; i++) {
            assertThat(told.explanations().get(i)).contains(explanations[i]);
        }
    }

    @Test
    void allAgree() {
        assertTold(decide(figures(70, 0), cap(true, 70, 0, 0, 0), null), true, 0L);
        assertTold(decide(figures(70, 0), cap(true, 70, 0, 0, 0), statement(70L, 0, 0)), true, 0L);
        assertTold(decide(figures(70, 0), cap(true, 70, 0, 0, -5), statement(70L, 0, -5)), true, 0L);
    }

    @Test
    void withoutACapOnlyTheStatementIsCompared() {
        assertTold(decide(figures(70, 0), null, statement(70L, 0, 0)), true, null, "no day cap");
        assertTold(decide(figures(70, 0), null, statement(60L, 0, 0)), false, null, "no day cap", "statement says");
        assertTold(decide(figures(70, 0), null, null), true, null, "no day cap");
    }

    @Test
    void aCapThatCountsLessWasSetDuringTheDayOrIsNotToldYet() {
        assertTold(
                decide(figures(70, 0), cap(true, 60, 0, 0, 0), null),
                false,
                -10L,
                "counts less",
                "just before midnight");
        assertTold(
                decide(figures(70, 0), cap(false, 60, 0, 0, 0), null),
                false,
                -10L,
                "counts less",
                "just before midnight",
                "was removed");
    }

    @Test
    void aCapThatCountsMoreWaitsForLines() {
        assertTold(
                decide(figures(70, 0), cap(true, 71, 0, 0, 0), null),
                false,
                1L,
                "sluice_spend_unshipped",
                "just before midnight");
    }

    @Test
    void whatIsHeldAndBurnedIsNamedAndIsNoDifference() {
        assertTold(decide(figures(70, 0), cap(true, 70, 5, 0, 0), null), true, 0L, "0.000005 is reserved");
        assertTold(decide(figures(70, 0), cap(true, 70, 0, 9, 0), null), true, 0L, "0.000009 burned");
    }

    @Test
    void lateUsageIsPartOfTheStatement() {
        assertTold(
                decide(figures(70, 0), cap(true, 70, 0, 0, 0), statement(60L, 10, 0)),
                true,
                0L,
                "0.00001 was told after");
    }

    @Test
    void correctionsThatACapDoesNotKnowAreADifference() {
        assertTold(
                decide(figures(70, 0), cap(true, 70, 0, 0, 0), statement(70L, 0, -5)),
                false,
                0L,
                "corrections come to");
        assertTold(decide(figures(70, 0), cap(true, 70, 0, 0, -5), null), false, 0L, "corrections come to");
    }

    @Test
    void callsWithoutAPriceAreNamed() {
        assertTold(decide(figures(70, 2), cap(true, 70, 0, 0, 0), null), true, 0L, "2 calls had no price");
    }

    @Test
    void whatNoNodeIsKnownForIsARowOfItsOwn() {
        Reconciliation told = ReconcileDecider.decide(new ReconcileDecider.Told(
                DAY,
                "USD",
                figures(70, 0),
                List.of(new NodeTotal("n1", new Money(30), 1)),
                Optional.empty(),
                Optional.empty()));
        assertThat(told.nodes())
                .containsExactly(new NodeTotal("n1", new Money(30), 1), new NodeTotal(null, new Money(40), 2));
    }
}
