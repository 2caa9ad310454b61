package io.sluice.ops.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.plugins.bus.SoftStates.Versioned;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecision;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HazelcastNodeIT {
    private static final List<String> KEYS =
            IntStream.range(0, 1_000).mapToObj(i -> "tenant-1/pool-" + i).toList();

    @Test
    void givesEveryKeyOneOwnerThatAllNodesAgreeOn() throws Exception {
        try (TestCluster cluster = new TestCluster(3)) {
            Owners first = cluster.join(0).owners();
            Owners second = cluster.join(1).owners();
            Owners third = cluster.join(2).owners();

            eventually(() -> Set.copyOf(owners(first).values()).size() == 3
                    && owners(first).equals(owners(second))
                    && owners(first).equals(owners(third)));
            Map<String, Long> keys = owners(first).values().stream()
                    .collect(Collectors.groupingBy(owner -> owner, TreeMap::new, Collectors.counting()));
            assertThat(keys).containsOnlyKeys("node-0", "node-1", "node-2");
            assertThat(keys.values()).allMatch(owned -> owned > 200);
            assertThat(KEYS)
                    .allMatch(key ->
                            first.mine(key) == first.ownerOf(key).orElseThrow().equals("node-0"));
        }
    }

    @Test
    void handsEverythingOverWhenANodeLeaves() throws Exception {
        try (TestCluster cluster = new TestCluster(3)) {
            HazelcastNode staying = cluster.join(0);
            HazelcastNode other = cluster.join(1);
            HazelcastNode leaving = cluster.join(2);
            SoftStates states = leaving.states(Vertx.vertx());
            for (String key : KEYS.subList(0, 50)) {
                TestCluster.again(() -> states.save("handed", key, new Versioned(1, "{}")));
            }
            eventually(() -> staying.owners().nodes().size() == 3);

            leaving.leave();

            eventually(() -> staying.owners().nodes().size() == 2
                    && other.owners().nodes().size() == 2);
            eventually(() -> owners(staying.owners()).equals(owners(other.owners())));
            assertThat(owners(staying.owners())).doesNotContainValue("node-2");
            SoftStates left = staying.states(Vertx.vertx());
            assertThat(TestCluster.again(() -> left.all("handed"))).hasSize(50);
        }
    }

    @Test
    void givesNothingToANodeThatOnlyTakesRequests() throws Exception {
        try (TestCluster cluster = new TestCluster(3)) {
            Owners first = cluster.join(0, NodeRole.DATA).owners();
            assertThat(owners(first)).containsValues("nobody").doesNotContainValue("node-0");
            HazelcastNode control = cluster.join(1, NodeRole.CONTROL);
            Owners third = cluster.join(2, NodeRole.DATA).owners();

            eventually(() -> Set.copyOf(owners(first).values()).equals(Set.of("node-1"))
                    && owners(third).equals(owners(first))
                    && owners(control.owners()).equals(owners(first)));
            assertThat(first.nodes(NodeRole.DATA)).containsExactlyInAnyOrder("node-0", "node-2");
            assertThat(third.nodes(NodeRole.CONTROL)).containsExactly("node-1");

            control.leave();

            eventually(() -> Set.copyOf(owners(first).values()).equals(Set.of("nobody"))
                    && owners(third).equals(owners(first)));
            assertThat(KEYS).noneMatch(first::mine);
        }
    }

    @Test
    void takesAMemberOfAReleaseBeforeRolesForOneThatDoesEverything() throws Exception {
        try (TestCluster cluster = new TestCluster(2)) {
            Owners fresh = cluster.join(0, NodeRole.DATA).owners();
            Config config = MemberConfig.of(cluster.settings(1), "old", Set.of(), "127.0.0.1");
            config.getMemberAttributeConfig().removeAttribute("sluice.roles");
            HazelcastInstance old = Hazelcast.newHazelcastInstance(config);
            try {
                eventually(() -> Set.copyOf(owners(fresh).values()).equals(Set.of("old")));
                assertThat(fresh.nodes(NodeRole.DATA)).containsExactlyInAnyOrder("node-0", "old");
            } finally {
                old.shutdown();
            }
        }
    }

    @Test
    void carriesMessagesBetweenNodes() throws Exception {
        try (TestCluster cluster = new TestCluster(2)) {
            Bus asking = new Bus(cluster.vertx(cluster.join(0)));
            Bus answering = new Bus(cluster.vertx(cluster.join(1)));
            await(answering.answer(
                    Address.decision("node-1"),
                    find -> Future.succeededFuture(new DecisionPage(List.of(), List.of(), find.traceId()))));

            eventually(() -> "0af7".equals(ask(asking)));
        }
    }

    @Test
    void refusesASecondNodeOfTheSameId() throws Exception {
        try (TestCluster cluster = new TestCluster(2)) {
            HazelcastNode first = cluster.join(0);

            assertThatThrownBy(() -> HazelcastNode.join(cluster.settings(1), "node-0", Set.of(NodeRole.DATA)))
                    .isInstanceOf(ClusterJoinException.class)
                    .hasMessageContaining("has a node node-0 already")
                    .hasMessageContaining("cluster.node");
            eventually(() -> first.owners().nodes().size() == 1);
        }
    }

    @Test
    void saysWhichPortIsInUse() throws Exception {
        try (TestCluster cluster = new TestCluster(1);
                ServerSocket taken =
                        new ServerSocket(cluster.settings(0).port(), 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> cluster.join(0))
                    .isInstanceOf(ClusterJoinException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("cluster.port");
        }
    }

    private static String ask(Bus bus) throws Exception {
        return await(bus.request(
                        Address.decision("node-1"),
                        new FindDecision(null, "0af7"),
                        DecisionPage.class,
                        Duration.ofSeconds(1))
                .map(DecisionPage::next)
                .otherwise("nobody"));
    }

    private static Map<String, String> owners(Owners owners) {
        return KEYS.stream()
                .collect(Collectors.toMap(key -> key, key -> owners.ownerOf(key).orElse("nobody")));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private static void eventually(Callable<Boolean> condition) throws Exception {
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.call()) {
            assertThat(System.nanoTime()).isLessThan(untilNs);
            Thread.sleep(50);
        }
    }
}
