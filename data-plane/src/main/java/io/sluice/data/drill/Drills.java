package io.sluice.data.drill;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.message.BusMessage.DrillReported;
import java.util.List;

/** Where drilled requests tell how they ended. Thread-safe; never waits. */
public final class Drills {
    private final Bus bus;
    private final String node;

    public Drills(Bus bus, String node) {
        this.bus = bus;
        this.node = node;
    }

    /** One drilled request ended. */
    public void ended(DrillTally request) {
        bus.send(Address.drilled(node), new DrillReported(node, List.of(request)));
    }
}
