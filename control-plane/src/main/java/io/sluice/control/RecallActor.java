package io.sluice.control;

import io.sluice.control.owner.Stored;
import io.sluice.control.owner.Takeover;
import io.sluice.control.shift.StoredShifts;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.message.BusMessage.BandsPublished;
import io.sluice.tenants.message.BusMessage.ShiftsPublished;
import io.sluice.tenants.message.BusMessage.SnapshotApplied;
import io.sluice.tenants.message.CapBand;
import io.sluice.tenants.shift.ScenarioShift;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the data plane of a node that owns nothing, once, what owners decided before it started: where no owner is there any more, nobody else
 * does, and bands and shifts are to go on as they were. Owns no state. Others hear it too, and take of it what is newer than what they know.
 *
 * <p>In: the first {@link SnapshotApplied} of this node, since its data plane listens from then on. Out: {@link ShiftsPublished}, {@link BandsPublished}.
 */
final class RecallActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(RecallActor.class);

    /** As long as a cluster that has just lost a node needs to answer again. */
    private static final long AGAIN_MS = 5_000;

    private final Bus bus;
    private final String node;
    private final StoredShifts shifts;
    private final Stored<CapBand> bands;
    private boolean begun;

    /** @param states where owners left what they decided */
    RecallActor(Bus bus, String node, SoftStates states) {
        this.bus = bus;
        this.node = node;
        shifts = new StoredShifts(states);
        bands = new Stored<>(states, "bands", CapBand.class);
    }

    @Override
    public Future<?> start() {
        return bus.on(Address.APPLIED, this::onApplied);
    }

    private void onApplied(SnapshotApplied applied) {
        if (!begun) {
            begun = true;
            recall();
        }
    }

    private void recall() {
        Takeover.on(context, Future.all(shifts.load(), bands.all()))
                .onSuccess(stored -> tell(stored.resultAt(0), stored.resultAt(1)))
                .onFailure(away -> {
                    LOG.warn("what owners decided can not be read now; it is read again", away);
                    vertx.setTimer(AGAIN_MS, again -> recall());
                });
    }

    private void tell(List<ScenarioShift> shifted, List<CapBand> banded) {
        if (!shifted.isEmpty()) {
            bus.publish(Address.SHIFTS, new ShiftsPublished(shifted));
        }
        if (!banded.isEmpty()) {
            bus.publish(Address.BANDS, new BandsPublished(node, banded));
        }
    }
}
