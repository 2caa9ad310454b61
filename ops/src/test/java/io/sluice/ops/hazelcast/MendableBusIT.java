package io.sluice.ops.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.sluice.tenants.NodeRole;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.spi.cluster.RegistrationListener;
import io.vertx.core.spi.cluster.RegistrationUpdateEvent;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two nodes; one of them misses the event by which it would learn that the other has a handler. */
class MendableBusIT {
    private static final String ADDRESS = "told.to.all";

    /** Loses events while it is asked to. */
    private static final class ForgetfulBus extends MendableBus {
        private volatile boolean losing;

        ForgetfulBus(HazelcastInstance hazelcast) {
            super(hazelcast);
        }

        @Override
        public void registrationListener(RegistrationListener told) {
            super.registrationListener(new RegistrationListener() {
                @Override
                public void registrationsUpdated(RegistrationUpdateEvent event) {
                    if (!losing) {
                        told.registrationsUpdated(event);
                    }
                }

                @Override
                public void registrationsLost() {
                    told.registrationsLost();
                }

                @Override
                public boolean wantsUpdatesFor(String address) {
                    return told.wantsUpdatesFor(address);
                }
            });
        }
    }

    @Test
    void aNodeThatMissedAHandlerFindsItWhenItIsMended() throws Exception {
        try (TestCluster cluster = new TestCluster(2)) {
            ForgetfulBus forgetful = new ForgetfulBus(Hazelcast.newHazelcastInstance(
                    MemberConfig.of(cluster.settings(0), "node-0", Set.of(NodeRole.values()), "127.0.0.1")));
            Vertx sending = vertx(forgetful);
            try {
                Vertx hearing = cluster.vertx(cluster.join(1));
                AtomicInteger own = new AtomicInteger();
                AtomicInteger heard = new AtomicInteger();
                registered(sending, own);
                tellUntil(sending, own, 1);
                forgetful.losing = true;
                registered(hearing, heard);
                tellUntil(sending, own, own.get() + 20);
                forgetful.losing = false;
                assertThat(heard).as("what the event would have changed").hasValue(0);

                forgetful.mend();

                tellUntil(sending, heard, 1);
            } finally {
                await(sending.close());
                forgetful.getHazelcastInstance().shutdown();
            }
        }
    }

    private static Vertx vertx(MendableBus bus) throws Exception {
        return await(Vertx.builder().withClusterManager(bus).buildClustered());
    }

    private static void registered(Vertx vertx, AtomicInteger count) throws Exception {
        await(vertx.eventBus()
                .consumer(ADDRESS, message -> count.incrementAndGet())
                .completion());
    }

    private static void tellUntil(Vertx vertx, AtomicInteger count, int wanted) throws Exception {
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (count.get() < wanted) {
            assertThat(System.nanoTime()).isLessThan(untilNs);
            vertx.eventBus().publish(ADDRESS, "");
            Thread.sleep(20);
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
