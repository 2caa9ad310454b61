package io.sluice.data.money.journal;

import io.sluice.data.money.LedgerRecord.Settled;
import io.sluice.tenants.ledger.SpendTally;
import org.slf4j.LoggerFactory;

/**
 * What the newest lines say of spend, summed up as they become durable, so that nobody has to read them again. Bounded: where nobody
 * fetches it in time it is given up, and those lines are read from the file. Thread-safe; the journal's thread waits for nobody longer
 * than two fields are exchanged.
 */
final class SpendTail implements Journal.Follower {
    /** Some 100 bytes each; twice of what a node at its limit makes between two shipments. */
    static final int REQUESTS_MAX = 32_768;

    private long after;
    private long upTo;
    private SpendTally tally = new SpendTally();

    /** @param durableSeq last line on disk: the tail begins behind it */
    SpendTail(long durableSeq) {
        after = durableSeq;
        upTo = durableSeq;
    }

    /**
     * Lines as finance wants them.
     *
     * @param afterSeq the last line before them
     * @param upToSeq the last one of them
     * @param newest whether these were the last ones there are
     */
    record Lines(long afterSeq, long upToSeq, SpendTally tally, boolean newest) {}

    @Override
    public synchronized void durable(long seq, Body body) {
        upTo = seq;
        if (tally == null
                || !(body instanceof LedgerLine ledger)
                || !(ledger.line() instanceof Settled settled)
                || settled.facts() == null) {
            return;
        }
        if (tally.requests() == REQUESTS_MAX) {
            tally = null;
            return;
        }
        try {
            tally.add(seq, settled.facts());
        } catch (RuntimeException bug) {
            tally = null;
            LoggerFactory.getLogger(SpendTail.class).error("line {} could not be summed up", seq, bug);
        }
    }

    /**
     * Everything after {@code position}, which leaves the tail; null where it has not all of that. Where it has none of it either, it
     * begins anew behind the last durable line.
     */
    synchronized Lines take(long position) {
        if (tally == null || position > after) {
            after = upTo;
            tally = new SpendTally();
        }
        if (position != after) {
            return null;
        }
        Lines lines = new Lines(after, upTo, tally, true);
        after = upTo;
        tally = new SpendTally();
        return lines;
    }

    /** The last line that has to be read from the file. */
    synchronized long after() {
        return after;
    }
}
