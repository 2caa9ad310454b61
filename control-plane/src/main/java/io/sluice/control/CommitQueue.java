package io.sluice.control;

import io.sluice.control.store.ConfigStore;
import io.sluice.control.store.StoredWrite;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.routing.Snapshot;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * What was decided and is on its way to the disk. While one batch is written the next gathers, so that many commands share
 * one fsync; when a batch fails, everything decided on top of it fails too. Used on one context only.
 */
final class CommitQueue {
    /** More than a disk writes in a minute: whoever still comes should hear that it is too much. */
    static final int WAITING_MAX = 4_096;

    /** Bounds how long the first of a batch waits for the last. */
    private static final int BATCH_MAX = 256;

    /**
     * One decision.
     *
     * @param after configuration once it is stored
     * @param snapshot of that configuration
     * @param done called once: with null when it is stored and serves, else with the reason
     */
    record Entry(Configuration after, Snapshot snapshot, StoredWrite write, Runnable serve, Consumer<Throwable> done) {}

    private final ConfigStore store;
    private final Context context;
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private Configuration stored;
    private Configuration head;
    private Snapshot storedSnapshot;
    private Snapshot headSnapshot;
    private boolean writing;
    private Promise<Void> drained;

    CommitQueue(ConfigStore store, Context context, Configuration stored, Snapshot snapshot) {
        this.store = store;
        this.context = context;
        this.stored = stored;
        storedSnapshot = snapshot;
        head = stored;
        headSnapshot = snapshot;
    }

    /** The configuration on which the next decision is made. */
    Configuration head() {
        return head;
    }

    Snapshot headSnapshot() {
        return headSnapshot;
    }

    /** The last configuration that is on disk. */
    Configuration stored() {
        return stored;
    }

    Snapshot storedSnapshot() {
        return storedSnapshot;
    }

    boolean full() {
        return waiting.size() >= WAITING_MAX;
    }

    void add(Entry entry) {
        head = entry.after();
        headSnapshot = entry.snapshot();
        waiting.add(entry);
        pump();
    }

    private void pump() {
        if (writing || waiting.isEmpty()) {
            if (!writing && drained != null) {
                drained.tryComplete();
            }
            return;
        }
        List<Entry> batch = new ArrayList<>();
        while (!waiting.isEmpty() && batch.size() < BATCH_MAX) {
            batch.add(waiting.poll());
        }
        writing = true;
        store.append(batch.stream().map(Entry::write).toList())
                .onComplete(result -> context.runOnContext(now -> onStored(batch, result)));
    }

    private void onStored(List<Entry> batch, AsyncResult<Void> result) {
        writing = false;
        if (result.succeeded()) {
            for (Entry entry : batch) {
                stored = entry.after();
                storedSnapshot = entry.snapshot();
                entry.serve().run();
                entry.done().accept(null);
            }
        } else {
            List<Entry> lost = new ArrayList<>(batch);
            lost.addAll(waiting);
            waiting.clear();
            head = stored;
            headSnapshot = storedSnapshot;
            lost.forEach(entry -> entry.done().accept(result.cause()));
        }
        pump();
    }

    /** Completes when nothing waits any more. */
    Future<Void> drain() {
        drained = Promise.promise();
        pump();
        return drained.future();
    }
}
