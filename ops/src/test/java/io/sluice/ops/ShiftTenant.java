package io.sluice.ops;

import static io.sluice.ops.Admin.input;

import java.util.List;
import java.util.Map;

/** A tenant whose traffic may be shifted: its scenario {@code chat} goes to one provider, and where that is in trouble to another. */
final class ShiftTenant {
    private ShiftTenant() {}

    /**
     * Makes it.
     *
     * @param first base URL of the first rung's provider
     * @param second of its substitute's, which may take ten times as long
     */
    static void make(Admin root, String tenant, String first, String second) throws Exception {
        root.tenant(tenant);
        root.model(tenant, "m");
        root.pool(tenant, "a", first, "m");
        root.pool(tenant, "b", second, "m");
        root.make(
                "putScenario",
                "",
                input(
                        "tenantId",
                        tenant,
                        "name",
                        "chat",
                        "sensitivity",
                        "SEMANTIC",
                        "kind",
                        "READ",
                        "ladder",
                        List.of(Map.of("name", "first", "pool", "a"), Map.of("name", "second", "pool", "b")),
                        "settings",
                        Map.of(
                                "shift",
                                Map.of("substitutes", List.of(Map.of("step", "second", "latencyFactorMax", 10))))));
    }
}
