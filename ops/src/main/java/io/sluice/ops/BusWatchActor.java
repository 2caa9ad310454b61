package io.sluice.ops;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.message.BusMessage.BusProbed;
import io.sluice.tenants.message.BusMessage.MembersUnheard;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the bus between nodes usable: after a partition or a long pause a node may be a member again while the others have forgotten
 * its handlers. Where a member is not heard, or says that it does not hear this one, both make their registrations anew. Owns the
 * {@link BusWatch}. In and out: {@link BusProbed} of every node, this one included; {@link MembersUnheard}.
 */
final class BusWatchActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(BusWatchActor.class);

    private static final int LOOK_MS = 1_000;

    private final Bus bus;
    private final Owners owners;
    private final Runnable mend;
    private final LongSupplier clockMs;
    private BusWatch watch = BusWatch.NEW;

    /**
     * Watches the nodes that {@code owners} know.
     *
     * @param mend makes this node's registrations anew; does not block
     * @param clockMs any clock that only goes forward
     */
    BusWatchActor(Bus bus, Owners owners, Runnable mend, LongSupplier clockMs) {
        this.bus = bus;
        this.owners = owners;
        this.mend = mend;
        this.clockMs = clockMs;
    }

    @Override
    public Future<?> start() {
        return bus.on(Address.UNHEARD, this::onUnheard)
                .compose(done -> bus.on(Address.PROBES, this::onProbed))
                .onSuccess(done -> vertx.setPeriodic(LOOK_MS, timer -> tick()));
    }

    private void onProbed(BusProbed probed) {
        watch = watch.heard(probed.node(), clockMs.getAsLong());
    }

    private void onUnheard(MembersUnheard told) {
        if (told.members().contains(owners.node())) {
            watch = watch.unheardBy(told.node(), clockMs.getAsLong());
        }
    }

    private void tick() {
        bus.publish(Address.PROBES, new BusProbed(owners.node()));
        long nowMs = clockMs.getAsLong();
        watch = watch.of(owners.nodes(), nowMs);
        Set<String> silent = watch.silent(nowMs);
        if (!silent.isEmpty()) {
            bus.publish(Address.UNHEARD, new MembersUnheard(owners.node(), silent));
        }
        if (watch.mends(nowMs)) {
            LOG.warn(
                    "{} can't be heard and {} can't hear this node although members: registering all handlers anew",
                    silent,
                    watch.deaf(nowMs));
            watch = watch.mended(nowMs);
            mend.run();
        }
    }
}
