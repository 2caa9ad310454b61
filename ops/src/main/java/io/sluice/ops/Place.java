package io.sluice.ops;

import io.sluice.ops.hazelcast.ClusterJoinException;
import io.sluice.ops.hazelcast.HazelcastNode;
import io.sluice.ops.settings.ClusterSettings;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.NodeRole;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Where this process stands: by itself, or as a node among others. The only choice between what one process and what a cluster works
 * with, besides that of the stores.
 *
 * @param owners who is there and who owns what
 * @param states what owners share
 * @param onLeave leaves the cluster once Vert.x is closed; returns when that is done
 */
record Place(Vertx vertx, Owners owners, SoftStates states, Runnable onLeave) {
    private static final int CLOSE_S_MAX = 5;
    private static final int START_S_MAX = 60;

    /** By itself. Nothing of what a cluster needs is loaded. */
    static Place alone(VertxOptions options) {
        return new Place(Vertx.vertx(options), new Owners.Alone(NodeId.ALONE), new SoftStates.InMemory(), () -> {});
    }

    /**
     * A node of the cluster that {@code settings} name; blocks until it is one.
     *
     * @param node its id
     * @param roles what it is there for
     * @throws StartFailedException where it can not be; nothing is left running
     */
    static Place joined(ClusterSettings settings, String node, Set<NodeRole> roles, VertxOptions options)
            throws StartFailedException {
        HazelcastNode member;
        try {
            member = HazelcastNode.join(settings, node, roles);
        } catch (ClusterJoinException refused) {
            throw new StartFailedException(refused.getMessage(), refused);
        }
        boolean done = false;
        try {
            Vertx vertx = Wait.on("the bus between nodes", member.vertx(options), START_S_MAX);
            Wait.on(
                    "the watch over the bus",
                    vertx.deployVerticle(new BusWatchActor(
                            new Bus(vertx),
                            member.owners(),
                            member::registerAnew,
                            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()))),
                    START_S_MAX);
            done = true;
            return new Place(vertx, member.owners(), member.states(vertx), member::leave);
        } finally {
            if (!done) {
                member.leave();
            }
        }
    }

    /** Closes Vert.x and leaves the cluster. */
    void leave() throws StartFailedException {
        try {
            Wait.on("Vert.x", vertx.close(), CLOSE_S_MAX);
        } finally {
            onLeave.run();
        }
    }
}
