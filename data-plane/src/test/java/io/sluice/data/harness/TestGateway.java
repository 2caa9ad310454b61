package io.sluice.data.harness;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.data.DataPlane;
import io.sluice.data.DataPlaneSettings;
import io.sluice.data.decision.DecisionLogSettings;
import io.sluice.data.limit.LimitPorts;
import io.sluice.data.limit.LimitSettings;
import io.sluice.data.limit.RateShares;
import io.sluice.data.money.JournalTotals;
import io.sluice.data.money.LedgerJournal;
import io.sluice.data.pool.BreakerSettings;
import io.sluice.data.pool.PoolSettings;
import io.sluice.data.pool.QueueSettings;
import io.sluice.data.pool.RetrySettings;
import io.sluice.data.recall.CacheSettings;
import io.sluice.data.recall.IdempotencyStore;
import io.sluice.data.recall.LocalIdempotencyStore;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.request.PipelineSettings;
import io.sluice.data.server.GatewaySettings;
import io.sluice.data.upstream.AddressPolicy;
import io.sluice.data.upstream.UpstreamLimits;
import io.sluice.plugins.api.CredentialSource;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.Secret;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.openai.OpenAiProviderFactory;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecision;
import io.sluice.tenants.message.BusMessage.SnapshotPublished;
import io.sluice.tenants.routing.CompiledKey;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.routing.SnapshotCompiler;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * A data plane on an ephemeral port with a configuration in memory. The API key of a {@link CompiledKey} is its id, so tests
 * write {@code Bearer K1}; proving real keys is tested where it is built.
 */
public final class TestGateway implements AutoCloseable {
    private static final long WAIT_S = 20;

    private final Vertx vertx;
    private final Bus bus;
    private final DataPlane plane;
    private final PrometheusMeterRegistry registry;
    private final SnapshotCompiler compiler;
    private final Client client;
    private final Path decisions = temporaryDirectory();
    private final IdempotencyStore idempotency;
    private final TestAuthority authority;
    private final int port;
    private volatile Configuration configuration;

    /** What a test may choose. */
    public static final class Options {
        private final Map<String, ProviderFactory> factories = new HashMap<>();
        private BreakerSettings breaker = BreakerSettings.DEFAULT;
        private RetrySettings retries = RetrySettings.DEFAULT;
        private QueueSettings queue = QueueSettings.DEFAULT;
        private long earlyEveryMs = PoolSettings.DEFAULT.earlyEveryMs();
        private long slowStartMs = 1_000;
        private long warmPingMs;
        private PipelineSettings pipeline = PipelineSettings.DEFAULT;
        private UpstreamLimits upstream = UpstreamLimits.DEFAULT;
        private UnaryOperator<GatewaySettings> gateway = UnaryOperator.identity();
        private int eventLoops = 1;
        private RecallSettings recall = RecallSettings.DEFAULT;
        private CacheSettings cache = CacheSettings.DEFAULT;
        private IdempotencyStore idempotency;
        private LimitPorts limits = LimitPorts.ALONE;
        private LimitSettings limitSettings = LimitSettings.DEFAULT;
        private CredentialSource credentials = provider ->
                provider.credential() == null ? Optional.empty() : Optional.of(new Secret("sk-upstream-secret"));
        private AddressPolicy addresses = (host, address) -> address.isLoopbackAddress();

        public Options() {
            factories.put("openai", new OpenAiProviderFactory());
        }

        public Options plugin(ProviderFactory factory) {
            factories.put(factory.plugin(), factory);
            return this;
        }

        public Options breaker(BreakerSettings settings) {
            breaker = settings;
            return this;
        }

        public Options retries(RetrySettings settings) {
            retries = settings;
            return this;
        }

        public Options queue(QueueSettings settings) {
            queue = settings;
            return this;
        }

        public Options earlyEveryMs(long interval) {
            earlyEveryMs = interval;
            return this;
        }

        /** A second unless it is said otherwise, so that tests need not wait. */
        public Options slowStartMs(long time) {
            slowStartMs = time;
            return this;
        }

        /** Off unless a test asks for it, so that upstreams see nothing but requests. */
        public Options warmPingMs(long idle) {
            warmPingMs = idle;
            return this;
        }

        public Options pipeline(PipelineSettings settings) {
            pipeline = settings;
            return this;
        }

        public Options upstream(UpstreamLimits limits) {
            upstream = limits;
            return this;
        }

        public Options gateway(UnaryOperator<GatewaySettings> change) {
            gateway = change;
            return this;
        }

        public Options credentials(CredentialSource source) {
            credentials = source;
            return this;
        }

        public Options addresses(AddressPolicy policy) {
            addresses = policy;
            return this;
        }

        public Options recall(RecallSettings settings) {
            recall = settings;
            return this;
        }

        public Options cache(CacheSettings settings) {
            cache = settings;
            return this;
        }

        /** Keeps idempotency records in {@code store}, which is closed with the gateway. */
        public Options idempotency(IdempotencyStore store) {
            idempotency = store;
            return this;
        }

        /** The clock of limits on rates. */
        public Options limitClock(LongSupplier clockMs) {
            limits = new LimitPorts(counters -> RateShares.ALONE, clockMs);
            return this;
        }

        public Options limits(LimitSettings settings) {
            limitSettings = settings;
            return this;
        }

        public Options eventLoops(int loops) {
            eventLoops = loops;
            return this;
        }
    }

    private TestGateway(Configuration configuration, Options options) {
        this.configuration = configuration;
        vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
        bus = new Bus(vertx);
        registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        compiler = new SnapshotCompiler();
        Snapshot snapshot = compiler.compile(configuration);
        await(bus.answer(
                Address.SNAPSHOT_REQUESTS,
                ask -> Future.succeededFuture(new SnapshotPublished(snapshot, "start", Instant.EPOCH))));
        authority = new TestAuthority(bus, () -> this.configuration, InstantSource.system());
        await(authority.listen());
        port = freePort();
        idempotency =
                options.idempotency == null ? new LocalIdempotencyStore(options.recall.ttlMs()) : options.idempotency;
        plane = await(DataPlane.start(
                new DataPlane.Parts(
                        vertx,
                        bus,
                        new Owners.Alone("node-test"),
                        options.factories,
                        options.credentials,
                        () -> TestGateway::verify,
                        options.addresses,
                        idempotency,
                        LedgerJournal.forgetting(),
                        new JournalTotals(),
                        options.limits,
                        registry),
                new DataPlaneSettings(
                        "node-test",
                        options.eventLoops,
                        options.gateway.apply(GatewaySettings.on("127.0.0.1", port)),
                        options.pipeline,
                        new PoolSettings(
                                options.breaker,
                                options.retries,
                                options.queue,
                                options.earlyEveryMs,
                                options.slowStartMs,
                                options.warmPingMs),
                        options.upstream,
                        DecisionLogSettings.in(decisions),
                        options.recall,
                        options.cache,
                        options.limitSettings)));
        client = new Client(port);
    }

    /** Starts with the usual options. */
    public static TestGateway start(Configuration configuration) {
        return start(configuration, new Options());
    }

    public static TestGateway start(Configuration configuration, Options options) {
        return new TestGateway(configuration, options);
    }

    private static Optional<CompiledKey> verify(Snapshot snapshot, String presented) {
        return snapshot.key(presented);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("sluice-decisions");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(WAIT_S, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    public Client client() {
        return client;
    }

    public int port() {
        return port;
    }

    /** Over the spend caps of the configuration. */
    public TestAuthority authority() {
        return authority;
    }

    public Vertx vertx() {
        return vertx;
    }

    public Bus bus() {
        return bus;
    }

    public DataPlane plane() {
        return plane;
    }

    /** Where the decision records are kept, also when the data plane is stopped. */
    public Path decisionsAt() {
        return decisions;
    }

    /** Publishes a changed configuration as the next epoch and waits until it serves. */
    public void change(UnaryOperator<Configuration> change) {
        configuration = change.apply(configuration).atEpoch(configuration.epoch() + 1);
        bus.publish(Address.SNAPSHOTS, new SnapshotPublished(compiler.compile(configuration), "test", Instant.EPOCH));
        String epoch = Long.toString(configuration.epoch());
        eventually(
                "epoch " + epoch + " serves",
                () -> epoch.equals(client.get("/v1/models").header("x-sluice-epoch")));
    }

    /** Likewise with T1 changed. */
    public void changeTenant(UnaryOperator<TenantTree> change) {
        change(now -> now.with(change.apply(now.tenants().get(TestConfig.T1))));
    }

    /** The decision record of an answer to T1, with the details that only operators see. */
    public DecisionRecord decision(Client.Answer answer) {
        FindDecision find = new FindDecision(TestConfig.T1, answer.header("x-request-id"));
        AtomicReference<DecisionRecord> found = new AtomicReference<>();
        eventually("the decision of " + find.traceId() + " is recorded", () -> {
            await(bus.request(Address.decision("node-test"), find, DecisionPage.class, Duration.ofSeconds(WAIT_S)))
                    .records()
                    .forEach(found::set);
            return found.get() != null;
        });
        return found.get();
    }

    /** The value of a metric series by the start of its line; 0 where there is none. */
    public double metric(String lineStart) {
        return registry.scrape()
                .lines()
                .filter(line -> line.startsWith(lineStart))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Number of metric series. */
    public long series() {
        return registry.scrape().lines().filter(line -> !line.startsWith("#")).count();
    }

    public String scrape() {
        return registry.scrape();
    }

    /** Waits, with a bound, until something is true. */
    public static void eventually(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("never became true: " + what);
            }
            try {
                Thread.sleep(10);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError(interrupted);
            }
        }
    }

    @Override
    public void close() {
        await(plane.stop(Duration.ofSeconds(5)));
        await(idempotency.close());
        await(vertx.close());
    }
}
