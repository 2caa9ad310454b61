package io.sluice.data.money.journal;

import io.sluice.data.money.JournalTotals;
import io.sluice.data.money.LedgerJournal;
import io.sluice.data.money.LedgerRecord;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The ledger's lines in the node's {@link Journal}, with its promises. Futures complete on the context of whoever called. */
public final class FileLedgerJournal implements LedgerJournal, AutoCloseable {
    private final Journal journal;
    private final SpendTail tail;

    private FileLedgerJournal(Journal journal, SpendTail tail) {
        this.journal = journal;
        this.tail = tail;
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
        AtomicReference<SpendTail> tail = new AtomicReference<>();
        Journal journal = Journal.open(
                files,
                settings,
                found -> LedgerLine.read(found).ifPresent(line -> {
                    summary.read(line);
                    replay.accept(line);
                }),
                summary,
                lastSeq -> {
                    tail.set(new SpendTail(lastSeq));
                    return tail.get();
                },
                onClosed);
        return new FileLedgerJournal(journal, tail.get());
    }

    @Override
    public void append(LedgerRecord line) {
        journal.append(new LedgerLine(line), (seq, why) -> {});
    }

    @Override
    public void append(LedgerRecord line, Consumer<Throwable> onLost) {
        journal.append(new LedgerLine(line), (seq, why) -> {
            if (why != null) {
                onLost.accept(why);
            }
        });
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

    /** What the newest lines say of spend. */
    SpendTail tail() {
        return tail;
    }

    /** Writes what waits and closes; blocks until that is done. */
    @Override
    public void close() {
        journal.close();
    }
}
