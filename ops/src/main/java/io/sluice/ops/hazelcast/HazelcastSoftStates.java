package io.sluice.ops.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.sluice.plugins.bus.SoftStates;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Soft states in a map of the cluster for each kind, with two backups. A change fails where fewer nodes than a majority see each
 * other, where the backups did not take it, and after {@value #ANSWER_MS_MAX} ms; it may have been made then, and is simply made again.
 * Thread-safe; nothing blocks; futures complete on the caller's context.
 */
final class HazelcastSoftStates implements SoftStates {
    /** Whoever saves saves again within seconds; what takes longer hangs on a member that is going. */
    private static final int ANSWER_MS_MAX = 2_000;

    private final HazelcastInstance hazelcast;
    private final Vertx vertx;
    private final Executor executor;

    /**
     * Over the maps of {@code hazelcast}.
     *
     * @param executor takes what blocks and every completion: Hazelcast's own choice starts a thread for each where cores are few
     */
    HazelcastSoftStates(HazelcastInstance hazelcast, Vertx vertx, Executor executor) {
        this.hazelcast = hazelcast;
        this.vertx = vertx;
        this.executor = executor;
    }

    @Override
    public Future<Void> save(String kind, String key, Versioned state) {
        return later(() -> of(kind).submitToKey(key, new KeepNewer(new StoredState(state))))
                .mapEmpty();
    }

    @Override
    public Future<Map<String, Versioned>> all(String kind) {
        return later(() -> {
            Map<String, Versioned> found = new HashMap<>();
            of(kind).entrySet()
                    .forEach(entry -> found.put(entry.getKey(), entry.getValue().state()));
            return CompletableFuture.completedStage(Map.copyOf(found));
        });
    }

    @Override
    public Future<Void> remove(String kind, String key) {
        return later(() -> of(kind).removeAsync(key)).mapEmpty();
    }

    private IMap<String, StoredState> of(String kind) {
        return hazelcast.getMap(MemberConfig.STATES + kind);
    }

    private <T> Future<T> later(Supplier<CompletionStage<T>> operation) {
        CompletableFuture<T> done = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                operation.get().whenCompleteAsync((result, failure) -> finish(done, result, failure), executor);
            } catch (RuntimeException refused) {
                done.completeExceptionally(refused);
            }
        });
        return Future.fromCompletionStage(done, vertx.getOrCreateContext())
                .timeout(ANSWER_MS_MAX, TimeUnit.MILLISECONDS);
    }

    private static <T> void finish(CompletableFuture<T> done, T result, Throwable failure) {
        if (failure == null) {
            done.complete(result);
        } else {
            done.completeExceptionally(failure);
        }
    }
}
