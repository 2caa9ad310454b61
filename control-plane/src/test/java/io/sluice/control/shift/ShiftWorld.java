package io.sluice.control.shift;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.control.api.ShiftStanding;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ScenarioWindow;
import io.sluice.tenants.shift.ShiftState;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Two scenarios of one tenant with two pools, and a controller that hears of their calls once a second. Simulated time. */
final class ShiftWorld {
    static final TenantId ACME = new TenantId("acme");
    static final ScenarioKey CHAT = new ScenarioKey(ACME, "chat");
    static final ScopedId FIRST_POOL = new ScopedId(ACME, "a");
    static final ScopedId SECOND_POOL = new ScopedId(ACME, "b");

    /** How a rung answers. */
    record Behaviour(double millis, double failing) {
        static final Behaviour WELL = new Behaviour(800, 0);
    }

    final List<ShiftChange> changes = new ArrayList<>();
    private final ShiftSettings settings;
    private Configuration configuration;
    ShiftBook book;
    Behaviour primary = Behaviour.WELL;
    Behaviour substitute = Behaviour.WELL;
    Predicate<String> mine = key -> true;
    int callsPerSecond = 100;
    long now = 1_700_000_000_000L;

    ShiftWorld(ShiftSettings settings) {
        this.settings = settings;
        book = new ShiftBook(settings);
        configure(Sensitivity.SEMANTIC, "a");
    }

    private void configure(Sensitivity sensitivity, String firstPool) {
        TenantTree tree = TenantTree.of(new TenantConfig(ACME, 1, "Acme", ZoneId.of("UTC"), "USD", false));
        for (String name : List.of("chat", "other")) {
            tree = tree.with(new ScenarioConfig(
                    name,
                    1,
                    sensitivity,
                    RequestKind.READ,
                    true,
                    null,
                    null,
                    List.of(
                            new RungConfig.Pool("first", firstPool, null, null),
                            new RungConfig.Pool("second", "b", null, null)),
                    Map.of("shift", JsonNodeFactory.instance.objectNode().put("enabled", true))));
        }
        configuration = Configuration.EMPTY.with(tree);
    }

    void strict() {
        configure(Sensitivity.STRICT, "a");
    }

    void otherFirstPool() {
        configure(Sensitivity.SEMANTIC, "c");
    }

    void removeScenarios() {
        configuration = Configuration.EMPTY.with(
                TenantTree.of(new TenantConfig(ACME, 1, "Acme", ZoneId.of("UTC"), "USD", false)));
    }

    /** So many seconds. Calls split by the state's share; those of {@code other} are always well. */
    void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now += 1_000;
            long shifted = Math.round(callsPerSecond * state().share());
            // a share of one call in many seconds comes as one call now and then
            double exact = callsPerSecond * state().share();
            if (exact > 0 && exact < 1) {
                shifted = now / 1_000 % Math.round(1 / exact) == 0 ? 1 : 0;
            }
            List<ScenarioWindow> windows = new ArrayList<>();
            add(windows, CHAT, "first", FIRST_POOL, callsPerSecond - shifted, primary);
            add(windows, CHAT, "second", SECOND_POOL, shifted, substitute);
            add(windows, new ScenarioKey(ACME, "other"), "first", FIRST_POOL, 20, Behaviour.WELL);
            book.reported(windows, now);
            book.unowned(mine).forEach(key -> book.adopt(key, now));
            changes.addAll(book.tick(configuration, now));
        }
    }

    private static void add(
            List<ScenarioWindow> windows, ScenarioKey scenario, String step, ScopedId pool, long calls, Behaviour how) {
        if (calls == 0) {
            return;
        }
        long failed = Math.round(calls * how.failing());
        LatencyHistogram.Recorder latency = new LatencyHistogram.Recorder();
        for (long i = failed; i < calls; i++) {
            latency.record(how.millis());
        }
        Map<FailureClass, Long> failures = failed == 0 ? Map.of() : Map.of(FailureClass.NETWORK, failed);
        windows.add(new ScenarioWindow(scenario, step, pool, "p/m", calls - failed, failures, latency.drain()));
    }

    /** Another controller takes over and knows nothing but what was stored. */
    void replaceController(ShiftState stored) {
        book = new ShiftBook(settings);
        book.heard(new ScenarioShift(CHAT, stored));
    }

    ShiftStanding standing() {
        return standingOf("chat");
    }

    private ShiftStanding standingOf(String scenario) {
        return book.look(configuration, new ScenarioKey(ACME, scenario), now)
                .map(ShiftLook::standing)
                .orElse(null);
    }

    ShiftState state() {
        return stateOf("chat");
    }

    ShiftState stateOf(String scenario) {
        ShiftStanding standing = standingOf(scenario);
        return standing == null ? ShiftState.fresh(now) : standing.state();
    }
}
