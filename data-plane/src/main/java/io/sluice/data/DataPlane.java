package io.sluice.data;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.data.decision.ClusterDecisions;
import io.sluice.data.decision.DecisionLog;
import io.sluice.data.decision.DecisionSource;
import io.sluice.data.drill.DrillActor;
import io.sluice.data.drill.Drills;
import io.sluice.data.jtokkit.JtokkitCounter;
import io.sluice.data.limit.LimitCounters;
import io.sluice.data.limit.LimitPorts;
import io.sluice.data.limit.Limiter;
import io.sluice.data.limit.RateShares;
import io.sluice.data.limit.UpstreamQuotas;
import io.sluice.data.money.BandBoard;
import io.sluice.data.money.BusCapAuthority;
import io.sluice.data.money.JournalTotals;
import io.sluice.data.money.LeaseActor;
import io.sluice.data.money.LeaseSettings;
import io.sluice.data.money.LedgerJournal;
import io.sluice.data.money.Purse;
import io.sluice.data.money.Reservations;
import io.sluice.data.pool.Pools;
import io.sluice.data.recall.ExactCache;
import io.sluice.data.recall.IdempotencyDesk;
import io.sluice.data.recall.IdempotencyStore;
import io.sluice.data.request.AuthThrottle;
import io.sluice.data.request.IdentifyStep;
import io.sluice.data.request.KeyUses;
import io.sluice.data.request.KeyVerifier;
import io.sluice.data.request.PipelineParts;
import io.sluice.data.request.RequestPipeline;
import io.sluice.data.request.RungProofs;
import io.sluice.data.request.VerifyActor;
import io.sluice.data.seeing.PoolMeters;
import io.sluice.data.seeing.RequestMeters;
import io.sluice.data.server.Drain;
import io.sluice.data.server.GatewayServer;
import io.sluice.data.snapshot.CurrentSnapshot;
import io.sluice.data.snapshot.SnapshotActor;
import io.sluice.data.tokens.TokenCounter;
import io.sluice.data.tokens.Vocabularies;
import io.sluice.data.upstream.AddressPolicy;
import io.sluice.data.upstream.Providers;
import io.sluice.data.upstream.UpstreamClient;
import io.sluice.plugins.api.CredentialSource;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.chat.ChatLimits;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.bus.Peers;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One node's data plane: takes requests, routes them, answers. It needs a bus on which somebody answers
 * {@link Address#SNAPSHOT_REQUESTS}; everything else it is given.
 */
public final class DataPlane {
    /** How long callers who read slowly get for the last words of an answer that was cut. */
    private static final long LAST_WORDS_MS = 1_000;

    /** A share that is not used is free for others within two of these. */
    private static final long SHARES_TICK_MS = 1_000;

    private final Vertx vertx;
    private final DecisionLog log;
    private final Providers providers;
    private final CurrentSnapshot current;
    private final Drain drain;
    private final List<RequestPipeline> pipelines;
    private final Purse purse;
    private final String leasing;
    private Future<Void> stopped;

    private DataPlane(
            Vertx vertx,
            DecisionLog log,
            Providers providers,
            CurrentSnapshot current,
            Drain drain,
            List<RequestPipeline> pipelines,
            Purse purse,
            String leasing) {
        this.vertx = vertx;
        this.log = log;
        this.providers = providers;
        this.current = current;
        this.drain = drain;
        this.pipelines = pipelines;
        this.purse = purse;
        this.leasing = leasing;
    }

    /**
     * What a data plane is built from.
     *
     * @param owners who else is there
     * @param factories providers' plugins by word
     * @param keys makes a verifier for one event loop
     * @param ledger where this node writes what happens to its money; closed by whoever made it, after the data plane has stopped
     * @param lives what was found there: what the lives of this node before this one had
     * @param idempotency closed by whoever made it, after the data plane has stopped
     */
    public record Parts(
            Vertx vertx,
            Bus bus,
            Owners owners,
            Map<String, ProviderFactory> factories,
            CredentialSource credentials,
            Supplier<KeyVerifier> keys,
            AddressPolicy addresses,
            IdempotencyStore idempotency,
            LedgerJournal ledger,
            JournalTotals lives,
            LimitPorts limits,
            MeterRegistry registry) {}

    /** Starts everything; completes when the listener takes requests. */
    public static Future<DataPlane> start(Parts parts, DataPlaneSettings settings) {
        Vertx vertx = parts.vertx();
        DecisionLog log;
        try {
            log = new DecisionLog(settings.decisions());
        } catch (IOException unusable) {
            return Future.failedFuture(unusable);
        }
        CurrentSnapshot current = new CurrentSnapshot();
        Providers providers = new Providers(vertx, parts.factories(), parts.addresses());
        Drain drain = new Drain();
        List<UpstreamClient> clients = new CopyOnWriteArrayList<>();
        Pools pools = new Pools(
                vertx,
                parts.bus(),
                settings.node(),
                settings.pools(),
                new PoolMeters(parts.registry()),
                target -> Future.join(clients.stream()
                                .map(client -> client.ping(target))
                                .toList())
                        .map(answers -> answers.<Boolean>list().contains(true)),
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        RequestMeters meters = new RequestMeters(parts.registry());
        IdempotencyDesk desk = new IdempotencyDesk(parts.idempotency());
        ExactCache cache = new ExactCache(settings.cache());
        Purse purse = new Purse(parts.ledger());
        LeaseActor leases = new LeaseActor(
                parts.bus(),
                new BusCapAuthority(parts.bus()),
                settings.node(),
                purse,
                parts.ledger(),
                parts.lives(),
                LeaseSettings.DEFAULT,
                InstantSource.system());
        Reservations reservations = new Reservations(purse, leases);
        BandBoard bands = new BandBoard();
        TokenCounter counter = new JtokkitCounter();
        for (BudgetBand band : BudgetBand.values()) {
            if (band != BudgetBand.NORMAL) {
                Gauge.builder("sluice.budget.caps", bands, board -> board.count(band))
                        .description("Spend caps that run short")
                        .tag("band", band.name())
                        .register(parts.registry());
            }
        }
        gauges(parts.registry(), drain, pools, log);
        Gauge.builder("sluice.cache.bytes", cache, ExactCache::bytes)
                .description("Answers that equal requests may share")
                .register(parts.registry());
        Gauge.builder("sluice.idempotency.running", desk, IdempotencyDesk::running)
                .description("Requests with an idempotency key that hold it")
                .register(parts.registry());
        LimitCounters limits = new LimitCounters(settings.limits().endUsersMax());
        RateShares shares = parts.limits().sharing().of(limits);
        Limiter limiter = new Limiter(limits, shares, parts.limits().clockMs());
        UpstreamQuotas quotas = new UpstreamQuotas(
                settings.limits().upstreamShare(), shares, parts.limits().clockMs());
        vertx.setPeriodic(SHARES_TICK_MS, timer -> {
            shares.tick();
            limits.forgetUnused(parts.limits().clockMs().getAsLong());
            quotas.forgetUnused();
        });
        AuthThrottle throttle = new AuthThrottle();
        List<RequestPipeline> pipelines = new CopyOnWriteArrayList<>();
        KeyUses uses = new KeyUses(parts.bus());
        Drills drills = new Drills(parts.bus(), settings.node());
        RungProofs proofs = new RungProofs(parts.bus());
        DecisionSource decisions = new ClusterDecisions(
                log,
                Peers.of(
                        NodeRole.DATA,
                        parts.bus(),
                        parts.owners(),
                        ClusterDecisions.ANSWER_MAX,
                        () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime())));
        Supplier<GatewayServer> servers = () -> new GatewayServer(
                settings.gateway(),
                current,
                loop -> {
                    UpstreamClient upstream =
                            new UpstreamClient(loop, providers, parts.credentials(), settings.upstream());
                    clients.add(upstream);
                    IdentifyStep identify = new IdentifyStep(parts.keys().get(), throttle, uses);
                    RequestPipeline pipeline = new RequestPipeline(
                            identify,
                            new ChatRequestParser(ChatLimits.DEFAULT),
                            new PipelineParts(
                                    loop,
                                    loop.getOrCreateContext(),
                                    upstream,
                                    pools,
                                    meters,
                                    log,
                                    proofs,
                                    drills,
                                    desk,
                                    cache,
                                    reservations,
                                    limiter,
                                    limits,
                                    quotas,
                                    bands,
                                    counter,
                                    settings.recall(),
                                    settings.pipeline()));
                    pipelines.add(pipeline);
                    return new GatewayServer.Loop(pipeline, identify, meters, upstream::close);
                },
                decisions,
                drain);
        return vertx.deployVerticle(new SnapshotActor(
                        parts.bus(), settings.node(), current, providers, pools, new Vocabularies(vertx, counter)))
                .compose(done -> vertx.deployVerticle(new DrillActor(parts.bus(), settings.node())))
                .compose(done -> answerQueries(parts.bus(), settings.node(), log))
                .compose(done -> parts.bus().on(Address.BANDS, told -> bands.publish(told.bands(), Instant.now())))
                .compose(done -> vertx.deployVerticle(new VerifyActor(
                        parts.bus(),
                        settings.node(),
                        current,
                        loop -> new UpstreamClient(loop, providers, parts.credentials(), settings.upstream()),
                        proofs,
                        meters,
                        cache,
                        reservations)))
                .compose(done -> vertx.deployVerticle(leases))
                .compose(leasing -> vertx.deployVerticle(
                                servers, new DeploymentOptions().setInstances(settings.eventLoops()))
                        .map(done -> new DataPlane(vertx, log, providers, current, drain, pipelines, purse, leasing)));
    }

    private static Future<?> answerQueries(Bus bus, String node, DecisionLog log) {
        return bus.answer(
                        Address.decision(node),
                        find -> log.find(find.tenant(), find.traceId())
                                .map(found ->
                                        new DecisionPage(found.map(List::of).orElse(List.of()), List.of(), null)))
                .compose(done -> bus.answer(Address.decisions(node), log::find));
    }

    private static void gauges(MeterRegistry registry, Drain drain, Pools pools, DecisionLog log) {
        Gauge.builder("sluice.requests.running", drain, Drain::running)
                .description("Requests being handled")
                .register(registry);
        Gauge.builder("sluice.attempts.running", pools, Pools::inFlight)
                .description("Calls of upstreams in flight")
                .register(registry);
        for (Lane lane : Lane.values()) {
            Gauge.builder("sluice.queue.length", pools, all -> all.queued(lane))
                    .description("Requests that wait for a permit")
                    .tag("lane", lane.word())
                    .register(registry);
        }
        FunctionCounter.builder("sluice.decisions.lost", log, DecisionLog::dropped)
                .description("Decision records that could not be kept")
                .register(registry);
    }

    /** Why this node can not serve yet or any more; null where it can. */
    public String notReady() {
        if (drain.draining()) {
            return "draining";
        }
        return current.ready() ? null : "no configuration yet";
    }

    /**
     * From now on nothing is spent under caps by this node, until it is started again. May be called from any thread.
     *
     * @param reason for people
     */
    public void stopSpending(String reason) {
        purse.stop(reason);
    }

    /** Why nothing is spent under caps by this node any more; null where it may be. */
    public String spendsNothing() {
        return purse.stopped();
    }

    /**
     * Refuses new requests, lets the running ones end, tells those that take too long, and releases everything. A second call
     * gets the future of the first.
     *
     * @param drainMax how long running requests may take
     */
    public synchronized Future<Void> stop(Duration drainMax) {
        if (stopped == null) {
            Future<Void> late = vertx.timer(Math.max(1, drainMax.toMillis()), TimeUnit.MILLISECONDS)
                    .mapEmpty();
            stopped = Future.any(drain.start(), late)
                    .compose(done -> cutTheRest())
                    .transform(done -> vertx.undeploy(leasing))
                    .map(done -> {
                        providers.close();
                        log.close();
                        return null;
                    });
        }
        return stopped;
    }

    private Future<?> cutTheRest() {
        Future<?> told =
                Future.join(pipelines.stream().map(RequestPipeline::drain).toList());
        return Future.any(told, vertx.timer(LAST_WORDS_MS, TimeUnit.MILLISECONDS));
    }
}
