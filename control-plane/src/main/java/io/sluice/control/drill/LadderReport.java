package io.sluice.control.drill;

import io.sluice.control.api.RungReport;
import io.sluice.control.drill.Proven.Rung;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.TenantTree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Says which rungs are known to answer (requirement C5). Pure. */
public final class LadderReport {
    private LadderReport() {}

    /**
     * The report of one tenant.
     *
     * @param scenario null means all of them
     * @param proofs when a rung last answered
     * @param unprovenAfter a rung that has not answered for longer is unproven
     */
    public static List<RungReport> of(
            TenantTree tree,
            String scenario,
            Function<Rung, Optional<Proven>> proofs,
            Instant now,
            Duration unprovenAfter) {
        return tree.scenarios().values().stream()
                .filter(each -> scenario == null || scenario.equals(each.name()))
                .sorted(Comparator.comparing(ScenarioConfig::name))
                .flatMap(each -> of(tree, each, proofs, now.minus(unprovenAfter)).stream())
                .toList();
    }

    private static List<RungReport> of(
            TenantTree tree, ScenarioConfig scenario, Function<Rung, Optional<Proven>> proofs, Instant oldest) {
        List<RungReport> reports = new ArrayList<>();
        for (RungConfig rung : scenario.ladder()) {
            if (reports.isEmpty() || scenario.kind().mayDescend()) {
                Proven proven = proofs.apply(new Rung(tree.tenant().id(), scenario.name(), rung.name()))
                        .orElse(null);
                reports.add(new RungReport(
                        scenario.name(),
                        rung.name(),
                        proven == null ? null : proven.at(),
                        proven == null ? null : proven.how(),
                        proven == null || proven.at().isBefore(oldest)));
            }
        }
        return reports;
    }
}
