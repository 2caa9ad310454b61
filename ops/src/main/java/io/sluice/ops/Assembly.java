package io.sluice.ops;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.control.ControlPlane;
import io.sluice.control.ControlPlaneSettings;
import io.sluice.data.DataPlane;
import io.sluice.data.DataPlaneSettings;
import io.sluice.data.decision.DecisionLogSettings;
import io.sluice.data.recall.IdempotencyStore;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.request.HashedKeyVerifier;
import io.sluice.data.request.PipelineSettings;
import io.sluice.data.server.GatewaySettings;
import io.sluice.data.upstream.UpstreamLimits;
import io.sluice.graphql.ManagementServer;
import io.sluice.graphql.ManagementSettings;
import io.sluice.graphql.Probes;
import io.sluice.ops.Readiness.Step;
import io.sluice.ops.demo.Demo;
import io.sluice.ops.logging.Logs;
import io.sluice.ops.settings.Settings;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.Secret;
import io.sluice.plugins.api.registry.PluginRegistry;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.net.AddressRule;
import io.sluice.tenants.shift.ShiftPhase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the modules of one process in order and stops them in reverse. The only class that knows them all. One thread at a
 * time.
 */
final class Assembly {
    private static final Logger LOG = LoggerFactory.getLogger(Assembly.class);

    /** Threads for what blocks: the store's start, secrets, the schema, scrapes. More would only be idle stacks. */
    private static final int WORKERS = 4;

    /** What is closed may take this long each; it is mostly a flush to disk. */
    private static final int CLOSE_S_MAX = 5;

    /** A part of the start that takes longer hangs: the slowest, opening the store, takes milliseconds. */
    private static final int START_S_MAX = 60;

    private final Settings settings;
    private final PluginRegistry plugins;
    private final Map<String, ProviderFactory> factories;
    private final Readiness readiness = new Readiness();
    private final Deque<Closing> closings = new ArrayDeque<>();
    private final int loops;
    private Optional<String> madeToken = Optional.empty();

    /** Undoes one step of the start. */
    private interface Closing {
        void close() throws Exception;
    }

    private Assembly(Settings settings) {
        this.settings = settings;
        plugins = PluginRegistry.load(Optional.of(settings.plugins().directory()));
        factories = plugins.loaded().stream()
                .map(PluginRegistry.Loaded::plugin)
                .collect(Collectors.toMap(
                        Function.identity(), word -> plugins.factory(word).orElseThrow()));
        closings.push(plugins::close);
        loops = settings.eventLoops() == 0 ? Runtime.getRuntime().availableProcessors() : settings.eventLoops();
    }

    /**
     * Starts all of it and returns when it serves.
     *
     * @param demo whether the demo tenant is made where it is missing
     * @throws StartFailedException with what a person can do about it; nothing is left running
     */
    static Node start(Settings settings, boolean demo) throws StartFailedException {
        Assembly assembly = new Assembly(settings);
        boolean done = false;
        try {
            Node node = assembly.all(demo);
            done = true;
            return node;
        } catch (StartFailedException failed) {
            throw assembly.withToken(failed);
        } finally {
            if (!done) {
                assembly.closeAll();
            }
        }
    }

    /** A token that this start made is stored already and shown only once: a start that fails later must not keep it to itself. */
    private StartFailedException withToken(StartFailedException failed) {
        return madeToken
                .map(token -> new StartFailedException(
                        failed.getMessage() + "\nsluice: this start made the administrator's token, shown only now: "
                                + token,
                        failed))
                .orElse(failed);
    }

    private Node all(boolean demo) throws StartFailedException {
        DataDirectory directory = DataDirectory.take(settings.dataDir());
        closings.push(directory::close);
        Logs logs = logs();
        closings.push(logs::close);
        plugins.skipped().forEach(skipped -> LOG.warn("plugin {} is not used: {}", skipped.origin(), skipped.reason()));
        WarmUp warmUp = WarmUp.begin(factories);
        Place place = place();
        closings.push(place::leave);
        Vertx vertx = place.vertx();
        String node = place.owners().node();
        NodeStores stores = NodeStores.of(place, settings.redis());
        closings.push(() -> Wait.on("the ways to Redis", stores.close(), CLOSE_S_MAX));
        ControlPlane control = Wait.on(
                "the control plane", ControlPlane.start(vertx, controlSettings(place), stores.control()), START_S_MAX);
        closings.push(() -> Wait.on("the control plane", control.close(), CLOSE_S_MAX));
        madeToken = control.madeAdminToken();
        readiness.done(Step.CONTROL_PLANE);
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Future<ManagementServer> management = manage(vertx, control, registry, demo);
        IdempotencyStore idempotency = stores.idempotency(settings.dataDir(), recallSettings());
        closings.push(() -> Wait.on("the store of idempotency keys", idempotency.close(), CLOSE_S_MAX));
        MoneyJournal money = MoneyJournal.open(settings.dataDir(), settings.journal());
        closings.push(money::close);
        String outbox = Wait.on("the shipping of spend", money.ship(vertx, node, registry), START_S_MAX);
        closings.push(() -> Wait.on("the shipping of spend", vertx.undeploy(outbox), CLOSE_S_MAX));
        int port = port();
        DataPlane data = listening(
                "listeners.port or SLUICE_PORT",
                port,
                serve(place, stores, control, idempotency, money, registry, port));
        money.watchedBy(data);
        closings.push(() -> Wait.on(
                "the data plane",
                data.stop(settings.drainMax()),
                (int) settings.drainMax().toSeconds() + CLOSE_S_MAX));
        readiness.serving(data::notReady);
        Optional<Secret> demoKey = demo
                ? Optional.of(Wait.on("the demo", Demo.ensure(control, settings.dataDir()), START_S_MAX))
                : Optional.empty();
        int adminPort = settings.listeners().adminPort();
        ManagementServer server = listening("listeners.adminPort or SLUICE_ADMIN_PORT", adminPort, management);
        Wait.on("the first configuration", applied(vertx, control, node), START_S_MAX);
        LOG.info("warmed up by {} requests", warmUp.end());
        readiness.done(Step.WARM);
        return new Node(
                new Greeting.Facts(
                        settings.listeners().host(),
                        port,
                        server.port(),
                        settings.dataDir(),
                        madeToken.map(Secret::new),
                        settings.adminToken().isPresent(),
                        demoKey,
                        plugins.skipped().stream()
                                .map(skipped -> skipped.origin() + ": " + skipped.reason())
                                .toList()),
                this::stop);
    }

    private Place place() throws StartFailedException {
        VertxOptions options = new VertxOptions()
                .setEventLoopPoolSize(loops)
                .setWorkerPoolSize(WORKERS)
                .setInternalBlockingPoolSize(WORKERS);
        return settings.cluster().isEmpty()
                ? Place.alone(options)
                : Place.joined(settings.cluster().get(), NodeId.of(settings.cluster(), settings.dataDir()), options);
    }

    private ControlPlaneSettings controlSettings(Place place) {
        return new ControlPlaneSettings(
                        settings.dataDir(),
                        settings.secretKey().map(Secret::reveal).orElse(null),
                        settings.adminToken().map(Secret::reveal).orElse(null),
                        addressRule(),
                        factories,
                        settings.faults().enabled(),
                        place.owners().node(),
                        settings.roles().stream()
                                .map(role -> role.name().toLowerCase(Locale.ROOT))
                                .toList(),
                        Clock.systemUTC(),
                        settings.drills().unprovenAfter(),
                        settings.shifts())
                .in(place.owners(), place.states());
    }

    private AddressRule addressRule() {
        return new AddressRule(
                settings.upstreams().loopback(), Set.copyOf(settings.upstreams().allowPrivate()));
    }

    private RecallSettings recallSettings() {
        Settings.Idempotency idempotency = settings.idempotency();
        return new RecallSettings(
                idempotency.ttl().toMillis(),
                idempotency.bytesMax(),
                idempotency.answerBytesMax(),
                idempotency.waitMax().toMillis(),
                RecallSettings.DEFAULT.waitersMax());
    }

    private Future<DataPlane> serve(
            Place place,
            NodeStores stores,
            ControlPlane control,
            IdempotencyStore idempotency,
            MoneyJournal money,
            MeterRegistry registry,
            int port) {
        AddressRule rule = addressRule();
        DataPlane.Parts parts = new DataPlane.Parts(
                place.vertx(),
                new Bus(place.vertx()),
                place.owners(),
                factories,
                control.credentials(),
                () -> new HashedKeyVerifier(control.keyHasher()),
                (host, address) -> rule.problem(host, address).isEmpty(),
                idempotency,
                money.ledger(),
                money.lives(),
                stores.limits(),
                registry);
        return DataPlane.start(parts, dataSettings(place.owners().node(), port));
    }

    private DataPlaneSettings dataSettings(String node, int port) {
        PipelineSettings requests = PipelineSettings.DEFAULT;
        UpstreamLimits answers = UpstreamLimits.DEFAULT;
        DecisionLogSettings records = DecisionLogSettings.in(settings.dataDir().resolve("decisions"));
        return new DataPlaneSettings(
                node,
                loops,
                GatewaySettings.on(settings.listeners().host(), port),
                new PipelineSettings(
                        settings.limits().bodyBytesMax(), requests.bodyTimeoutMs(), requests.clientStallMs()),
                settings.pools(),
                new UpstreamLimits(
                        settings.limits().answerBytesMax(),
                        answers.headerBytesMax(),
                        answers.connectMs(),
                        answers.connectionsMax(),
                        answers.keepAliveS(),
                        answers.lingerMs()),
                new DecisionLogSettings(
                        records.directory(),
                        records.segmentBytesMax(),
                        settings.decisions().retentionBytes(),
                        settings.decisions().retentionDays(),
                        records.queueMax()),
                recallSettings(),
                settings.cache(),
                settings.rateLimits());
    }

    private int port() throws StartFailedException {
        int wished = settings.listeners().port();
        try {
            return wished == 0 ? Ports.free(settings.listeners().host()) : wished;
        } catch (IOException noSuchInterface) {
            throw new StartFailedException(
                    "can't listen on " + settings.listeners().host() + ": " + noSuchInterface.getMessage(),
                    noSuchInterface);
        }
    }

    private Future<ManagementServer> manage(
            Vertx vertx, ControlPlane control, PrometheusMeterRegistry registry, boolean demo) {
        PulseActor.Pulses pulses = new PulseActor.Pulses(loops, System.nanoTime());
        Probes probes = new Probes(
                () -> pulses.alive(System.nanoTime()),
                () -> Future.succeededFuture(
                        readiness.obstacle().map(Probes.Readiness::not).orElse(Probes.Readiness.READY)),
                registry::scrape);
        ManagementServer server = new ManagementServer(
                control,
                new ManagementSettings(
                        settings.listeners().host(),
                        settings.listeners().adminPort(),
                        demo,
                        new HashSet<>(settings.cors().origins())),
                probes,
                Clock.systemUTC());
        Gauge.builder("sluice.rungs.unproven", control, ControlPlane::unprovenRungs)
                .description("Rungs of all tenants that have not answered for too long to be relied on")
                .register(registry);
        Gauge.builder("sluice.spend.behind", control, ControlPlane::spendBehind)
                .description("Entries of the shared log of spend that this node's reports do not have yet")
                .register(registry);
        for (ShiftPhase phase : ShiftPhase.values()) {
            Gauge.builder("sluice.shifts", control, plane -> plane.shifts(phase))
                    .description("Scenarios of all tenants by the phase of their traffic's shift")
                    .tag("phase", phase.name())
                    .register(registry);
        }
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        Future<?> watched = Future.succeededFuture();
        for (int loop = 0; loop < loops; loop++) {
            PulseActor actor = new PulseActor(pulses, loop);
            watched = watched.compose(done -> vertx.deployVerticle(actor));
        }
        return watched.compose(done -> vertx.deployVerticle(server)).map(server);
    }

    /** Completes when this node serves the newest configuration. */
    private static Future<Void> applied(Vertx vertx, ControlPlane control, String node) {
        long epoch = control.configuration().epoch();
        boolean reached = control.members().stream()
                .anyMatch(member -> member.id().equals(node) && member.appliedEpoch() >= epoch);
        return reached ? Future.succeededFuture() : vertx.timer(2).compose(later -> applied(vertx, control, node));
    }

    private Logs logs() throws StartFailedException {
        try {
            return Logs.open(settings.logging(), settings.dataDir());
        } catch (IOException denied) {
            throw new StartFailedException(
                    "can't write the log " + Logs.file(settings.dataDir()) + " (" + denied
                            + "); make its directory writable, or set logging.to: stderr",
                    denied);
        }
    }

    private static <T> T listening(String setting, int port, Future<T> server) throws StartFailedException {
        return Wait.on(server, START_S_MAX, cause -> Ports.explain(setting, port, cause));
    }

    private void stop() {
        readiness.drain();
        try {
            Thread.sleep(settings.drainGrace().toMillis());
        } catch (InterruptedException atOnce) {
            Thread.currentThread().interrupt();
        }
        closeAll();
    }

    private void closeAll() {
        while (!closings.isEmpty()) {
            try {
                closings.pop().close();
            } catch (Exception notClosed) {
                LOG.error("a part did not close", notClosed);
            }
        }
    }
}
