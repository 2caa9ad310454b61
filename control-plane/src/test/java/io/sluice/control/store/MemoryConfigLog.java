package io.sluice.control.store;

import io.sluice.control.api.AuditEntry;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A log in memory that fails as a real one does. Thread-safe. */
public final class MemoryConfigLog implements ConfigLog {
    private final List<String> batches = new ArrayList<>();
    private final AtomicInteger answersLost = new AtomicInteger();
    private volatile boolean away;
    private volatile int kept = Integer.MAX_VALUE;
    private String secret;

    /** From now on nothing gets there, or everything does. */
    public void away(boolean now) {
        away = now;
    }

    /** The next {@code count} appends are done and their answers lost. */
    public void loseAnswers(int count) {
        answersLost.set(count);
    }

    /** Only the last {@code count} batches are kept one by one. */
    public void keep(int count) {
        kept = count;
    }

    /** Forgets the newest batches, as a backup that was restored does. */
    public synchronized void restore(int count) {
        batches.subList(count, batches.size()).clear();
    }

    public synchronized int size() {
        return batches.size();
    }

    @Override
    public synchronized Future<Void> claim(String secretCheck) {
        if (away) {
            return gone();
        }
        secret = secret == null ? secretCheck : secret;
        return secret.equals(secretCheck)
                ? Future.succeededFuture()
                : Future.failedFuture(new StoreException("another SLUICE_SECRET_KEY"));
    }

    @Override
    public synchronized Future<Appended> append(ConfigBatch batch) {
        if (away) {
            return gone();
        }
        if (batch.position() <= batches.size()) {
            boolean own = read((int) batch.position()).id().equals(batch.id());
            return Future.succeededFuture(own ? Appended.DONE : Appended.BEHIND);
        }
        if (batch.position() != batches.size() + 1) {
            return Future.failedFuture(new StoreException("a gap"));
        }
        try {
            batches.add(StrictJson.MAPPER.writeValueAsString(batch));
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        return answersLost.getAndUpdate(left -> Math.max(0, left - 1)) > 0
                ? gone()
                : Future.succeededFuture(Appended.DONE);
    }

    private ConfigBatch read(int position) {
        try {
            return StrictJson.MAPPER.readValue(batches.get(position - 1), ConfigBatch.class);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Override
    public synchronized Future<Page> since(long position) {
        if (away) {
            return gone();
        }
        List<ConfigBatch> next = new ArrayList<>();
        if (position >= batches.size() - (long) kept) {
            for (int at = (int) position + 1; at <= batches.size(); at++) {
                next.add(read(at));
            }
        }
        boolean known = position > 0 && position <= batches.size() && position > batches.size() - (long) kept;
        return Future.succeededFuture(
                new Page(batches.size(), known ? read((int) position).id() : null, next));
    }

    @Override
    public synchronized Future<ConfigWhole> whole() {
        if (away) {
            return gone();
        }
        Map<String, ConfigRow> rows = new LinkedHashMap<>();
        List<AuditEntry> audit = new ArrayList<>();
        for (int at = 1; at <= batches.size(); at++) {
            ConfigBatch batch = read(at);
            batch.rows().forEach(row -> rows.put(row.kind() + "|" + row.owner() + "|" + row.id(), row));
            audit.addAll(batch.audit());
        }
        ConfigBatch last = read(batches.size());
        return Future.succeededFuture(
                new ConfigWhole(last.position(), last.id(), last.epoch(), List.copyOf(rows.values()), audit));
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }

    private static <T> Future<T> gone() {
        return Future.failedFuture(new IllegalStateException("away"));
    }
}
