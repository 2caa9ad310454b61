package io.sluice.ops;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.data.DataPlane;
import io.sluice.data.DataPlaneSettings;
import io.sluice.data.decision.DecisionLogSettings;
import io.sluice.data.limit.LimitPorts;
import io.sluice.data.limit.LimitSettings;
import io.sluice.data.money.JournalTotals;
import io.sluice.data.money.LedgerJournal;
import io.sluice.data.pool.PoolSettings;
import io.sluice.data.recall.CacheSettings;
import io.sluice.data.recall.LocalIdempotencyStore;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.request.HashedKeyVerifier;
import io.sluice.data.request.PipelineSettings;
import io.sluice.data.server.GatewaySettings;
import io.sluice.data.upstream.UpstreamLimits;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.key.KeyFormat;
import io.sluice.tenants.key.KeyHasher;
import io.sluice.tenants.message.BusMessage.SnapshotPublished;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.routing.SnapshotCompiler;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a few hundred requests before anybody else's, so that the first real ones meet compiled code, open connections and
 * loaded classes: the very request path, with a tenant, a key and a simulated provider of its own on a second, private
 * Vert.x, so that no metric, decision record or configuration knows of it. Runs while the control plane starts.
 */
final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final String PLUGIN = "simulator";
    private static final String ID = "warm-up";
    private static final TenantId TENANT = new TenantId(ID);
    private static final byte[] WHOLE =
            "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"Is it warm?\"}]}"
                    .getBytes(StandardCharsets.UTF_8);
    private static final byte[] STREAM =
            "{\"model\":\"auto\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"Is it warm?\"}]}"
                    .getBytes(StandardCharsets.UTF_8);

    /**
     * Cold, a request costs 10 ms of CPU; tens of thousands would be needed to bring that to a hundredth. It goes on until a
     * start is as old as nobody minds (the process is to be ready within 3 s) ...
     */
    private static final long JVM_AGE_MS_MAX = 1_700;

    /** ... but no slow machine goes without: this much makes the first request of a caller ten times cheaper. */
    private static final long TIME_MS_MIN = 300;

    /** Requests on their way at once; more only queue on the cores that the start needs too. */
    private static final int LANES = 4;

    /** Each step is milliseconds of work; a machine that needs longer is not helped by waiting. */
    private static final int STEP_S_MAX = 5;

    private static final int END_S_MAX = 10;

    private final ProviderFactory simulator;
    private final FutureTask<Integer> work = new FutureTask<>(this::run);
    private final KeyHasher hasher = new KeyHasher(random(32));
    private final String key = KeyFormat.API_KEY.make(random(KeyFormat.ID_BYTES + KeyFormat.SECRET_BYTES));

    private WarmUp(ProviderFactory simulator) {
        this.simulator = simulator;
    }

    /** Begins on a thread of its own; without the simulator among the plugins there is nothing to do. */
    static WarmUp begin(Map<String, ProviderFactory> factories) {
        WarmUp warmUp = new WarmUp(factories.get(PLUGIN));
        Thread thread = new Thread(warmUp.work, "sluice-warm-up");
        thread.setDaemon(true);
        thread.start();
        return warmUp;
    }

    /** Waits for the end; the number of requests that were answered. A warm-up that failed is logged: it is a help, no condition. */
    int end() {
        try {
            return work.get(END_S_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException stopAsked) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException failed) {
            LOG.warn("the request path could not be warmed up", failed);
        }
        return 0;
    }

    private int run() throws Exception {
        if (simulator == null) {
            return 0;
        }
        Path decisions = Files.createTempDirectory("sluice-warm-up");
        Vertx vertx = Vertx.vertx(
                new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1).setInternalBlockingPoolSize(1));
        try {
            int port = Ports.free("127.0.0.1");
            DataPlane plane = done(start(vertx, decisions, port));
            int answered = done(send(vertx, port));
            done(plane.stop(Duration.ZERO));
            return answered;
        } finally {
            done(vertx.close());
            delete(decisions);
        }
    }

    private Future<DataPlane> start(Vertx vertx, Path decisions, int port) {
        Bus bus = new Bus(vertx);
        Snapshot snapshot = new SnapshotCompiler().compile(configuration());
        DataPlaneSettings settings = new DataPlaneSettings(
                ID,
                1,
                GatewaySettings.on("127.0.0.1", port),
                PipelineSettings.DEFAULT,
                PoolSettings.DEFAULT,
                UpstreamLimits.DEFAULT,
                DecisionLogSettings.in(decisions),
                RecallSettings.DEFAULT,
                CacheSettings.DEFAULT,
                LimitSettings.DEFAULT);
        DataPlane.Parts parts = new DataPlane.Parts(
                vertx,
                bus,
                new Owners.Alone(ID),
                Map.of(PLUGIN, simulator),
                provider -> Optional.empty(),
                () -> new HashedKeyVerifier(hasher),
                (host, address) -> address.isLoopbackAddress(),
                new LocalIdempotencyStore(RecallSettings.DEFAULT.ttlMs()),
                LedgerJournal.forgetting(),
                new JournalTotals(),
                LimitPorts.ALONE,
                new SimpleMeterRegistry());
        return bus.answer(
                        Address.SNAPSHOT_REQUESTS,
                        ask -> Future.succeededFuture(new SnapshotPublished(snapshot, ID, Instant.EPOCH)))
                .compose(done -> DataPlane.start(parts, settings));
    }

    private Configuration configuration() {
        ScopedId id = new ScopedId(TENANT, ID);
        Catalog catalog = Catalog.EMPTY
                .with(new ProviderConfig(id, 1, PLUGIN, "", null, null, null, null, Map.of()))
                .with(new ModelConfig(id, 1, 8_192, 1_024, true, true, true))
                .with(new PoolConfig(id, 1, Tier.LIGHT, List.of(new TargetConfig(ID, ID, null, 100))));
        ApiKeyConfig apiKey =
                new ApiKeyConfig(id(), ID, hasher.hex(secret()), ID, null, ID, null, Instant.EPOCH, null, null, null);
        ScenarioConfig scenario = new ScenarioConfig(
                ID,
                1,
                Sensitivity.SEMANTIC,
                RequestKind.READ,
                true,
                null,
                null,
                List.of(new RungConfig.Pool(ID, ID, null, null)),
                Map.of());
        TenantTree tree = TenantTree.of(new TenantConfig(TENANT, 1, ID, ZoneOffset.UTC, "USD", false))
                .with(new AppConfig(ID, ID))
                .with(apiKey)
                .with(catalog)
                .with(scenario);
        return Configuration.EMPTY.with(tree).atEpoch(1);
    }

    private Future<Integer> send(Vertx vertx, int port) {
        HttpClient client = vertx.createHttpClient();
        long timeMs = Math.max(TIME_MS_MIN, JVM_AGE_MS_MAX - JvmAge.ms());
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeMs);
        List<Future<Integer>> lanes = IntStream.range(0, LANES)
                .mapToObj(lane -> lane(client, port, untilNs, lane, 0))
                .toList();
        return Future.join(lanes)
                .map(done -> lanes.stream().mapToInt(Future::result).sum());
    }

    /** One request after the other, whole and streamed in turn. */
    private Future<Integer> lane(HttpClient client, int port, long untilNs, int turn, int answered) {
        if (System.nanoTime() >= untilNs) {
            return Future.succeededFuture(answered);
        }
        return client.request(HttpMethod.POST, port, "127.0.0.1", "/v1/chat/completions")
                .compose(request -> request.putHeader("authorization", "Bearer " + key)
                        .putHeader("content-type", "application/json")
                        .send(Buffer.buffer(turn % 2 == 0 ? WHOLE : STREAM)))
                .compose(response -> response.body().map(body -> response.statusCode()))
                .compose(status -> lane(client, port, untilNs, turn + 1, answered + (status == 200 ? 1 : 0)));
    }

    private String id() {
        return KeyFormat.API_KEY.parse(key).orElseThrow().id();
    }

    private String secret() {
        return KeyFormat.API_KEY.parse(key).orElseThrow().secret();
    }

    private static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return random;
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(STEP_S_MAX, TimeUnit.SECONDS);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
