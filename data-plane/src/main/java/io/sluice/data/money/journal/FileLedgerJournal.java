package io.sluice.data.money.journal;

import io.sluice.data.money.JournalTotals;
import io.sluice.data.money.LedgerJournal;
import io.sluice.data.money.LedgerRecord;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** The ledger's lines in the node's {@link Journal}, with its promises. Futures complete on the context of whoever called. */
public final class FileLedgerJournal implements LedgerJournal, AutoCloseable {
    private final Journal journal;

    private FileLedgerJournal(Journal journal) {
        this.journal = journal;
    }

    /**
     * Opens it. Blocks while it reads all of it: not for event loops.
     *
     * @param replay hears every line there is, oldest first, before this returns
     * @param onClosed hears once, on any thread, that the journal takes nothing any more: from then on the node may not spend
     * @throws DamagedJournalException where a line that was acknowledged can not be read
     * @throws IllegalArgumentException where a newer release wrote it
     */
    public static FileLedgerJournal open(
            SegmentFiles files,
            JournalSettings settings,
            Consumer<LedgerRecord> replay,
            Consumer<JournalClosedException> onClosed)
            throws IOException {
        LedgerSummary summary = new LedgerSummary();
        return new FileLedgerJournal(Journal.open(
                files,
                settings,
                found -> {
                    LedgerRecord line = LedgerLine.read(found);
                    summary.read(line);
                    replay.accept(line);
                },
                summary,
                onClosed));
    }

    @Override
    public void append(LedgerRecord line) {
        journal.append(new LedgerLine(line));
    }

    @Override
    public Future<Void> commit(LedgerRecord line) {
        Context caller = Vertx.currentContext();
        var done = journal.append(new LedgerLine(line));
        return (caller == null ? Future.fromCompletionStage(done) : Future.fromCompletionStage(done, caller))
                .mapEmpty();
    }

    /** The sums of all accounts that are not forgotten. */
    private static final class LedgerSummary implements Summary {
        private final JournalTotals totals = new JournalTotals();

        void read(LedgerRecord line) {
            totals.read(line);
        }

        @Override
        public void read(Body body) {
            read(((LedgerLine) body).line());
        }

        @Override
        public List<LedgerLine> records() {
            return totals.checkpoint().stream().map(LedgerLine::new).toList();
        }
    }

    /** For what is no line's business: whether it takes more, readers, old segments, metrics. */
    public Journal journal() {
        return journal;
    }

    /** Writes what waits and closes; blocks until that is done. */
    @Override
    public void close() {
        journal.close();
    }
}
