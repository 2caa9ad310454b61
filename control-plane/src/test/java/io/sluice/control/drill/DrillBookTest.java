package io.sluice.control.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.drill.DrillStore.Pages;
import io.sluice.control.drill.Proven.Rung;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.Proof;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrillBookTest {
    static final TenantId ACME = new TenantId("acme");
    private static final Instant FIRST = Instant.parse("2026-01-01T10:00:00Z");
    private static final Rung LIGHT = new Rung(ACME, "chat", "light");

    private final DrillBook book = new DrillBook();

    /** Of the run that began {@code n} hours after the first. */
    static DrillTally run(int n) {
        Instant from = FIRST.plusSeconds(3_600L * n);
        return new DrillTally(ACME, "d", "chat", "light", from, from.plusSeconds(60), 1, 2, 1, 0, List.of());
    }

    @Test
    void figuresOfOneRunAddUp() {
        book.add(run(0));
        book.add(run(0));
        assertThat(book.runs(ACME, "d"))
                .singleElement()
                .satisfies(run -> assertThat(run.requests()).isEqualTo(4));
    }

    @Test
    void theRunThatWasStoppedEndedThenAndNoOther() {
        book.add(run(0));
        book.add(run(1));
        book.takeUnsaved();
        Instant at = FIRST.plusSeconds(3_620);

        book.stopped(ACME, "d", at);

        assertThat(book.runs(ACME, "d")).extracting(DrillTally::until).containsExactly(at, run(0).until());
        assertThat(book.takeUnsaved().runs()).extracting(DrillTally::until).containsExactly(at);
    }

    @Test
    void runsAreToldNewestFirst() {
        book.add(run(0));
        book.add(run(1));
        assertThat(book.runs(ACME, "d")).containsExactly(run(1), run(0));
    }

    @Test
    void onlyTheNewestRunsAreKept() {
        for (int n = 0; n <= DrillBook.RUNS_MAX; n++) {
            book.add(run(n));
        }
        assertThat(book.runs(ACME, "d")).hasSize(DrillBook.RUNS_MAX).doesNotContain(run(0));
        assertThat(book.takeGone()).containsExactly(run(0).run());
        assertThat(book.takeUnsaved().runs()).hasSize(DrillBook.RUNS_MAX);
    }

    @Test
    void theLatestProofHolds() {
        Proven later = new Proven(LIGHT, FIRST.plusSeconds(1), Proof.DRILL);
        book.add(later);
        book.add(new Proven(LIGHT, FIRST, Proof.EARNEST));
        assertThat(book.proof(LIGHT)).contains(later);
    }

    @Test
    void whatWasTakenIsNotTakenAgainUnlessItCouldNotBeSaved() {
        book.add(run(0));
        book.add(new Proven(LIGHT, FIRST, Proof.EARNEST));
        Pages taken = book.takeUnsaved();
        assertThat(book.takeUnsaved().empty()).isTrue();
        book.saveAgain(taken, List.of());
        assertThat(book.takeUnsaved()).isEqualTo(taken);
    }
}
