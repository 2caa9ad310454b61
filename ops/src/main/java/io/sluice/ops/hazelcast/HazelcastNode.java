package io.sluice.ops.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.partition.MigrationListener;
import com.hazelcast.partition.MigrationState;
import com.hazelcast.partition.ReplicaMigrationEvent;
import io.sluice.ops.settings.ClusterSettings;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.NodeRole;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's membership of a cluster, from {@link #join} to {@link #leave}: who is there, who owns what, the bus between nodes and
 * the states they share. Thread-safe.
 */
public final class HazelcastNode {
    private static final Logger LOG = LoggerFactory.getLogger(HazelcastNode.class);

    /** For what blocks and for completions; the two that block longest are reading all states and the table of owners. */
    private static final int THREADS = 3;

    private static final int REFRESH_MS = 1_000;

    /** A little longer than the others need to see that a member is dead which did not say goodbye. */
    private static final int SAME_NODE_MS_MAX = 15_000;

    /** Moving what a leaving member has takes milliseconds; a cluster that is in trouble anyway is not waited for. */
    private static final int SAFE_MS_MAX = 10_000;

    private static final int POLL_MS = 50;

    /** A node that does not take a connection in that time is as good as gone. */
    private static final int CONNECT_MS_MAX = 2_000;

    /** A connection between nodes that is silent for so long is made anew; Vert.x's own would notice after 40 s. */
    private static final int PING_MS = 3_000;

    private final ClusterSettings settings;
    private final String address;
    private final ScheduledExecutorService executor;
    private final HazelcastInstance hazelcast;
    private final HazelcastOwners owners;
    private final MendableBus bus;
    private ScheduledFuture<?> refreshing;

    private HazelcastNode(ClusterSettings settings, String node, Set<NodeRole> roles) throws ClusterJoinException {
        this.settings = settings;
        address = addressOf(settings.host());
        try {
            hazelcast = Hazelcast.newHazelcastInstance(MemberConfig.of(settings, node, roles, address));
        } catch (HazelcastException | IllegalStateException refused) {
            throw new ClusterJoinException(
                    "can't listen for other nodes on " + settings.host() + ":" + settings.port() + " ("
                            + refused.getMessage()
                            + "); free the port, or set cluster.host and cluster.port to others",
                    refused);
        }
        AtomicInteger numbers = new AtomicInteger();
        executor = new ScheduledThreadPoolExecutor(
                THREADS,
                work -> {
                    Thread thread = new Thread(work, "sluice-cluster-" + numbers.getAndIncrement());
                    thread.setDaemon(true);
                    return thread;
                },
                // While this member leaves, events still come that nobody needs any more.
                new ThreadPoolExecutor.DiscardPolicy());
        bus = new MendableBus(hazelcast);
        owners = new HazelcastOwners(
                hazelcast,
                node,
                roles,
                hazelcast.getPartitionService().getPartitions().size());
    }

    /**
     * Joins the cluster, or begins it where no other node is found. Blocks, mostly for less than two seconds.
     *
     * @param node this node's id
     * @param roles what it is there for; only one with the role control owns anything
     * @throws ClusterJoinException with what a person can do about it
     */
    public static HazelcastNode join(ClusterSettings settings, String node, Set<NodeRole> roles)
            throws ClusterJoinException {
        HazelcastNode member = new HazelcastNode(settings, node, roles);
        try {
            member.awaitTheOnlyOne(node);
        } catch (ClusterJoinException taken) {
            member.leave();
            throw taken;
        }
        member.watch();
        return member;
    }

    private static String addressOf(String host) throws ClusterJoinException {
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException unknown) {
            throw new ClusterJoinException(
                    "the host " + host + " is not known; set cluster.host to an address of this machine", unknown);
        }
    }

    /** Two nodes of one id would spend from one journal's slices; the one that was there first stays. */
    private void awaitTheOnlyOne(String node) throws ClusterJoinException {
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SAME_NODE_MS_MAX);
        while (!firstOf(node).localMember()) {
            if (System.nanoTime() > untilNs) {
                throw new ClusterJoinException(
                        "the cluster " + settings.name() + " has a node " + node + " already, at "
                                + firstOf(node).getAddress() + "; give this one a cluster.node of its own",
                        null);
            }
            pause();
        }
    }

    private Member firstOf(String node) {
        return hazelcast.getCluster().getMembers().stream()
                .filter(member -> node.equals(member.getAttribute(MemberConfig.NODE)))
                .findFirst()
                .orElseGet(() -> hazelcast.getCluster().getLocalMember());
    }

    private void watch() {
        hazelcast.getCluster().addMembershipListener(new MembershipListener() {
            @Override
            public void memberAdded(MembershipEvent event) {
                LOG.info("node {} joined", event.getMember().getAttribute(MemberConfig.NODE));
                executor.execute(owners::refresh);
            }

            @Override
            public void memberRemoved(MembershipEvent event) {
                LOG.warn("node {} left", event.getMember().getAttribute(MemberConfig.NODE));
                executor.execute(owners::refresh);
            }
        });
        hazelcast.getPartitionService().addMigrationListener(new MigrationListener() {
            @Override
            public void migrationStarted(MigrationState state) {
                // owners are as they were
            }

            @Override
            public void migrationFinished(MigrationState state) {
                executor.execute(owners::refresh);
            }

            @Override
            public void replicaMigrationCompleted(ReplicaMigrationEvent event) {
                // told as a whole when all of it is done
            }

            @Override
            public void replicaMigrationFailed(ReplicaMigrationEvent event) {
                // tried again by Hazelcast
            }
        });
        hazelcast.getLifecycleService().addLifecycleListener(event -> {
            if (event.getState() == LifecycleState.MERGED) {
                LOG.warn("this part of the cluster went over to another one");
                executor.execute(owners::refresh);
            }
        });
        owners.refresh();
        refreshing = executor.scheduleWithFixedDelay(owners::refresh, REFRESH_MS, REFRESH_MS, TimeUnit.MILLISECONDS);
    }

    /** The one Vert.x whose event bus reaches the other nodes; closed by whoever made it, before {@link #leave}. */
    public Future<Vertx> vertx(VertxOptions options) {
        EventBusOptions listening = new EventBusOptions()
                .setHost(address)
                .setPort(settings.busPort())
                .setClusterPublicHost(address)
                .setClusterPingInterval(PING_MS)
                .setClusterPingReplyInterval(PING_MS)
                .setConnectTimeout(CONNECT_MS_MAX);
        return Vertx.builder()
                .with(options.setEventBusOptions(listening))
                .withClusterManager(bus)
                .buildClustered();
    }

    public Owners owners() {
        return owners;
    }

    /** The states that nodes share, for actors of {@code vertx}. */
    public SoftStates states(Vertx vertx) {
        return new HazelcastSoftStates(hazelcast, vertx, executor);
    }

    /**
     * Tells the other nodes anew of all handlers of this one, and looks anew for theirs. Does not block.
     */
    public void registerAnew() {
        executor.execute(() -> {
            try {
                bus.mend();
            } catch (RuntimeException notNow) {
                LOG.warn("handlers could not be registered anew; that is tried again while they are missed", notNow);
            }
        });
    }

    /** Hands over what this member keeps, and leaves; returns when that is done. */
    public void leave() {
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SAFE_MS_MAX);
        while (!safe() && System.nanoTime() < untilNs) {
            pause();
        }
        if (refreshing != null) {
            refreshing.cancel(false);
        }
        executor.shutdownNow();
        hazelcast.shutdown();
    }

    private boolean safe() {
        try {
            return hazelcast.getPartitionService().isClusterSafe();
        } catch (HazelcastException | HazelcastInstanceNotActiveException notActive) {
            return true;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MS);
        } catch (InterruptedException stopAsked) {
            Thread.currentThread().interrupt();
        }
    }
}
