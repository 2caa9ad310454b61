package io.sluice.control.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.RungReport;
import io.sluice.control.config.Given;
import io.sluice.control.drill.Proven.Rung;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.drill.Proof;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LadderReportTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final Duration DAYS_30 = Duration.ofDays(30);
    private static final Instant OLDEST = Given.NOW.minus(DAYS_30);

    private final Map<Rung, Proven> proofs = new HashMap<>();

    private static TenantTree tree(String kind) {
        Configuration configuration = Given.after(
                Given.acme(),
                Given.with(
                        Given.scenario(
                                "acme", "two", Given.poolRung("first", "std"), Given.textRung("sorry", "Sorry.")),
                        "kind",
                        kind));
        return configuration.tenants().get(ACME);
    }

    private List<RungReport> report(TenantTree tree, String scenario) {
        return LadderReport.of(tree, scenario, rung -> Optional.ofNullable(proofs.get(rung)), Given.NOW, DAYS_30);
    }

    private void proven(String step, Instant at) {
        Rung rung = new Rung(ACME, "two", step);
        proofs.put(rung, new Proven(rung, at, Proof.DRILL));
    }

    @Test
    void aRungThatNeverAnsweredIsUnproven() {
        assertThat(report(tree("READ"), "two"))
                .containsExactly(
                        new RungReport("two", "first", null, null, true),
                        new RungReport("two", "sorry", null, null, true));
    }

    @Test
    void aProofHoldsForThirtyDaysAndNoLonger() {
        proven("first", OLDEST);
        proven("sorry", OLDEST.minusMillis(1));
        assertThat(report(tree("READ"), "two"))
                .containsExactly(
                        new RungReport("two", "first", OLDEST, Proof.DRILL, false),
                        new RungReport("two", "sorry", OLDEST.minusMillis(1), Proof.DRILL, true));
    }

    @Test
    void rungsThatMayNeverAnswerAreLeftOut() {
        assertThat(report(tree("WRITE"), "two")).extracting(RungReport::step).containsExactly("first");
    }

    @Test
    void withoutAScenarioAllAreReportedByName() {
        assertThat(report(tree("READ"), null)).extracting(RungReport::scenario).containsExactly("chat", "two", "two");
    }
}
