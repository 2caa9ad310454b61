package io.sluice.control.config;

import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.UserErrorCode;
import java.time.Instant;
import java.time.ZoneId;
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

    /**
     * Refuses what takes its rung from a switch that is on, or from a drill that runs or will run. What lacked its rung before
     * is nobody's mistake now.
     *
     * @param ladder the member to blame where a rung is gone, or stands first
     * @param kind the member to blame where requests do not descend any more
     */
    static void keepsRungs(Draft draft, Instant now, String ladder, String kind, Problems problems) {
        TenantTree before = draft.before().tenants().get(draft.owner());
        TenantTree after = draft.tree();
        after.switches().values().stream()
                .filter(each -> each.activeAt(now) && degrades(before, each) && !degrades(after, each))
                .forEach(each -> problems.add(UserErrorCode.IN_USE, words(each), ladder));
        ZoneId zone = after.tenant().timeZone();
        after.drills().values().stream()
                .filter(each -> each.enabled() || each.runAt(now, zone).isPresent())
                .forEach(each -> keepsDrill(before, after, each, ladder, kind, problems));
    }

    private static String words(SwitchConfig degradation) {
        return degradation.scenario() == null
                ? "the switch " + degradation.id() + " starts requests at the rung " + degradation.fromStep()
                        + ", and no other scenario has it below its first; keep it there or end the switch first"
                : "the switch " + degradation.id() + " starts requests of " + degradation.scenario() + " at the rung "
                        + degradation.fromStep() + "; keep the rung below the first or end the switch first";
    }

    private static void keepsDrill(
            TenantTree before, TenantTree after, DrillConfig drill, String ladder, String kind, Problems problems) {
        ScenarioConfig old = before.scenarios().get(drill.scenario());
        ScenarioConfig made = after.scenarios().get(drill.scenario());
        if (old == null) {
            return;
        }
        if (steps(old).contains(drill.fromStep()) && !steps(made).contains(drill.fromStep())) {
            problems.add(
                    UserErrorCode.IN_USE,
                    "the drill " + drill.id() + " exercises the rung " + drill.fromStep() + " of " + drill.scenario()
                            + "; keep the rung or put the drill with another",
                    ladder);
        }
        if (old.kind().mayDescend() && !made.kind().mayDescend()) {
            problems.add(
                    UserErrorCode.IN_USE,
                    "the drill " + drill.id() + " sends requests of " + drill.scenario() + " down, which " + made.kind()
                            + " requests must not be; stop the drill and put it with enabled: false first",
                    kind);
        }
    }

    /** Whether the switch has an effect somewhere: the first rung is where requests start anyway. */
    private static boolean degrades(TenantTree tree, SwitchConfig degradation) {
        return tree.scenarios().values().stream()
                .filter(each -> degradation.covers(each.name()))
                .anyMatch(each -> steps(each).indexOf(degradation.fromStep()) > 0);
    }
}
