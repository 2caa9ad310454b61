package io.sluice.control;

import io.sluice.control.store.ConfigStore;
import io.sluice.control.store.StoreConflictException;
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
 * What was decided and is on its way to the store. While one batch is written the next gathers, so that many commands share
 * one fsync; when a batch fails, everything decided on top of it fails too. Where another node wrote first, what it wrote is
 * taken over and everything that waits is decided anew. Used on one context only.
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
     * @param done called once, unless {@code again} is: with null when it is stored and serves, else with the reason
     * @param again decides anew on {@link #head}, because another node wrote first
     */
    record Entry(
            Configuration after,
            Snapshot snapshot,
            StoredWrite write,
            Runnable serve,
            Consumer<Throwable> done,
            Runnable again) {}

    private final ConfigStore store;
    private final Context context;
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private final Consumer<ConfigStore.Update> adopt;
    private long position;
    private Configuration stored;
    private Configuration head;
    private Snapshot storedSnapshot;
    private Snapshot headSnapshot;
    private boolean writing;
    private Promise<Void> drained;

    /**
     * A queue on top of what is stored.
     *
     * @param adopt called with what another node stored; calls {@link #reset}, or throws where this node can not serve it
     */
    CommitQueue(
            ConfigStore store,
            Context context,
            Configuration stored,
            Snapshot snapshot,
            Consumer<ConfigStore.Update> adopt) {
        this.store = store;
        this.context = context;
        this.adopt = adopt;
        reset(store.position(), stored, snapshot);
    }

    /** What is stored now was stored by another node. */
    void reset(long at, Configuration configuration, Snapshot snapshot) {
        position = at;
        stored = configuration;
        storedSnapshot = snapshot;
        head = configuration;
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
        store.append(position, batch.stream().map(Entry::write).toList())
                .onComplete(result -> context.runOnContext(now -> onStored(batch, result)));
    }

    private void onStored(List<Entry> batch, AsyncResult<Long> result) {
        if (result.cause() instanceof StoreConflictException) {
            follow(batch, failure -> {});
            return;
        }
        writing = false;
        if (result.succeeded()) {
            position = result.result();
            for (Entry entry : batch) {
                stored = entry.after();
                storedSnapshot = entry.snapshot();
                entry.serve().run();
                entry.done().accept(null);
            }
        } else {
            lost(batch).forEach(entry -> entry.done().accept(result.cause()));
        }
        pump();
    }

    /** Nothing waits any more, and the next decision stands on what is stored. */
    private List<Entry> lost(List<Entry> batch) {
        List<Entry> lost = new ArrayList<>(batch);
        lost.addAll(waiting);
        waiting.clear();
        head = stored;
        headSnapshot = storedSnapshot;
        return lost;
    }

    /**
     * Takes over what other nodes stored, unless something is being written, which would find it out.
     *
     * @param done called with null, or with the reason why nothing is known of them
     */
    void follow(Consumer<Throwable> done) {
        if (writing) {
            return;
        }
        writing = true;
        follow(List.of(), done);
    }

    private void follow(List<Entry> batch, Consumer<Throwable> done) {
        store.newer(position)
                .onComplete(found -> context.runOnContext(now -> {
                    Throwable failure = found.cause();
                    if (found.succeeded() && found.result().isPresent()) {
                        try {
                            adopt.accept(found.result().get());
                        } catch (RuntimeException canNotServe) {
                            failure = canNotServe;
                        }
                    }
                    writing = false;
                    boolean moved = failure == null && found.result().isPresent();
                    if (moved || !batch.isEmpty()) {
                        decideAgain(lost(batch), failure);
                    }
                    done.accept(failure);
                    pump();
                }));
    }

    private static void decideAgain(List<Entry> entries, Throwable failure) {
        for (Entry entry : entries) {
            if (failure == null) {
                entry.again().run();
            } else {
                entry.done().accept(failure);
            }
        }
    }

    /** Completes when nothing waits any more. */
    Future<Void> drain() {
        drained = Promise.promise();
        pump();
        return drained.future();
    }
}
