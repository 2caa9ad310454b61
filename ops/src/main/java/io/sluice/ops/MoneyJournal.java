package io.sluice.ops;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.data.DataPlane;
import io.sluice.data.money.JournalTotals;
import io.sluice.data.money.LedgerJournal;
import io.sluice.data.money.journal.DirectoryFiles;
import io.sluice.data.money.journal.FileLedgerJournal;
import io.sluice.data.money.journal.Journal;
import io.sluice.data.money.journal.JournalClosedException;
import io.sluice.data.money.journal.JournalSettings;
import io.sluice.data.money.journal.OutboxActor;
import io.sluice.plugins.bus.Bus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's journal of money in the data directory, with what hangs on it: the right to spend, the shipping to finance, metrics. */
final class MoneyJournal {
    private static final Logger LOG = LoggerFactory.getLogger(MoneyJournal.class);

    private final JournalTotals lives = new JournalTotals();
    private final AtomicReference<DataPlane> spender = new AtomicReference<>();
    private final FileLedgerJournal ledger;

    private MoneyJournal(Path directory, JournalSettings settings) throws IOException {
        ledger = FileLedgerJournal.open(new DirectoryFiles(directory), settings, lives::read, this::onClosed);
    }

    /**
     * Opens it, or makes it. Blocks while it reads all of it.
     *
     * @throws StartFailedException where it is damaged, written by a newer release, or can not be read or made
     */
    static MoneyJournal open(Path dataDir, JournalSettings settings) throws StartFailedException {
        try {
            MoneyJournal opened = new MoneyJournal(directory(dataDir), settings);
            long torn = opened.ledger.journal().tornBytes();
            if (torn > 0) {
                LOG.warn(
                        "{} bytes of a write that a crash cut off were removed from the journal; nobody was told they were safe",
                        torn);
            }
            return opened;
        } catch (IOException | IllegalArgumentException unusable) {
            throw new StartFailedException(unusable.getMessage(), unusable);
        }
    }

    /** Where it is. */
    static Path directory(Path dataDir) {
        return dataDir.resolve("journal");
    }

    LedgerJournal ledger() {
        return ledger;
    }

    /** What the lives of this node before this one had. */
    JournalTotals lives() {
        return lives;
    }

    /** From now on {@code data} stops spending when the journal closes itself; at once where it has. */
    void watchedBy(DataPlane data) {
        spender.set(data);
        JournalClosedException cause = ledger.journal().closedBy();
        if (cause != null) {
            data.stopSpending(cause.getMessage());
        }
    }

    private void onClosed(JournalClosedException cause) {
        LOG.error("nothing is spent under caps by this node until it is started again", cause);
        DataPlane data = spender.get();
        if (data != null) {
            data.stopSpending(cause.getMessage());
        }
    }

    /** Ships what is spent to finance; the result stops that, after a last shipment. */
    Future<String> ship(Vertx vertx, String node, MeterRegistry registry) {
        Journal journal = ledger.journal();
        OutboxActor outbox = new OutboxActor(new Bus(vertx), node, ledger);
        Gauge.builder("sluice.journal.waiting", journal, Journal::waiting)
                .description("Records that wait for the disk")
                .register(registry);
        Gauge.builder("sluice.journal.closed", journal, each -> each.closedBy() == null ? 0 : 1)
                .description("1 where the journal closed itself, so that nothing is spent under caps")
                .register(registry);
        Gauge.builder("sluice.journal.torn.bytes", journal, Journal::tornBytes)
                .description("Bytes of a write that was cut off by a crash, removed at the start")
                .register(registry);
        Gauge.builder("sluice.spend.unshipped", outbox, each -> journal.durableSeq() - each.shippedSeq())
                .description("Lines of the journal that finance does not have yet")
                .register(registry);
        return vertx.deployVerticle(outbox);
    }

    /** Writes what waits and closes; returns when that is done. */
    void close() {
        ledger.close();
    }
}
