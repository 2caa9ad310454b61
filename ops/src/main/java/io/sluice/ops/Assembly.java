package io.sluice.ops;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.control.ControlPlane;
import io.sluice.control.ControlPlaneSettings;
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
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.net.AddressRule;
import io.sluice.tenants.shift.ShiftPhase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the modules of one process in order and stops them in reverse: the control plane on every node, since a data plane needs it beside it, and the
 * rest by the node's roles. With {@link DataPart} the only class that knows them all. One thread at a
 * time.
 */
final class Assembly {
    private static final Logger LOG = LoggerFactory.getLogger(Assembly.class);

    /** Threads for what blocks: the store's start, secrets, the schema, scrapes. More would only be idle stacks. */
    private static final int WORKERS = 4;

    private final Settings settings;
    private final PluginRegistry plugins;
    private final Map<String, ProviderFactory> factories;
    private final Readiness readiness;
    private final Closings closings = new Closings();
    private final int loops;
    private Optional<String> madeToken = Optional.empty();

    private Assembly(Settings settings) {
        this.settings = settings;
        plugins = PluginRegistry.load(Optional.of(settings.plugins().directory()));
        factories = plugins.loaded().stream()
                .map(PluginRegistry.Loaded::plugin)
                .collect(Collectors.toMap(
                        Function.identity(), word -> plugins.factory(word).orElseThrow()));
        closings.add(plugins::close);
        readiness = new Readiness(settings.roles());
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
                assembly.closings.closeAll();
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

    private boolean does(NodeRole role) {
        return settings.roles().contains(role);
    }

    private Node all(boolean demo) throws StartFailedException {
        DataDirectory directory = DataDirectory.take(settings.dataDir());
        closings.add(directory::close);
        Logs logs = logs();
        closings.add(logs::close);
        plugins.skipped().forEach(skipped -> LOG.warn("plugin {} is not used: {}", skipped.origin(), skipped.reason()));
        warnOfAJournal();
        Optional<DataPart> data =
                does(NodeRole.DATA) ? Optional.of(DataPart.begin(settings, factories, loops)) : Optional.empty();
        Place place = place();
        closings.add(place::leave);
        NodeStores stores = NodeStores.of(place, settings.redis());
        closings.add(() -> Wait.on("the ways to Redis", stores.close(), Closings.CLOSE_S_MAX));
        ControlPlane control = Wait.on(
                "the control plane",
                ControlPlane.start(place.vertx(), controlSettings(place), stores.control()),
                Wait.START_S_MAX);
        closings.add(() -> Wait.on("the control plane", control.close(), Closings.CLOSE_S_MAX));
        madeToken = control.madeAdminToken();
        readiness.done(Step.STORES);
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Future<ManagementServer> management = manage(place, control, registry, demo);
        if (data.isPresent()) {
            data.get().start(place, stores, control, addressRule(), registry, closings);
            readiness.serving(data.get()::notReady);
        }
        Optional<Secret> demoKey = demo
                ? Optional.of(Wait.on("the demo", Demo.ensure(control, settings.dataDir()), Wait.START_S_MAX))
                : Optional.empty();
        int adminPort = Wait.on(
                        management,
                        Wait.START_S_MAX,
                        cause -> Ports.explain(
                                "listeners.adminPort or SLUICE_ADMIN_PORT",
                                settings.listeners().adminPort(),
                                cause))
                .port();
        Wait.on(
                "the first configuration",
                applied(place.vertx(), control, place.owners().node()),
                Wait.START_S_MAX);
        readiness.done(Step.CONFIGURATION);
        data.ifPresent(part -> LOG.info("warmed up by {} requests", part.warm()));
        readiness.done(Step.WARM);
        return new Node(greeting(data.map(DataPart::port).orElse(0), adminPort, demoKey), this::stop);
    }

    /** Whoever takes the role data from a node after a crash would miss what its journal has. */
    private void warnOfAJournal() {
        Path journal = MoneyJournal.directory(settings.dataDir());
        if (!does(NodeRole.DATA) && Files.exists(journal)) {
            LOG.warn(
                    "the journal {} is not read, since this node has not the role data; unless the node was stopped by plan,"
                            + " start it once with that role, so that what it spent is told",
                    journal);
        }
    }

    private Greeting.Facts greeting(int port, int adminPort, Optional<Secret> demoKey) {
        return new Greeting.Facts(
                settings.roles(),
                settings.listeners().host(),
                port,
                adminPort,
                settings.dataDir(),
                madeToken.map(Secret::new),
                settings.adminToken().isPresent(),
                demoKey,
                plugins.skipped().stream()
                        .map(skipped -> skipped.origin() + ": " + skipped.reason())
                        .toList());
    }

    private Place place() throws StartFailedException {
        VertxOptions options = new VertxOptions()
                .setEventLoopPoolSize(loops)
                .setWorkerPoolSize(WORKERS)
                .setInternalBlockingPoolSize(WORKERS);
        return settings.cluster().isEmpty()
                ? Place.alone(options)
                : Place.joined(
                        settings.cluster().get(),
                        NodeId.of(settings.cluster(), settings.dataDir()),
                        settings.roles(),
                        options);
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
                        settings.roles(),
                        Clock.systemUTC(),
                        settings.drills().unprovenAfter(),
                        settings.shifts())
                .in(place.owners(), place.states());
    }

    private AddressRule addressRule() {
        return new AddressRule(
                settings.upstreams().loopback(), Set.copyOf(settings.upstreams().allowPrivate()));
    }

    private Future<ManagementServer> manage(
            Place place, ControlPlane control, PrometheusMeterRegistry registry, boolean demo) {
        PulseActor.Pulses pulses = new PulseActor.Pulses(loops, System.nanoTime());
        Probes probes = new Probes(
                () -> pulses.alive(System.nanoTime()),
                () -> Future.succeededFuture(
                        readiness.obstacle().map(Probes.Readiness::not).orElse(Probes.Readiness.READY)),
                registry::scrape);
        ManagementServer server = new ManagementServer(
                does(NodeRole.CONTROL) ? Optional.of(control) : Optional.empty(),
                new ManagementSettings(
                        settings.listeners().host(),
                        settings.listeners().adminPort(),
                        demo,
                        new HashSet<>(settings.cors().origins())),
                probes,
                Clock.systemUTC());
        gauges(place, control, registry);
        if (does(NodeRole.CONTROL)) {
            gaugesOfOwners(control, registry);
        }
        Vertx vertx = place.vertx();
        Future<?> watched = Future.succeededFuture();
        for (int loop = 0; loop < loops; loop++) {
            PulseActor actor = new PulseActor(pulses, loop);
            watched = watched.compose(done -> vertx.deployVerticle(actor));
        }
        return watched.compose(done -> vertx.deployVerticle(server)).map(server);
    }

    private static void gauges(Place place, ControlPlane control, MeterRegistry registry) {
        Gauge.builder("sluice.spend.behind", control, ControlPlane::spendBehind)
                .description("Entries of the shared log of spend that this node's reports do not have yet")
                .register(registry);
        for (NodeRole role : NodeRole.values()) {
            Gauge.builder(
                            "sluice.nodes",
                            place.owners(),
                            owners -> owners.nodes(role).size())
                    .description("Nodes with a role that this node knows to be there, itself among them")
                    .tag("role", role.word())
                    .register(registry);
        }
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
    }

    /** What only nodes know that hear of all drills and shifts. */
    private static void gaugesOfOwners(ControlPlane control, MeterRegistry registry) {
        Gauge.builder("sluice.rungs.unproven", control, ControlPlane::unprovenRungs)
                .description("Rungs of all tenants that have not answered for too long to be relied on")
                .register(registry);
        for (ShiftPhase phase : ShiftPhase.values()) {
            Gauge.builder("sluice.shifts", control, plane -> plane.shifts(phase))
                    .description("Scenarios of all tenants by the phase of their traffic's shift")
                    .tag("phase", phase.name())
                    .register(registry);
        }
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

    private void stop() {
        readiness.drain();
        try {
            Thread.sleep(settings.drainGrace().toMillis());
        } catch (InterruptedException atOnce) {
            Thread.currentThread().interrupt();
        }
        closings.closeAll();
    }
}
