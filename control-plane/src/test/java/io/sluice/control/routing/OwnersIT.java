package io.sluice.control.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.health.HealthActor;
import io.sluice.control.owner.MovableOwners;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.message.BusMessage.PoolHealthsMerged;
import io.sluice.tenants.message.BusMessage.PoolReported;
import io.sluice.tenants.message.BusMessage.PoolsReported;
import io.sluice.tenants.message.BusMessage.WeightsPublished;
import io.sluice.tenants.routing.PoolWeights;
import io.sluice.tenants.routing.PublishedWeights;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Health and weights of three nodes on one bus, whose pools the test moves. */
class OwnersIT {
    private static final ScopedId POOL = ScopedId.platform("std");

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final SoftStates states = new SoftStates.InMemory();
    private final Map<String, String> owners = new ConcurrentHashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<PoolWeights> told = new CopyOnWriteArrayList<>();
    private final List<PoolHealthsMerged> merged = new CopyOnWriteArrayList<>();

    private final class Node {
        final MovableOwners view;
        final AtomicReference<PublishedWeights> known = new AtomicReference<>(PublishedWeights.NONE);
        final AtomicReference<PublishedWeights> applied = new AtomicReference<>(PublishedWeights.NONE);

        Node(String name) throws Exception {
            view = new MovableOwners(name, owners);
            await(bus.on(
                    Address.WEIGHTS,
                    (WeightsPublished message) -> applied.updateAndGet(before -> before.plus(message.pools()))));
            await(vertx.deployVerticle(new RoutingActor(bus, view, states, known::set, Clock.systemUTC())));
            await(vertx.deployVerticle(new HealthActor(bus, view, known::get, Clock.systemUTC())));
        }
    }

    @BeforeEach
    void start() throws Exception {
        await(bus.on(Address.WEIGHTS, (WeightsPublished message) -> told.addAll(message.pools())));
        await(bus.on(Address.POOL_HEALTH, merged::add));
        owners.put(POOL.key(), "n1");
        for (String name : List.of("n1", "n2", "n3")) {
            nodes.add(new Node(name));
        }
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
    }

    private void report(String to, long usable, long unusable) {
        TargetWindow window = new TargetWindow(
                "t",
                usable,
                unusable == 0 ? Map.of() : Map.of(FailureClass.NETWORK, unusable),
                LatencyHistogram.EMPTY,
                LatencyHistogram.EMPTY,
                0,
                TargetState.SERVING,
                1);
        bus.send(
                Address.poolReports(to),
                new PoolsReported("n9", List.of(new PoolReported(POOL, "n9", 0, List.of(window), 0))));
    }

    private double weight(PublishedWeights weights) {
        return weights.of(POOL).getOrDefault("t", 1.0);
    }

    @Test
    void theNextOwnerGoesOnFromThereWithoutAJump() throws Exception {
        report("n1", 0, 50);
        eventually("all know", () -> nodes.stream().allMatch(node -> weight(node.applied.get()) < 0.05));

        owners.put(POOL.key(), "n2");
        report("n2", 500, 0);
        eventually("it climbs", () -> weight(nodes.get(0).applied.get()) > 0.3);

        List<PoolWeights> all = List.copyOf(told);
        assertThat(all).extracting(weights -> weights.stamp().node()).contains("n1", "n2");
        double climbed = 1;
        long number = 0;
        for (PoolWeights each : all) {
            double weight = each.health().get("t");
            if (each.stamp().number() > number) {
                assertThat(weight - climbed).as("climb to %s", each).isLessThan(0.2);
                climbed = weight;
            }
            number = Math.max(number, each.stamp().number());
        }
        assertThat(all.stream().filter(each -> each.stamp().node().equals("n2")))
                .allMatch(each -> each.stamp().number() > 1);
    }

    @Test
    void aReportThatReachesAnotherNodeIsDropped() throws Exception {
        report("n3", 0, 50);
        report("n1", 0, 50);
        eventually("the owner merged", () -> !merged.isEmpty());
        TimeUnit.MILLISECONDS.sleep(1_200);
        assertThat(merged).extracting(PoolHealthsMerged::node).containsOnly("n1");
        assertThat(told).extracting(weights -> weights.stamp().node()).containsOnly("n1");
    }

    @Test
    void aNodeThatStartsKnowsWhatIsStored() throws Exception {
        report("n1", 0, 50);
        eventually("it is stored", () -> !await0(states.all("weights")).isEmpty());

        Node late = new Node("n4");

        assertThat(weight(late.known.get())).isLessThan(0.05);
    }

    @Test
    void twoWhoBothBelieveToOwnAPoolAgreeAfterwards() throws Exception {
        nodes.get(1).view.believe(POOL.key(), "n2");
        report("n1", 0, 50);
        report("n2", 30, 20);
        eventually(
                "both tell",
                () -> told.stream()
                                .map(weights -> weights.stamp().node())
                                .distinct()
                                .count()
                        == 2);
        nodes.get(1).view.agree();
        report("n1", 0, 50);

        eventually(
                "all have the same",
                () -> nodes.stream().map(node -> node.applied.get()).distinct().count() == 1
                        && nodes.stream()
                                        .map(node -> node.known.get())
                                        .distinct()
                                        .count()
                                == 1
                        && weight(nodes.get(2).applied.get()) < 0.05);
        assertThat(weight(nodes.get(0).applied.get())).isCloseTo(0.02, within(0.03));
    }

    private static Map<String, ?> await0(Future<? extends Map<String, ?>> future) {
        return future.result();
    }

    private static void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(20);
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
