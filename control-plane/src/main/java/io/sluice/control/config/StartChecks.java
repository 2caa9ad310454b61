package io.sluice.control.config;

import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.UserErrorCode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What switches and drills have in common: they name a rung of a ladder, which must be there as long as they count. */
final class StartChecks {
    private StartChecks() {}

    /** The steps of a scenario's ladder, in its order; empty where there is no such scenario, which is told. */
    static Optional<List<String>> steps(Draft draft, String scenario, Problems problems) {
        ScenarioConfig found = draft.tree().scenarios().get(scenario);
        if (found == null) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such scenario; put it first", "scenario");
            return Optional.empty();
        }
        return Optional.of(steps(found));
    }

    static List<String> steps(ScenarioConfig scenario) {
        return scenario.ladder().stream().map(RungConfig::name).toList();
    }

    /** A text for people that must be there. */
    static void words(String text, String member, Problems problems) {
        if (problems.present(text, member)) {
            problems.name(text, member);
        }
    }

    /** Refuses what leaves a switch that is on, or a drill that will run, without its rung; {@code member} is to blame. */
    static void keepsRungs(Draft draft, Instant now, String member, Problems problems) {
        TenantTree tree = draft.tree();
        tree.switches().values().stream()
                .filter(each -> each.scenario() != null && each.activeAt(now))
                .filter(each -> !has(tree, each.scenario(), each.fromStep()))
                .forEach(each -> problems.add(
                        UserErrorCode.IN_USE,
                        "the switch " + each.id() + " starts requests of " + each.scenario() + " at the rung "
                                + each.fromStep() + "; keep the rung or end the switch first",
                        member));
        tree.drills().values().stream()
                .filter(each -> each.enabled() && !has(tree, each.scenario(), each.fromStep()))
                .forEach(each -> problems.add(
                        UserErrorCode.IN_USE,
                        "the drill " + each.id() + " exercises the rung " + each.fromStep() + " of " + each.scenario()
                                + "; keep the rung or put the drill with another",
                        member));
    }

    private static boolean has(TenantTree tree, String scenario, String step) {
        return steps(tree.scenarios().get(scenario)).contains(step);
    }
}
