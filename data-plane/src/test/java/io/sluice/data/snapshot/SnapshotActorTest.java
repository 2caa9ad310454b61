package io.sluice.data.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.data.jtokkit.JtokkitCounter;
import io.sluice.data.pool.PoolSettings;
import io.sluice.data.pool.Pools;
import io.sluice.data.seeing.PoolMeters;
import io.sluice.data.tokens.Vocabularies;
import io.sluice.data.upstream.Providers;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.message.BusMessage.SnapshotApplied;
import io.sluice.tenants.message.BusMessage.SnapshotPublished;
import io.sluice.tenants.message.BusMessage.WeightsPublished;
import io.sluice.tenants.routing.PoolWeights;
import io.sluice.tenants.routing.PublishedWeights;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.shift.PublishedShifts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SnapshotActorTest {
    private static final ScopedId POOL = ScopedId.platform("std");

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final CurrentSnapshot current = new CurrentSnapshot();
    private final Promise<SnapshotPublished> answer = Promise.promise();
    private final Promise<Void> asked = Promise.promise();
    private final BlockingQueue<SnapshotApplied> applied = new LinkedBlockingQueue<>();
    private Future<String> started;

    @BeforeEach
    void start() throws Exception {
        await(bus.answer(Address.SNAPSHOT_REQUESTS, question -> {
            asked.tryComplete();
            return answer.future();
        }));
        await(bus.on(Address.APPLIED, applied::add));
        Pools pools = new Pools(
                vertx,
                bus,
                "n1",
                PoolSettings.DEFAULT,
                new PoolMeters(new SimpleMeterRegistry()),
                target -> Future.succeededFuture(false),
                System::currentTimeMillis);
        Providers providers = new Providers(vertx, Map.of(), (host, address) -> true);
        started = vertx.deployVerticle(
                new SnapshotActor(bus, "n1", current, providers, pools, new Vocabularies(vertx, new JtokkitCounter())));
        await(asked.future());
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
    }

    private static PoolWeights weights(long number, double health) {
        return new PoolWeights(POOL, new Stamp(number, "n1"), Map.of("t", health));
    }

    private static SnapshotPublished configuration(PoolWeights... known) {
        Snapshot snapshot = new Snapshot(7, Map.of(), Map.of(), Map.of(), PublishedWeights.NONE, PublishedShifts.NONE)
                .with(PublishedWeights.NONE.plus(List.of(known)));
        return new SnapshotPublished(snapshot, "test", Instant.EPOCH);
    }

    private void publish(PoolWeights weights) {
        bus.publish(Address.WEIGHTS, new WeightsPublished("n2", List.of(weights)));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void weightsThatComeBeforeTheFirstConfigurationMakeNoNodeReady() throws Exception {
        publish(weights(1, 0.5));
        await(vertx.timer(100));
        assertThat(current.ready()).isFalse();

        answer.complete(configuration());
        await(started);

        assertThat(current.ready()).isTrue();
        assertThat(current.get().weights().of(POOL)).containsEntry("t", 0.5);
    }

    @Test
    void aNodeStartsWithTheWeightsThatItsControlPlaneKnows() throws Exception {
        answer.complete(configuration(weights(3, 0.02)));
        await(started);
        assertThat(current.get().weights().of(POOL)).containsEntry("t", 0.02);
        assertThat(applied.poll(10, TimeUnit.SECONDS)).isEqualTo(new SnapshotApplied("n1", 7, 3));
    }

    @Test
    void olderWeightsAreNotTakenAndNewerOnesAreSaidToBeApplied() throws Exception {
        answer.complete(configuration(weights(3, 0.02)));
        await(started);
        publish(weights(2, 1));
        publish(weights(5, 0.3));
        publish(weights(4, 1));
        applied.poll(10, TimeUnit.SECONDS);
        assertThat(applied.poll(10, TimeUnit.SECONDS)).isEqualTo(new SnapshotApplied("n1", 7, 5));
        assertThat(current.get().weights().of(POOL)).containsEntry("t", 0.3);
        assertThat(applied.poll(200, TimeUnit.MILLISECONDS)).isNull();
    }
}
