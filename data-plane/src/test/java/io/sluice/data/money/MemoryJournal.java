package io.sluice.data.money;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** A journal whose disk is a list: what was not synced when it crashes is lost, but for a random part of it. One thread. */
final class MemoryJournal implements LedgerJournal {
    private final List<LedgerRecord> disk = new ArrayList<>();
    private final List<Entry> buffer = new ArrayList<>();
    private final Set<String> acknowledged = new HashSet<>();
    private boolean failed;

    private record Entry(LedgerRecord line, Promise<Void> promise) {}

    @Override
    public void append(LedgerRecord line) {
        if (!failed) {
            buffer.add(new Entry(line, null));
        }
    }

    @Override
    public Future<Void> commit(LedgerRecord line) {
        if (failed) {
            return Future.failedFuture("the journal has failed");
        }
        Promise<Void> promise = Promise.promise();
        buffer.add(new Entry(line, promise));
        return promise.future();
    }

    boolean hasUnsynced() {
        return !buffer.isEmpty();
    }

    /** Makes everything durable that was given so far. */
    void sync() {
        List<Entry> written = List.copyOf(buffer);
        buffer.clear();
        written.forEach(entry -> disk.add(entry.line()));
        for (Entry entry : written) {
            if (entry.promise() != null) {
                if (entry.line() instanceof LedgerRecord.Settled settled) {
                    acknowledged.add(settled.requestId());
                }
                entry.promise().complete();
            }
        }
    }

    /** The process is gone: of what was not synced a random prefix was written; nobody hears of it. */
    void crash(SplittableRandom random) {
        int kept = random.nextInt(buffer.size() + 1);
        for (int i = 0; i < kept; i++) {
            disk.add(buffer.get(i).line());
        }
        buffer.clear();
    }

    /** The disk is full, or broken. */
    void fail() {
        failed = true;
        List<Entry> lost = List.copyOf(buffer);
        buffer.clear();
        lost.forEach(entry -> {
            if (entry.promise() != null) {
                entry.promise().fail("the journal has failed");
            }
        });
    }

    void replaced() {
        failed = false;
    }

    /** What a life that begins now reads. */
    JournalTotals read() {
        JournalTotals totals = new JournalTotals();
        disk.forEach(totals::read);
        return totals;
    }

    List<LedgerRecord> disk() {
        return disk;
    }

    /** Settles that were said to be durable. */
    Set<String> acknowledged() {
        return acknowledged;
    }
}
