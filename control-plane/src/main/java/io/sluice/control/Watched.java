package io.sluice.control;

import io.sluice.control.api.ClusterMember;
import io.sluice.control.api.ControlPlaneApi.Subscription;
import io.sluice.control.api.EpochEvent;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.BusMessage.PoolHealthsMerged;
import io.sluice.tenants.routing.PublishedWeights;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last of everything that people watch, written by {@link WatchActor}, {@link PresenceActor} and the routing actor, and read from any thread. */
final class Watched {
    private static final Logger LOG = LoggerFactory.getLogger(Watched.class);

    private final Map<ScopedId, PoolHealthMerged> health = new ConcurrentHashMap<>();
    private final Map<String, ClusterMember> members = new ConcurrentHashMap<>();
    private final Collection<Consumer<PoolHealthMerged>> healthListeners = new CopyOnWriteArrayList<>();
    private final Collection<Consumer<EpochEvent>> epochListeners = new CopyOnWriteArrayList<>();
    private volatile PublishedWeights weights = PublishedWeights.NONE;

    PublishedWeights weights() {
        return weights;
    }

    void weights(PublishedWeights newer) {
        weights = newer;
    }

    Map<ScopedId, PoolHealthMerged> health() {
        return health;
    }

    void health(PoolHealthsMerged merged) {
        for (PoolHealthMerged pool : merged.pools()) {
            health.put(pool.pool(), pool);
            if (!merged.repeated()) {
                tell(healthListeners, pool);
            }
        }
    }

    void epoch(EpochEvent event) {
        tell(epochListeners, event);
    }

    /** Those of {@code nodes} that told of themselves, by id. */
    List<ClusterMember> members(Set<String> nodes) {
        return members.values().stream()
                .filter(member -> nodes.contains(member.id()))
                .sorted(java.util.Comparator.comparing(ClusterMember::id))
                .toList();
    }

    /** Forgets who is not among {@code nodes}. */
    void retain(Set<String> nodes) {
        members.keySet().retainAll(nodes);
    }

    void member(ClusterMember member) {
        members.put(member.id(), member);
    }

    Subscription onHealth(Consumer<PoolHealthMerged> listener) {
        return subscribe(healthListeners, listener);
    }

    Subscription onEpoch(Consumer<EpochEvent> listener) {
        return subscribe(epochListeners, listener);
    }

    /** Each subscription is a consumer of its own, so that closing one never ends another of the same listener. */
    private static <T> Subscription subscribe(Collection<Consumer<T>> listeners, Consumer<T> listener) {
        Consumer<T> own = event -> listener.accept(event);
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    private static <T> void tell(Collection<Consumer<T>> listeners, T event) {
        for (Consumer<T> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException bugOfTheListener) {
                LOG.error("a subscriber failed", bugOfTheListener);
            }
        }
    }
}
