package io.sluice.data.money.journal;

import io.sluice.data.money.journal.SpendTail.Lines;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.message.BusMessage.AskSpendPosition;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.message.BusMessage.SpendStored;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the node's place in its own journal: ships what settled requests come to, at least once and in their order. On one loop, so that
 * one shipment follows the other.
 *
 * <p>Out: {@link AskSpendPosition}, then {@link SpendShipped} again and again until {@link SpendStored} comes back. Segments that
 * finance has and the ledger does not need are deleted.
 */
public final class OutboxActor extends VerticleBase {
    /** Finance reads of a request within a second. */
    private static final long EVERY_MS = 500;

    /** Until the journal is looked at again when the last lines are waited for. */
    private static final long LOOK_MS = 5;

    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(OutboxActor.class);

    private final Bus bus;
    private final String node;
    private final Journal journal;
    private final SpendSource source;
    private boolean placed;
    private boolean leaving;
    private Future<Void> shipment = Future.succeededFuture();
    private boolean told;
    private volatile long shippedSeq;

    /** @param node as it names itself to the control plane */
    public OutboxActor(Bus bus, String node, FileLedgerJournal ledger) {
        this.bus = bus;
        this.node = node;
        journal = ledger.journal();
        source = new SpendSource(journal, ledger.tail());
    }

    /** Finance has the journal up to this line; may be read from any thread. */
    public long shippedSeq() {
        return shippedSeq;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(EVERY_MS, timer -> tick());
        return Future.succeededFuture();
    }

    /**
     * Everything that was handed to the journal goes out, since the node may have no next life; what finance does not take now goes with
     * one all the same.
     */
    @Override
    public Future<?> stop() {
        leaving = true;
        return shipment.otherwiseEmpty()
                .compose(done -> written())
                .compose(done -> ship())
                .otherwiseEmpty();
    }

    private Future<Void> written() {
        boolean written = journal.waiting() == 0 || journal.closedBy() != null;
        return written
                ? Future.succeededFuture()
                : vertx.timer(LOOK_MS, TimeUnit.MILLISECONDS).compose(later -> written());
    }

    private void tick() {
        if (leaving || !shipment.isComplete()) {
            return;
        }
        shipment = ship();
        shipment.onComplete(done -> {
            if (done.succeeded()) {
                told = false;
            } else if (!told) {
                told = true; // once for each time that it fails, and not twice a second
                LOG.warn("spend can not be shipped now; it waits in the journal", done.cause());
            }
        });
    }

    private Future<Void> ship() {
        Future<Void> begun = placed
                ? Future.succeededFuture()
                : bus.request(
                                Address.SPEND_POSITIONS,
                                new AskSpendPosition(node, journal.id()),
                                SpendStored.class,
                                ANSWER_MAX)
                        .map(this::begin);
        return begun.compose(done -> next()).recover(failure -> lost().compose(done -> Future.failedFuture(failure)));
    }

    private Void begin(SpendStored stored) {
        shippedSeq = stored.seq();
        placed = true;
        return null;
    }

    /** Finance is asked again where it is, and the file is given back meanwhile. */
    private Future<Void> lost() {
        placed = false;
        return vertx.executeBlocking(() -> {
            source.close();
            return null;
        });
    }

    /** Ships until nothing is left to ship. */
    private Future<Void> next() {
        long position = shippedSeq;
        return vertx.executeBlocking(() -> source.next(position)).compose(lines -> {
            if (lines.upToSeq() == lines.afterSeq()) {
                return Future.succeededFuture();
            }
            return bus.request(Address.SPEND, message(lines), SpendStored.class, ANSWER_MAX)
                    .compose(stored -> stored(stored, lines));
        });
    }

    private SpendShipped message(Lines lines) {
        return SpendShipped.of(node, journal.id(), lines.afterSeq(), lines.upToSeq(), lines.tally());
    }

    private Future<Void> stored(SpendStored stored, Lines lines) {
        if (stored.seq() != lines.upToSeq()) {
            LOG.warn("finance has the journal up to line {} and not {}: shipping from there", stored.seq(), shippedSeq);
            return lost();
        }
        shippedSeq = stored.seq();
        return vertx.executeBlocking(() -> journal.forget(Math.min(shippedSeq + 1, journal.neededFrom())))
                .compose(deleted -> lines.newest() ? Future.succeededFuture() : next());
    }
}
