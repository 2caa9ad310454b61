package io.sluice.ops;

import io.sluice.control.ControlPlaneSettings;
import io.sluice.control.ControlStores;
import io.sluice.control.spend.BusSpendCopies;
import io.sluice.control.spend.SharedSpendStore;
import io.sluice.control.spend.SpendCopyActor;
import io.sluice.control.store.SharedConfigStore;
import io.sluice.data.limit.LimitPorts;
import io.sluice.data.recall.IdempotencyStore;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.recall.SqliteIdempotencyStore;
import io.sluice.data.recall.StoreUnavailableException;
import io.sluice.ops.redis.RedisConfigLog;
import io.sluice.ops.redis.RedisIdempotencyStore;
import io.sluice.ops.redis.RedisLedgerStore;
import io.sluice.ops.redis.RedisLink;
import io.sluice.ops.redis.RedisRateAuthority;
import io.sluice.ops.redis.RedisSettings;
import io.sluice.ops.redis.RedisSpendLog;
import io.sluice.ops.settings.RedisAccess.Purposes;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.NodeRole;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where this process keeps what must survive it: files in its data directory, and in a cluster what nodes share in Redis. The only
 * place that chooses. One thread at a time.
 */
final class NodeStores {
    private static final Logger LOG = LoggerFactory.getLogger(NodeStores.class);

    /** A node that starts waits so long for Redis before it goes on with what it has. */
    private static final Duration FIRST_MAX = Duration.ofSeconds(5);

    private final Place place;
    private final Optional<Shared> shared;
    private final List<RedisLink> links = new ArrayList<>();

    private record Shared(RedisSettings configuration, RedisSettings ledger, RedisSettings cache) {}

    private NodeStores(Place place, Optional<Shared> shared) {
        this.place = place;
        this.shared = shared;
    }

    /**
     * The stores of a process in {@code place}.
     *
     * @param redis present in a cluster
     * @throws StartFailedException where a password can not be read
     */
    static NodeStores of(Place place, Optional<Purposes> redis) throws StartFailedException {
        if (redis.isEmpty()) {
            return new NodeStores(place, Optional.empty());
        }
        return new NodeStores(
                place,
                Optional.of(new Shared(
                        RedisPlace.of(redis.get().configuration()),
                        RedisPlace.of(redis.get().ledger()),
                        RedisPlace.of(redis.get().cache()))));
    }

    /** Those of the control plane, which closes them. */
    ControlStores.Opening control() {
        return shared.isEmpty() ? ControlStores::local : settings -> shared(settings, shared.get());
    }

    private ControlStores shared(ControlPlaneSettings settings, Shared redis) {
        Vertx vertx = place.vertx();
        RedisLink link = RedisLink.open(vertx, redis.configuration(), "configuration");
        awaitFirst(link);
        return ControlStores.shared(
                settings,
                new SharedConfigStore(vertx, ControlStores.localConfig(settings), new RedisConfigLog(link)),
                RedisLedgerStore.open(vertx, redis.ledger()),
                spend(settings, redis));
    }

    /** Every node has a copy of what all have spent, and gives it to those that lack it. */
    private SharedSpendStore spend(ControlPlaneSettings settings, Shared redis) {
        Vertx vertx = place.vertx();
        Bus bus = new Bus(vertx);
        RedisLink link = RedisLink.open(vertx, redis.configuration(), "the log of spend");
        awaitFirst(link);
        SharedSpendStore spend = new SharedSpendStore(
                vertx,
                ControlStores.localSpend(settings),
                new RedisSpendLog(link),
                new BusSpendCopies(vertx, bus, place.owners()),
                place.owners().node(),
                settings.clock());
        vertx.deployVerticle(new SpendCopyActor(bus, place.owners().node(), spend, settings.dataDir()))
                .onFailure(failure -> LOG.error("other nodes get no copy of what was spent from this one", failure));
        return spend;
    }

    /** On the worker thread that opens stores, on which Vert.x's own waiting is not allowed. */
    private static void awaitFirst(RedisLink link) {
        try {
            link.first(FIRST_MAX).toCompletionStage().toCompletableFuture().get();
        } catch (ExecutionException away) {
            LOG.warn("starting without Redis: nothing can be changed until it is there");
        } catch (InterruptedException stopAsked) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closed by whoever asked for it. */
    IdempotencyStore idempotency(Path dataDir, RecallSettings settings) throws StartFailedException {
        if (shared.isPresent()) {
            return new RedisIdempotencyStore(
                    place.vertx(),
                    link(shared.get().configuration(), "idempotency keys"),
                    settings,
                    place.owners().node());
        }
        try {
            return SqliteIdempotencyStore.open(dataDir.resolve("recall.db"), settings, System::currentTimeMillis);
        } catch (StoreUnavailableException unusable) {
            throw new StartFailedException(unusable.getMessage(), unusable);
        }
    }

    /** How limits are divided among the nodes that take requests. */
    LimitPorts limits() {
        return shared.map(redis -> LimitPorts.shared(
                        new RedisRateAuthority(
                                link(redis.cache(), "limits"), place.owners().node()),
                        () -> place.owners().nodes(NodeRole.DATA).size()))
                .orElse(LimitPorts.ALONE);
    }

    private RedisLink link(RedisSettings settings, String purpose) {
        RedisLink link = RedisLink.open(place.vertx(), settings, purpose);
        links.add(link);
        return link;
    }

    /** Closes the ways to Redis that no store closes. */
    Future<Void> close() {
        return Future.join(links.stream().map(RedisLink::close).toList()).mapEmpty();
    }
}
