package io.sluice.control.owner;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an actor holds of the keys that its node owns. A key that the node comes to own is held once what the owner before stored has been
 * read, so that the new owner goes on from there; where the store does not answer it is held without. Of one event loop.
 *
 * @param <K> what is owned
 */
public final class Takeover<K> {
    private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);

    private final Context loop;
    private final Predicate<K> mine;
    private final Supplier<Future<?>> load;
    private final Set<K> held = new HashSet<>();
    private boolean loading;

    /**
     * @param mine whether this node owns a key now
     * @param load reads what was stored; what it does with it is done on any thread, before the future completes
     */
    public Takeover(Context loop, Predicate<K> mine, Supplier<Future<?>> load) {
        this.loop = loop;
        this.mine = mine;
        this.load = load;
    }

    /** Lets go of what is another node's, begins to take over what is this node's, and runs {@code then}: when all is held, or at once
     * where that takes longer than this call and an earlier one has not ended. */
    public void take(Collection<K> keys, Runnable then) {
        held.removeIf(mine.negate());
        List<K> strangers =
                keys.stream().filter(key -> !held.contains(key)).filter(mine).toList();
        if (strangers.isEmpty() || loading) {
            then.run();
            return;
        }
        loading = true;
        on(loop, load.get()).onComplete(loaded -> {
            if (loaded.failed()) {
                LOG.warn(
                        "taken over without what its last owner stored: {} and others",
                        strangers.get(0),
                        loaded.cause());
            }
            loading = false;
            held.addAll(strangers);
            then.run();
        });
    }

    /** Whether this node owns {@code key} and knows what there is to know of it. */
    public boolean holds(K key) {
        return held.contains(key) && mine.test(key);
    }

    /** The same future, completing on {@code loop}: stores complete on threads of their own. */
    public static <T> Future<T> on(Context loop, Future<T> future) {
        Promise<T> promise = Promise.promise();
        future.onComplete(result -> loop.runOnContext(now -> promise.handle(result)));
        return promise.future();
    }
}
