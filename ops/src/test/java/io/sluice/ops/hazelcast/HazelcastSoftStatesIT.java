package io.sluice.ops.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.plugins.bus.SoftStates;
import io.sluice.plugins.bus.SoftStates.Versioned;
import io.sluice.plugins.bus.SoftStatesContract;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HazelcastSoftStatesIT extends SoftStatesContract {
    private static TestCluster cluster;
    private static SoftStates first;
    private static SoftStates second;

    @BeforeAll
    static void join() throws Exception {
        cluster = new TestCluster(2);
        HazelcastNode one = cluster.join(0);
        HazelcastNode two = cluster.join(1);
        Vertx vertx = Vertx.vertx();
        first = one.states(vertx);
        second = two.states(vertx);
    }

    @AfterAll
    static void leave() throws Exception {
        cluster.close();
    }

    @Override
    protected SoftStates states() {
        return first;
    }

    @Test
    void showsOneNodesStatesToAnother() throws Exception {
        TestCluster.again(() -> first.save("seen", "a", new Versioned(1, "{}")));
        TestCluster.again(() -> second.save("seen", "b", new Versioned(2, "{}")));

        assertThat(TestCluster.again(() -> first.all("seen")))
                .containsOnlyKeys("a", "b")
                .isEqualTo(TestCluster.again(() -> second.all("seen")));
    }

    @Test
    void refusesAChangeWhereNoMajorityIsThereButShowsWhatItHas() throws Exception {
        try (TestCluster alone = new TestCluster(3)) {
            HazelcastNode one = alone.join(0);
            SoftStates states = one.states(alone.vertx(one));

            assertThatThrownBy(() -> await(states.save("lonely", "a", new Versioned(1, "{}"))))
                    .rootCause()
                    .hasMessageContaining("majority");
            assertThat(TestCluster.again(() -> states.all("lonely"))).isEmpty();
        }
    }
}
