package io.sluice.ops.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import io.sluice.ops.settings.ClusterSettings;
import io.sluice.tenants.NodeRole;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * How a member is set. The numbers are measured: with Hazelcast's own a node that stalls costs half of all requests between nodes
 * for a minute, and two parts of a cluster that don't see each other both take writes and throw one part's away.
 */
final class MemberConfig {
    /** Under this name each member tells its node id. */
    static final String NODE = "sluice.node";

    /** Under this name each member tells what it is there for; a member of a release before roles does everything and tells nothing. */
    private static final String ROLES = "sluice.roles";

    /** Maps of soft states are called so, and then the kind. */
    static final String STATES = "sluice.states.";

    /** Vert.x finds its own id of the member under this name. */
    private static final String VERTX_NODE = "__vertx.nodeId";

    private static final String MAJORITY = "majority";

    /** Two members that die at once lost a fifth of all writes with one backup, and none with two. */
    private static final int BACKUPS = 2;

    private MemberConfig() {}

    /**
     * The configuration of one life of a member.
     *
     * @param roles of the node
     * @param address of {@link ClusterSettings#host}, as digits
     */
    static Config of(ClusterSettings settings, String node, Set<NodeRole> roles, String address) {
        Config config = new Config();
        config.setClusterName(settings.name());
        properties(config);
        config.getMetricsConfig().setEnabled(false);
        config.getJetConfig().setEnabled(false);
        config.getMemberAttributeConfig()
                .setAttribute(NODE, node)
                .setAttribute(ROLES, roles.stream().sorted().map(NodeRole::word).collect(Collectors.joining(",")))
                .setAttribute(VERTX_NODE, UUID.randomUUID().toString());
        network(config.getNetworkConfig(), settings, address);
        config.getSerializationConfig()
                .addDataSerializableFactory(SoftStateTypes.FACTORY, new SoftStateTypes())
                .setJavaSerializationFilterConfig(onlyWhatMembersSend());
        config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig(MAJORITY, true, settings.majority())
                .setProtectOn(SplitBrainProtectionOn.WRITE));
        config.addMapConfig(new MapConfig(STATES + "*")
                .setBackupCount(BACKUPS)
                .setInMemoryFormat(InMemoryFormat.BINARY)
                .setStatisticsEnabled(false)
                .setSplitBrainProtectionName(MAJORITY)
                .setMergePolicyConfig(new MergePolicyConfig().setPolicy(HigherVersionWins.class.getName())));
        busMaps(config);
        return config;
    }

    /** What {@code member} is there for; words of a later release are passed over. */
    static Set<NodeRole> roles(Member member) {
        String told = member.getAttribute(ROLES);
        return told == null
                ? Set.of(NodeRole.values())
                : Arrays.stream(told.split(","))
                        .map(NodeRole::of)
                        .flatMap(Optional::stream)
                        .collect(Collectors.toUnmodifiableSet());
    }

    private static void properties(Config config) {
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.setProperty("hazelcast.partition.count", "271");
        config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
        config.setProperty("hazelcast.max.no.heartbeat.seconds", "10");
        config.setProperty("hazelcast.operation.fail.on.indeterminate.state", "true");
        // Nobody waits for members that might still come: they come when they come.
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        // Two parts that see each other again become one within seconds; Hazelcast would look every two to five
        // minutes.
        config.setProperty("hazelcast.merge.first.run.delay.seconds", "5");
        config.setProperty("hazelcast.merge.next.run.delay.seconds", "3");
        // Else it would listen on every interface, whatever it is told.
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.setProperty("hazelcast.graceful.shutdown.max.wait", "15");
        // The longest that anything waits for a member that is there and does not answer.
        config.setProperty("hazelcast.operation.call.timeout.millis", "15000");
        // What is kept here is small; the usual thread for every core and use would be idle stacks.
        config.setProperty("hazelcast.operation.thread.count", "2");
        config.setProperty("hazelcast.operation.generic.thread.count", "2");
        config.setProperty("hazelcast.event.thread.count", "1");
        config.setProperty("hazelcast.io.input.thread.count", "1");
        config.setProperty("hazelcast.io.output.thread.count", "1");
    }

    private static void network(NetworkConfig network, ClusterSettings settings, String address) {
        network.setPort(settings.port()).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface(address);
        network.getRestApiConfig().setEnabled(false);
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(settings.multicast());
        join.getTcpIpConfig()
                .setEnabled(!settings.members().isEmpty())
                .setConnectionTimeoutSeconds(2)
                .setMembers(settings.members());
        settings.kubernetesService()
                .ifPresent(service -> join.getKubernetesConfig()
                        .setEnabled(true)
                        .setProperty("service-dns", service)
                        .setProperty("service-port", String.valueOf(settings.port())));
    }

    /** These three are Vert.x's own, as it ships them. */
    private static void busMaps(Config config) {
        config.addMultiMapConfig(new MultiMapConfig("__vertx.subs")
                .setBackupCount(1)
                .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET));
        config.addMapConfig(new MapConfig("__vertx.haInfo").setBackupCount(1));
        config.addMapConfig(new MapConfig("__vertx.nodeInfo").setBackupCount(1));
    }

    /** Members send each other failures as Java objects, and nothing else: a class that is not listed is not made. */
    private static JavaSerializationFilterConfig onlyWhatMembersSend() {
        return new JavaSerializationFilterConfig()
                .setDefaultsDisabled(true)
                .setWhitelist(new ClassFilter()
                        .addPrefixes("com.hazelcast.", "io.vertx.spi.cluster.hazelcast.impl.")
                        .addPackages("java.lang", "java.io", "java.util.concurrent")
                        .addClasses(
                                "[Ljava.lang.StackTraceElement;",
                                "[Ljava.lang.Throwable;",
                                "[Ljava.lang.Object;",
                                "java.util.Collections$EmptyList",
                                "java.util.Collections$SynchronizedCollection",
                                "java.util.Collections$UnmodifiableList",
                                "java.util.Collections$UnmodifiableCollection",
                                "java.util.ArrayList",
                                "java.util.UUID"));
    }
}
