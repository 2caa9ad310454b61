package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.ops.redis.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/**
 * A cluster as people run it: JVMs of the packaged jar and a Redis of their own, on loopback, under a name of its own, each node with
 * the demo tenant. Closing it kills what still runs. One thread at a time.
 */
final class ClusterProcesses implements AutoCloseable {
    static final String ADMIN_TOKEN = "the-token-of-all-nodes";

    /** Providers are on this machine; where it is busy, requests wait longer than people would. */
    static final String SETTINGS = """
            upstreams:
              allowPrivate: [127.0.0.1]
            queue:
              realtimeWaitMax: PT10S
            """;

    private static final String SECRET_KEY = "the-secret-of-all-nodes";
    private static final long WAIT_S_MAX = 120;

    private final Path directory;
    private final Shape shape;
    private final String redisUrls;
    private RedisServer redis;
    private RedisServer replica;
    private final String name = "test-" + UUID.randomUUID();
    private final List<String> members = new ArrayList<>();
    private final Map<Integer, SluiceProcess> nodes = new ConcurrentSkipListMap<>();

    /**
     * What is to be started.
     *
     * @param settings a settings file for all nodes, which then have no demo tenant; null where there is none
     * @param replica whether Redis has a replica that confirms each write
     * @param own what single nodes have in their environment besides, by index
     */
    record Shape(int size, String settings, boolean replica, Map<Integer, Map<String, String>> own) {
        Shape(int size, String settings, boolean replica) {
            this(size, settings, replica, Map.of());
        }

        /** Whether operators may ask node {@code index}. */
        private boolean controls(int index) {
            return own.getOrDefault(index, Map.of())
                    .getOrDefault("SLUICE_ROLES", "control")
                    .contains("control");
        }
    }

    private ClusterProcesses(Path directory, Shape shape) throws IOException {
        this.directory = directory;
        this.shape = shape;
        redis = RedisServer.start(Files.createDirectories(directory.resolve("redis")));
        replica = shape.replica()
                ? RedisServer.replicaOf(redis, Files.createDirectories(directory.resolve("replica")))
                : null;
        redisUrls = replica == null ? redis.endpoint() : redis.endpoint() + "," + replica.endpoint();
        if (shape.settings() != null) {
            Files.writeString(settingsFile(), shape.settings());
        }
        for (int i = 0; i < shape.size(); i++) {
            members.add("127.0.0.1:" + freePort());
        }
    }

    /** Starts {@code size} nodes at once and waits until all are ready and see each other. */
    static ClusterProcesses start(Path directory, int size) throws Exception {
        return start(directory, new Shape(size, null, false));
    }

    /** Starts what {@code shape} says and waits until all nodes are ready and see each other; nothing is left running where one fails. */
    static ClusterProcesses start(Path directory, Shape shape) throws Exception {
        return start(directory, shape, shape.size());
    }

    /** Likewise, but only the first so many of its nodes; the others begin when the test says so. */
    static ClusterProcesses start(Path directory, Shape shape, int begun) throws Exception {
        ClusterProcesses cluster = new ClusterProcesses(directory, shape);
        boolean done = false;
        try {
            for (int i = 0; i < begun; i++) {
                cluster.begin(i);
            }
            for (int i = 0; i < begun; i++) {
                cluster.node(i).awaitReady();
            }
            cluster.awaitMembers(begun);
            done = true;
            return cluster;
        } finally {
            if (!done) {
                cluster.close();
            }
        }
    }

    private Path settingsFile() {
        return directory.resolve("sluice.yaml");
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Starts node {@code index}, again where it ran before. */
    SluiceProcess begin(int index) throws IOException {
        Map<String, String> environment = new HashMap<>(Map.of(
                "SLUICE_PORT",
                "0",
                "SLUICE_ADMIN_PORT",
                "0",
                "SLUICE_ADMIN_TOKEN",
                ADMIN_TOKEN,
                "SLUICE_SECRET_KEY",
                SECRET_KEY,
                "SLUICE_CLUSTER",
                "true",
                "SLUICE_NODE",
                "node-" + index,
                "SLUICE_CLUSTER_NAME",
                name,
                "SLUICE_CLUSTER_PORT",
                members.get(index).replaceFirst(".*:", ""),
                "SLUICE_CLUSTER_MEMBERS",
                String.join(",", members)));
        environment.put("SLUICE_REDIS_URLS", redisUrls);
        environment.put("SLUICE_REDIS_REPLICAS_MIN", replica == null ? "0" : "1");
        environment.putAll(shape.own().getOrDefault(index, Map.of()));
        List<String> words = new ArrayList<>(
                List.of("up", "--data-dir", directory.resolve("node-" + index).toString()));
        if (shape.settings() != null) {
            words.addAll(List.of("--config", settingsFile().toString()));
        }
        SluiceProcess started = SluiceProcess.start(directory, environment, words.toArray(String[]::new));
        nodes.put(index, started);
        return started;
    }

    SluiceProcess node(int index) {
        return nodes.get(index);
    }

    /** The administrator, who asks node {@code index}. */
    Admin admin(int index) {
        return new Admin(node(index), ADMIN_TOKEN);
    }

    /** The primary. */
    RedisServer redis() {
        return redis;
    }

    RedisServer replica() {
        return replica;
    }

    /** kill -9 of the primary; the replica takes over, and who was killed comes back as its replica. */
    void failOver() throws Exception {
        RedisServer killed = redis;
        killed.kill();
        replica.promote();
        redis = replica;
        replica = killed;
        killed.startAsReplicaOf(redis);
    }

    /** Epochs that nodes which are not forgotten and control serve by, as each of them says of itself. */
    Set<Long> epochsServed() throws Exception {
        Set<Long> epochs = new TreeSet<>();
        for (int index : controllers()) {
            served(index, seenBy(index), epochs);
        }
        return epochs;
    }

    /** Waits until all nodes that are not forgotten serve the same epoch and none of them knows a newer one. */
    void awaitOneEpoch() throws Exception {
        eventually("one epoch", () -> {
            long newest = 0;
            Set<Long> served = new TreeSet<>();
            for (int index : controllers()) {
                JsonNode seen = seenBy(index);
                newest = Math.max(newest, seen.get("epoch").asLong());
                served(index, seen, served);
            }
            return served.equals(Set.of(newest));
        });
    }

    private JsonNode seenBy(int index) throws Exception {
        return admin(index)
                .ask("{ cluster { epoch members { id appliedEpoch } } }")
                .get("cluster");
    }

    /** Adds what node {@code index} says that it serves by itself. */
    private static void served(int index, JsonNode seen, Set<Long> epochs) {
        for (JsonNode member : seen.get("members")) {
            if (member.get("id").asText().equals("node-" + index)) {
                epochs.add(member.get("appliedEpoch").asLong());
            }
        }
    }

    /** From now on node {@code index} is not waited for. */
    void forget(int index) {
        nodes.remove(index).close();
    }

    /** Ids that node {@code index} lists as members of the cluster. */
    List<String> membersSeenBy(int index) throws Exception {
        String answer = node(index)
                .graphql(ADMIN_TOKEN, "{ cluster { members { id appliedEpoch } } }")
                .body();
        return java.util.regex.Pattern.compile("\"id\":\"([^\"]+)\"")
                .matcher(answer)
                .results()
                .map(member -> member.group(1))
                .toList();
    }

    private List<Integer> controllers() {
        return nodes.keySet().stream().filter(shape::controls).toList();
    }

    /** Waits until every node that is not forgotten, and controls, lists so many members. */
    void awaitMembers(int size) throws Exception {
        for (int index : controllers()) {
            eventually("members of node " + index, () -> membersSeenBy(index).size() == size);
        }
    }

    /** Waits for {@code condition}; what it throws counts as not yet. */
    static void eventually(String what, Callable<Boolean> condition) throws Exception {
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S_MAX);
        while (true) {
            try {
                if (condition.call()) {
                    return;
                }
            } catch (IOException notYet) {
                // a node that is stopping or starting
            }
            assertThat(System.nanoTime()).as(what).isLessThan(untilNs);
            Thread.sleep(100);
        }
    }

    @Override
    public void close() {
        nodes.values().forEach(SluiceProcess::close);
        if (replica != null) {
            replica.close();
        }
        redis.close();
    }
}
