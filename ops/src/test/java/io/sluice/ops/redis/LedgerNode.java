package io.sluice.ops.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.ledger.LedgerActor;
import io.sluice.control.ledger.LedgerStore;
import io.sluice.data.money.BusCapAuthority;
import io.sluice.data.money.JournalTotals;
import io.sluice.data.money.LeaseActor;
import io.sluice.data.money.LeaseSettings;
import io.sluice.data.money.LedgerJournal;
import io.sluice.data.money.Purse;
import io.sluice.data.money.Reservation;
import io.sluice.data.money.Reservations;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.message.BusMessage.AskAuthority;
import io.sluice.tenants.message.BusMessage.AuthorityAnswered;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** One node of a cluster as far as money goes: its own Vert.x, its copy of the ledger, and slices that it spends from. */
final class LedgerNode implements AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

    private final String name;
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Bus bus = new Bus(vertx);
    private final RedisLedgerStore store;
    private final Purse purse = new Purse(LedgerJournal.forgetting());
    private final Map<AccountKey, CapFigures> figures = new ConcurrentHashMap<>();
    private Reservations reservations;
    private String leases;

    private LedgerNode(String name, RedisSettings settings) {
        this.name = name;
        store = RedisLedgerStore.open(vertx, settings);
    }

    /** Starts one without slices of its own: a test asks for them by itself. */
    static LedgerNode authority(String name, RedisSettings settings, Supplier<Configuration> configuration)
            throws Exception {
        LedgerNode node = new LedgerNode(name, settings);
        return node.start(node.store, configuration, InstantSource.system());
    }

    /**
     * Likewise.
     *
     * @param own the node's clock
     * @param common that of Redis
     */
    static LedgerNode authority(
            String name,
            RedisSettings settings,
            Supplier<Configuration> configuration,
            InstantSource own,
            InstantSource common)
            throws Exception {
        LedgerNode node = new LedgerNode(name, settings);
        return node.start(new ClockedStore(node.store, common), configuration, own);
    }

    private LedgerNode start(LedgerStore kept, Supplier<Configuration> configuration, InstantSource clock)
            throws Exception {
        await(bus.on(Address.CAPS, told -> told.caps().forEach(caps -> figures.put(caps.account(), caps))));
        await(vertx.deployVerticle(new LedgerActor(bus, kept, configuration, name, true, clock)));
        return this;
    }

    /** Starts a whole one. */
    static LedgerNode whole(String name, RedisSettings settings, Supplier<Configuration> configuration)
            throws Exception {
        LedgerNode node = authority(name, settings, configuration);
        LeaseActor actor = new LeaseActor(
                node.bus,
                new BusCapAuthority(node.bus),
                name,
                node.purse,
                LedgerJournal.forgetting(),
                new JournalTotals(),
                LeaseSettings.DEFAULT,
                InstantSource.system());
        node.leases = await(node.vertx.deployVerticle(actor));
        node.reservations = new Reservations(node.purse, actor);
        return node;
    }

    String name() {
        return name;
    }

    Future<AuthorityAnswer> ask(AuthorityCommand command) {
        return bus.request(Address.AUTHORITY, new AskAuthority(command), AuthorityAnswered.class, ANSWER_MAX)
                .map(AuthorityAnswered::answer);
    }

    Reservation reserve(String id, AccountKey account, long micros) throws Exception {
        return await(reservations.reserve(id, List.of(account), micros));
    }

    /** Returns when it was told that {@code account} stands as wanted. */
    CapFigures told(AccountKey account, Predicate<CapFigures> wanted) throws InterruptedException {
        eventually(() -> figures.containsKey(account) && wanted.test(figures.get(account)));
        return figures.get(account);
    }

    /** Gives back what it has, as a node that leaves by plan. */
    void leave() throws Exception {
        await(vertx.undeploy(leases));
        await(store.close());
    }

    @Override
    public void close() {
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    /** A store that has found its Redis. */
    static RedisLedgerStore store(Vertx vertx, RedisSettings settings) throws Exception {
        RedisLedgerStore store = RedisLedgerStore.open(vertx, settings);
        eventually(() -> settled(store.find(List.of(AccountKey.ofKey("acme|2026-03-28|none")))));
        return store;
    }

    private static boolean settled(Future<?> future) {
        try {
            await(future);
            return true;
        } catch (Exception notYet) {
            return false;
        }
    }

    static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    static void eventually(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
            Thread.sleep(20);
        }
    }
}
