package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.ops.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A cluster of the packaged jar in which each node has a machine of its own in a {@link CutNetwork}. Redis runs beside the test. Closing
 * it kills what still runs and removes the network. One thread at a time.
 */
final class SplitCluster implements AutoCloseable {
    private static final String ADMIN_TOKEN = "the-token-of-all-nodes";
    private static final int MEMBER_PORT = 5701;

    private final CutNetwork network;
    private final RedisServer redis;
    private final List<SluiceProcess> nodes = new ArrayList<>();

    private SplitCluster(CutNetwork network, RedisServer redis) {
        this.network = network;
        this.redis = redis;
    }

    /** Starts {@code size} nodes at once and waits until all are ready and see each other; nothing is left where one fails. */
    static SplitCluster start(Path directory, int size) throws Exception {
        CutNetwork network = CutNetwork.of(size);
        SplitCluster cluster = null;
        boolean done = false;
        try {
            RedisServer redis = RedisServer.start(
                    Files.createDirectories(directory.resolve("redis")),
                    "--bind",
                    "127.0.0.1",
                    network.redisAddress(),
                    "--protected-mode",
                    "no");
            cluster = new SplitCluster(network, redis);
            cluster.begin(directory, size);
            done = true;
            return cluster;
        } finally {
            if (!done && cluster != null) {
                cluster.close();
            } else if (!done) {
                network.close();
            }
        }
    }

    private void begin(Path directory, int size) throws Exception {
        Path settings = Files.writeString(
                directory.resolve("sluice.yaml"), "upstreams:\n  allowPrivate: [" + network.testAddress() + "]\n");
        List<String> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            members.add(network.memberAddress(i) + ":" + MEMBER_PORT);
        }
        Map<String, String> ofAll = Map.of(
                "SLUICE_PORT",
                "0",
                "SLUICE_ADMIN_PORT",
                "0",
                "SLUICE_ADMIN_TOKEN",
                ADMIN_TOKEN,
                "SLUICE_SECRET_KEY",
                "the-secret-of-all-nodes",
                "SLUICE_CLUSTER",
                "true",
                "SLUICE_CLUSTER_NAME",
                "test-" + UUID.randomUUID(),
                "SLUICE_CLUSTER_PORT",
                String.valueOf(MEMBER_PORT),
                "SLUICE_CLUSTER_MEMBERS",
                String.join(",", members),
                "SLUICE_REDIS_URLS",
                "redis://" + network.redisAddress() + ":" + redis.port());
        for (int i = 0; i < size; i++) {
            Map<String, String> environment = new HashMap<>(ofAll);
            environment.put("SLUICE_NODE", "node-" + i);
            environment.put("SLUICE_HOST", network.testedAddress(i));
            environment.put("SLUICE_CLUSTER_HOST", network.memberAddress(i));
            nodes.add(SluiceProcess.start(
                    network.onMachine(i),
                    directory,
                    environment,
                    "up",
                    "--config",
                    settings.toString(),
                    "--data-dir",
                    directory.resolve("node-" + i).toString()));
        }
        for (SluiceProcess node : nodes) {
            node.awaitReady();
        }
        for (int i = 0; i < size; i++) {
            awaitMembers(i, size);
        }
    }

    /** The address at which a provider of the test reaches all nodes, whatever is cut. */
    String testAddress() {
        return network.testAddress();
    }

    int size() {
        return nodes.size();
    }

    SluiceProcess node(int index) {
        return nodes.get(index);
    }

    RedisServer redis() {
        return redis;
    }

    /** The administrator, who asks node {@code index}. */
    Admin admin(int index) {
        return new Admin(node(index), ADMIN_TOKEN);
    }

    /** Node {@code index} reaches neither other nodes nor Redis any more. */
    void cut(int index) throws IOException {
        network.cut(index);
    }

    /** Node {@code index} reaches Redis, and no other node any more. */
    void cutFromMembers(int index) throws IOException {
        network.cutFromMembers(index);
    }

    void heal(int index) throws IOException {
        network.heal(index);
    }

    /** Waits until node {@code index} lists so many members. */
    void awaitMembers(int index, int count) throws Exception {
        ClusterProcesses.eventually(
                count + " members at node " + index,
                () -> cluster(index).path("members").size() == count);
    }

    long epoch(int index) throws Exception {
        return cluster(index).path("epoch").asLong();
    }

    private JsonNode cluster(int index) throws Exception {
        return admin(index).ask("{ cluster { epoch members { id } } }").path("cluster");
    }

    /** All nodes are those that were started. */
    void assertNobodyRestarted() {
        assertThat(nodes).allMatch(SluiceProcess::runs);
    }

    @Override
    public void close() {
        nodes.forEach(SluiceProcess::close);
        redis.close();
        network.close();
    }
}
