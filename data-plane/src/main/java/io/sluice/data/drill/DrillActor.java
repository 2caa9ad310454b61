package io.sluice.data.drill;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.message.BusMessage.DrillReported;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Owns what drilled requests of one node found out and was not told yet. On one loop, so that figures add up without locks.
 *
 * <p>In: {@link DrillReported} of one request each. Out: {@link DrillReported} of a second's requests, to the control plane.
 */
public final class DrillActor extends VerticleBase {
    /** As pools report: people who watch a drill see it within a second. */
    static final long REPORT_MS = 1_000;

    private final Bus bus;
    private final String node;
    private final Map<DrillTally.Run, DrillTally> untold = new LinkedHashMap<>();

    public DrillActor(Bus bus, String node) {
        this.bus = bus;
        this.node = node;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(REPORT_MS, timer -> tick());
        return bus.on(Address.drilled(node), this::onDrilled);
    }

    @Override
    public Future<?> stop() {
        tick();
        return Future.succeededFuture();
    }

    private void onDrilled(DrillReported request) {
        request.tallies().forEach(tally -> untold.merge(tally.run(), tally, DrillTally::plus));
    }

    private void tick() {
        if (!untold.isEmpty()) {
            bus.publish(Address.DRILL_REPORTS, new DrillReported(node, List.copyOf(untold.values())));
            untold.clear();
        }
    }
}
