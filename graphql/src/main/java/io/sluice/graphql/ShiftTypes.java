package io.sluice.graphql;

import io.sluice.control.api.Action;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.ShiftStanding;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.shift.ShiftState;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/** The fields of how scenarios stand and where their traffic is. */
final class ShiftTypes {
    private static final Rule ROUTING = new Rule(Action.READ_ROUTING);

    private ShiftTypes() {}

    static void register(Fields fields, ControlPlaneApi api, Clock clock) {
        fields.of("Scenario", ScenarioView.class, ROUTING).field("shift", view -> standing(api, view, clock.instant()));
        fields.of("ScenarioShift", ShiftStanding.class, ROUTING)
                .field("scenario", standing -> standing.scenario().scenario())
                .field("version", standing -> standing.state().version())
                .field("enabled", ShiftStanding::enabled)
                .field("phase", standing -> standing.state().phase())
                .field("step", standing -> standing.state().step())
                .field("percent", standing -> standing.state().share() * 100)
                .field(
                        "sinceAt",
                        standing -> Instant.ofEpochMilli(standing.state().sinceMs()))
                .field("substitute", standing -> standing.state().substitute())
                .field("reason", standing -> standing.state().reason())
                .field("trouble", ShiftStanding::troubles)
                .field("baselineP95Ms", standing -> known(standing.baselineP95Ms()))
                .field("currentP95Ms", standing -> known(standing.currentP95Ms()))
                .field("calls", ShiftStanding::calls)
                .field("errorRate", ShiftStanding::errorRate)
                .field("uselessRate", ShiftStanding::uselessRate)
                .field("slowed", ShiftTypes::slowed)
                .field("ownerNode", standing -> api.ownerOf(standing.scenario()));
        fields.of("SlowedTarget", SlowedTarget.class, ROUTING)
                .field("poolId", SlowedTarget::pool)
                .field("target", SlowedTarget::target)
                .field("weight", SlowedTarget::weight);
    }

    /** @param weight 0 to 1, what the target's own is multiplied with */
    private record SlowedTarget(String pool, String target, double weight) {}

    private static List<SlowedTarget> slowed(ShiftStanding standing) {
        return standing.state().slowed().entrySet().stream()
                .flatMap(pool -> new TreeMap<>(pool.getValue())
                        .entrySet().stream()
                                .map(each -> new SlowedTarget(
                                        pool.getKey().id(),
                                        each.getKey(),
                                        each.getValue().weight())))
                .toList();
    }

    private static Double known(double millis) {
        return millis == 0 ? null : millis;
    }

    /** Of a scenario without traffic nothing is known, and nothing is wrong with it either. */
    private static ShiftStanding standing(ControlPlaneApi api, ScenarioView view, Instant now) {
        boolean enabled = ScenarioSettings.shift(view.scenario().settings()).enabled();
        return api.shift(view.key())
                .orElseGet(() -> new ShiftStanding(
                        view.key(), ShiftState.fresh(now.toEpochMilli()), enabled, List.of(), 0, 0, 0, 0, 0, now));
    }
}
