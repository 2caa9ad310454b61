package io.sluice.ops.hazelcast;

import io.sluice.ops.settings.ClusterSettings;
import io.sluice.tenants.NodeRole;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Several nodes of one cluster in this JVM, on loopback and under a name of their own. Closing it stops them. Not thread-safe. */
final class TestCluster implements AutoCloseable {
    private static final int ASKED_MAX = 15;

    private final String name = "test-" + UUID.randomUUID();
    private final List<String> members = new ArrayList<>();
    private final List<HazelcastNode> nodes = new ArrayList<>();
    private final List<Vertx> vertxs = new ArrayList<>();

    /** One with {@code size} places; nobody is there yet. */
    TestCluster(int size) throws IOException {
        for (int i = 0; i < size; i++) {
            members.add("127.0.0.1:" + freePort());
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** What the node of place {@code index} starts with. */
    ClusterSettings settings(int index) {
        return new ClusterSettings(
                Optional.empty(),
                name,
                "127.0.0.1",
                Integer.parseInt(members.get(index).replaceFirst(".*:", "")),
                0,
                members,
                Optional.empty(),
                false,
                members.size() / 2 + 1);
    }

    /** The node {@code node-index} joins with both roles. */
    HazelcastNode join(int index) throws ClusterJoinException {
        return join(index, NodeRole.values());
    }

    /** The node {@code node-index} joins. */
    HazelcastNode join(int index, NodeRole... roles) throws ClusterJoinException {
        HazelcastNode node = HazelcastNode.join(settings(index), "node-" + index, Set.of(roles));
        nodes.add(node);
        return node;
    }

    /** A Vert.x of {@code node}. */
    Vertx vertx(HazelcastNode node) throws Exception {
        Vertx vertx = node.vertx(new VertxOptions().setEventLoopPoolSize(1))
                .toCompletionStage()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        vertxs.add(vertx);
        return vertx;
    }

    @Override
    public void close() {
        for (Vertx vertx : vertxs) {
            vertx.close()
                    .toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(30, TimeUnit.SECONDS)
                    .join();
        }
        nodes.forEach(HazelcastNode::leave);
    }

    /** As the product does it: what was not answered in time, on a busy machine or while members come and go, is asked again. */
    static <T> T again(Supplier<Future<T>> ask) throws Exception {
        for (int time = 1; ; time++) {
            try {
                return ask.get().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
            } catch (ExecutionException failed) {
                if (time == ASKED_MAX || !(failed.getCause() instanceof TimeoutException)) {
                    throw failed;
                }
            }
        }
    }
}
