package io.sluice.data.money.journal;

import io.sluice.data.money.LedgerRecord.Settled;
import io.sluice.data.money.journal.SpendTail.Lines;
import io.sluice.tenants.ledger.SpendTally;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * What a journal says of spend, from any line on: the newest lines from the {@link SpendTail}, those before it from the file. Used by one
 * thread at a time, and not by event loops.
 */
final class SpendSource implements Closeable {
    /** Bounds what is read at once. */
    private static final int LINES_MAX = 2_048;

    private final Journal journal;
    private final SpendTail tail;
    private JournalReader reader;

    SpendSource(Journal journal, SpendTail tail) {
        this.journal = journal;
        this.tail = tail;
    }

    /** The lines after {@code position}, or some of them; they end where they begin where there are none. */
    Lines next(long position) throws IOException {
        Lines newest = tail.take(position);
        if (newest != null) {
            close();
            return newest;
        }
        if (reader == null) {
            reader = journal.reader(position);
        }
        List<JournalRecord> found = reader.next(LINES_MAX, tail.after());
        SpendTally tally = new SpendTally();
        for (JournalRecord each : found) {
            if (each.type() == LineKind.SETTLED.number()
                    && LedgerLine.read(each).orElse(null) instanceof Settled settled
                    && settled.facts() != null) {
                tally.add(each.seq(), settled.facts());
            }
        }
        long upTo = found.isEmpty() ? position : found.get(found.size() - 1).seq();
        return new Lines(position, upTo, tally, false);
    }

    /** Gives its file back; it may be used again, from another line on. */
    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
