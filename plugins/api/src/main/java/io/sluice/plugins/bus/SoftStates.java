package io.sluice.plugins.bus;

import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * State that owners work with and that the next owner goes on from: health, weights, shifts. It is nobody's only truth: where it is
 * lost it comes again from reports within seconds. The higher version wins, also when two parts of a cluster meet again.
 * Thread-safe; nothing blocks.
 */
public interface SoftStates {
    /**
     * One state.
     *
     * @param version grows with every change
     */
    record Versioned(long version, String json) {}

    /** Keeps {@code state} unless a state of the same or a higher version is there; completes when other nodes have it. */
    Future<Void> save(String kind, String key, Versioned state);

    /** Everything of one kind, by key. */
    Future<Map<String, Versioned>> all(String kind);

    /** Forgets a state of something that is no more. */
    Future<Void> remove(String kind, String key);

    /** In the memory of the only node. */
    final class InMemory implements SoftStates {
        private final Map<String, Map<String, Versioned>> kinds = new ConcurrentHashMap<>();

        @Override
        public Future<Void> save(String kind, String key, Versioned state) {
            of(kind).merge(key, state, (before, now) -> now.version() > before.version() ? now : before);
            return Future.succeededFuture();
        }

        @Override
        public Future<Map<String, Versioned>> all(String kind) {
            return Future.succeededFuture(Map.copyOf(of(kind)));
        }

        @Override
        public Future<Void> remove(String kind, String key) {
            of(kind).remove(key);
            return Future.succeededFuture();
        }

        private Map<String, Versioned> of(String kind) {
            return kinds.computeIfAbsent(kind, made -> new ConcurrentHashMap<>());
        }
    }
}
