package io.sluice.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.control.ControlPlane;
import io.sluice.data.DataPlane;
import io.sluice.data.DataPlaneSettings;
import io.sluice.data.decision.DecisionLogSettings;
import io.sluice.data.recall.IdempotencyStore;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.request.HashedKeyVerifier;
import io.sluice.data.request.PipelineSettings;
import io.sluice.data.server.GatewaySettings;
import io.sluice.data.upstream.UpstreamLimits;
import io.sluice.ops.settings.Settings;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.net.AddressRule;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.Map;

/**
 * What a node with the role data has for it: the journal of its money, its store of idempotency keys, and the data plane. {@link #begin}, then
 * {@link #start}, both once. One thread at a time, but for {@link #notReady}.
 */
final class DataPart {
    private final Settings settings;
    private final Map<String, ProviderFactory> factories;
    private final int loops;
    private final WarmUp warmUp;
    private volatile DataPlane plane;
    private int port;

    private DataPart(Settings settings, Map<String, ProviderFactory> factories, int loops) {
        this.settings = settings;
        this.factories = factories;
        this.loops = loops;
        warmUp = WarmUp.begin(factories);
    }

    /** Begins to warm the request path up, beside whatever else is started. */
    static DataPart begin(Settings settings, Map<String, ProviderFactory> factories, int loops) {
        return new DataPart(settings, factories, loops);
    }

    /**
     * Returns when it listens.
     *
     * @param control the control plane of this process, where the configuration comes from
     * @param addresses where upstreams may be
     * @param closings takes how each part is closed
     * @throws StartFailedException with what a person can do about it
     */
    void start(
            Place place,
            NodeStores stores,
            ControlPlane control,
            AddressRule addresses,
            MeterRegistry registry,
            Closings closings)
            throws StartFailedException {
        String node = place.owners().node();
        IdempotencyStore idempotency = stores.idempotency(settings.dataDir(), recallSettings());
        closings.add(() -> Wait.on("the store of idempotency keys", idempotency.close(), Closings.CLOSE_S_MAX));
        MoneyJournal money = MoneyJournal.open(settings.dataDir(), settings.journal());
        closings.add(money::close);
        String outbox = Wait.on("the shipping of spend", money.ship(place.vertx(), node, registry), Wait.START_S_MAX);
        closings.add(() -> Wait.on("the shipping of spend", place.vertx().undeploy(outbox), Closings.CLOSE_S_MAX));
        port = freePort();
        DataPlane.Parts parts = new DataPlane.Parts(
                place.vertx(),
                new Bus(place.vertx()),
                place.owners(),
                factories,
                control.credentials(),
                () -> new HashedKeyVerifier(control.keyHasher()),
                (host, address) -> addresses.problem(host, address).isEmpty(),
                idempotency,
                money.ledger(),
                money.lives(),
                stores.limits(),
                registry);
        Future<DataPlane> listening = DataPlane.start(parts, dataSettings(node));
        plane = Wait.on(
                listening, Wait.START_S_MAX, cause -> Ports.explain("listeners.port or SLUICE_PORT", port, cause));
        money.watchedBy(plane);
        closings.add(() -> Wait.on(
                "the data plane",
                plane.stop(settings.drainMax()),
                (int) settings.drainMax().toSeconds() + Closings.CLOSE_S_MAX));
    }

    /** Waits until the request path is warm; the number of requests that it took. */
    int warm() {
        return warmUp.end();
    }

    /** Where it listens; after {@link #start}. */
    int port() {
        return port;
    }

    /** Why it should get no traffic; null where it may, after {@link #start}. Any thread. */
    String notReady() {
        return plane.notReady();
    }

    private int freePort() throws StartFailedException {
        int wished = settings.listeners().port();
        try {
            return wished == 0 ? Ports.free(settings.listeners().host()) : wished;
        } catch (IOException noSuchInterface) {
            throw new StartFailedException(
                    "can't listen on " + settings.listeners().host() + ": " + noSuchInterface.getMessage(),
                    noSuchInterface);
        }
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

    private DataPlaneSettings dataSettings(String node) {
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
}
