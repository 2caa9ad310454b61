package io.sluice.data.money.journal;

import io.sluice.data.money.LedgerRecord.Settled;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.message.BusMessage.AskSpendPosition;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.message.BusMessage.SpendStored;
import io.sluice.tenants.message.SpendEntry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the node's place in its own journal: ships settled requests to finance, at least once and in their order. On one loop, so that
 * one shipment follows the other.
 *
 * <p>Out: {@link AskSpendPosition}, then {@link SpendShipped} again and again until {@link SpendStored} comes back. Segments that
 * finance has and the ledger does not need are deleted.
 */
public final class OutboxActor extends VerticleBase {
    /** Finance reads of a request within a second. */
    private static final long EVERY_MS = 500;

    /** Bounds a message and the transaction that stores it. */
    private static final int LINES_MAX = 512;

    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(OutboxActor.class);

    private final Bus bus;
    private final String node;
    private final Journal journal;
    private JournalReader reader;
    private boolean shipping;
    private boolean told;
    private volatile long shippedSeq;

    /** @param node as it names itself to the control plane */
    public OutboxActor(Bus bus, String node, Journal journal) {
        this.bus = bus;
        this.node = node;
        this.journal = journal;
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

    /** What is on disk goes out once more; what does not get there goes with the next life. */
    @Override
    public Future<?> stop() {
        return shipping ? Future.succeededFuture() : ship().otherwiseEmpty();
    }

    private void tick() {
        if (shipping) {
            return;
        }
        shipping = true;
        ship().onComplete(done -> {
            shipping = false;
            if (done.succeeded()) {
                told = false;
            } else if (!told) {
                told = true; // once for each time that it fails, and not twice a second
                LOG.warn("spend can not be shipped now; it waits in the journal", done.cause());
            }
        });
    }

    private Future<Void> ship() {
        Future<Void> begun = reader != null
                ? Future.succeededFuture()
                : bus.request(
                                Address.SPEND_POSITIONS,
                                new AskSpendPosition(node, journal.id()),
                                SpendStored.class,
                                ANSWER_MAX)
                        .compose(this::begin);
        return begun.compose(done -> next()).onFailure(failure -> readBy(null));
    }

    private Future<Void> begin(SpendStored stored) {
        shippedSeq = stored.seq();
        return readBy(journal.reader(stored.seq()));
    }

    /** The reader before it gives its file back. */
    private Future<Void> readBy(JournalReader next) {
        JournalReader before = reader;
        reader = next;
        return before == null
                ? Future.succeededFuture()
                : vertx.executeBlocking(() -> {
                    before.close();
                    return null;
                });
    }

    private Future<Void> next() {
        JournalReader from = reader;
        return vertx.executeBlocking(() -> read(from)).compose(lines -> {
            if (lines.upToSeq() == shippedSeq) {
                return Future.succeededFuture();
            }
            SpendShipped shipped = new SpendShipped(node, journal.id(), shippedSeq, lines.upToSeq(), lines.entries());
            return bus.request(Address.SPEND, shipped, SpendStored.class, ANSWER_MAX)
                    .compose(stored -> stored(stored, lines))
                    .compose(more -> more ? next() : Future.succeededFuture());
        });
    }

    /** Some lines of the journal, and what of them is finance's. */
    private record Lines(long upToSeq, boolean full, List<SpendEntry> entries) {}

    private Lines read(JournalReader from) throws IOException {
        List<JournalRecord> found = from.next(LINES_MAX);
        List<SpendEntry> entries = new ArrayList<>();
        for (JournalRecord each : found) {
            if (each.type() == LineKind.SETTLED.number()
                    && LedgerLine.read(each) instanceof Settled settled
                    && !settled.facts().charges().isEmpty()) {
                entries.add(new SpendEntry(each.seq(), settled.facts()));
            }
        }
        long upTo = found.isEmpty() ? shippedSeq : found.get(found.size() - 1).seq();
        return new Lines(upTo, found.size() == LINES_MAX, entries);
    }

    /** Whether there is more to ship at once. */
    private Future<Boolean> stored(SpendStored stored, Lines lines) {
        if (stored.seq() != lines.upToSeq()) {
            LOG.warn("finance has the journal up to line {} and not {}: shipping from there", stored.seq(), shippedSeq);
            return begin(stored).map(false);
        }
        shippedSeq = stored.seq();
        return vertx.executeBlocking(() -> journal.forget(Math.min(shippedSeq + 1, journal.neededFrom())))
                .map(deleted -> lines.full());
    }
}
