package io.sluice.control.spend;

import io.sluice.control.spend.SpendLogEntry.Began;
import io.sluice.control.spend.SpendLogEntry.Shipped;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A log in memory that fails as a real one does. Thread-safe. */
public final class MemorySpendLog implements SpendLog {
    private record Kept(String id, Buffer entry) {}

    private final List<Kept> entries = new ArrayList<>();
    private final Map<String, Long> places = new HashMap<>();
    private final AtomicInteger answersLost = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private volatile boolean away;
    private volatile int kept = Integer.MAX_VALUE;
    private volatile int page = 16;

    /** From now on nothing gets there, or everything does. */
    public void away(boolean now) {
        away = now;
    }

    /** The next {@code count} appends are done and their answers lost. */
    public void loseAnswers(int count) {
        answersLost.set(count);
    }

    /** Only the last {@code count} entries are kept. */
    public void keep(int count) {
        kept = count;
    }

    /** So many entries are read at once. */
    public void page(int size) {
        page = size;
    }

    /** Forgets the newest entries, as a backup that was restored does. */
    public synchronized void restore(int count) {
        entries.subList(count, entries.size()).clear();
    }

    public synchronized int size() {
        return entries.size();
    }

    /** How often it was read. */
    public int reads() {
        return reads.get();
    }

    @Override
    public synchronized Future<Long> place(String node, long journal) {
        return away ? gone() : Future.succeededFuture(places.getOrDefault(node + "|" + journal, 0L));
    }

    @Override
    public synchronized Future<Long> ship(Shipped entry) {
        if (away) {
            return gone();
        }
        SpendShipped shipped = entry.shipped();
        String key = shipped.node() + "|" + shipped.journal();
        long place = places.getOrDefault(key, 0L);
        if (shipped.afterSeq() == place && shipped.upToSeq() > place) {
            add(entry);
            place = shipped.upToSeq();
            places.put(key, place);
        }
        long answer = place;
        return answered().map(done -> answer);
    }

    @Override
    public synchronized Future<Void> append(SpendLogEntry entry) {
        if (away) {
            return gone();
        }
        add(entry);
        return answered();
    }

    /** Puts an entry there that a careful log would not: for copies that have to be careful themselves. */
    public synchronized void add(SpendLogEntry entry) {
        entries.add(new Kept(UUID.randomUUID().toString(), Buffer.buffer(SpendLogForm.write(entry))));
    }

    private Future<Void> answered() {
        return answersLost.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? gone() : Future.succeededFuture();
    }

    @Override
    public synchronized Future<Void> begin(String id, Began began, List<Place> begun) {
        if (away) {
            return gone();
        }
        if (entries.isEmpty()) {
            entries.add(new Kept(id, Buffer.buffer(SpendLogForm.write(began))));
            begun.forEach(each -> places.put(each.node() + "|" + each.journal(), each.seq()));
        }
        return answered();
    }

    @Override
    public synchronized Future<Page> since(long position) {
        reads.incrementAndGet();
        if (away) {
            return gone();
        }
        long first = Math.max(1, entries.size() - (long) kept + 1);
        List<Logged> next = new ArrayList<>();
        for (long at = Math.max(first, position + 1); at <= entries.size() && next.size() < page; at++) {
            Kept each = entries.get((int) at - 1);
            next.add(new Logged(at, each.id(), SpendLogForm.read(each.entry().getBytes())));
        }
        boolean there = position >= first && position <= entries.size();
        return Future.succeededFuture(
                new Page(entries.size(), there ? entries.get((int) position - 1).id() : null, next));
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }

    private static <T> Future<T> gone() {
        return Future.failedFuture(new IllegalStateException("away"));
    }
}
