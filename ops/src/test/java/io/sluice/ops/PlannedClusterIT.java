package io.sluice.ops;

import static io.sluice.ops.Traffic.PER_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ops.Traffic.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes become one and three again, as planned, under {@link Traffic#PER_SECOND} requests a second through a balancer. */
@Timeout(300)
@Tag("chaos")
class PlannedClusterIT {
    private static final int NODES = 3;
    private static final int TOKENS = 100;

    @TempDir
    Path directory;

    @Test
    void nobodyNoticesThatNodesGoAndComeAndTheBooksAreTheBill(TestReporter figures) throws Exception {
        BillingProvider provider = new BillingProvider();
        ClusterProcesses cluster =
                ClusterProcesses.start(directory, new ClusterProcesses.Shape(NODES, ClusterProcesses.SETTINGS, false));
        try (provider;
                cluster) {
            String key = provider.onboard(cluster.admin(0), "planned");
            long capMicros = 1_000L * PER_SECOND * TOKENS * BillingProvider.TOKEN_MICROS;
            BillingProvider.cap(cluster.admin(0), "planned", capMicros);
            cluster.awaitOneEpoch();
            try (Traffic traffic = Traffic.start(cluster, NODES, key, BillingProvider.chat(TOKENS), PER_SECOND)) {
                traffic.awaitPace();
                long pacedNs = System.nanoTime();
                leave(cluster, 0);
                traffic.awaitServed(PER_SECOND);
                leave(cluster, 2);
                traffic.awaitServed(PER_SECOND);
                cluster.begin(0);
                cluster.begin(2);
                cluster.node(0).awaitReady();
                cluster.node(2).awaitReady();
                cluster.awaitMembers(NODES);
                traffic.awaitServed(2 * PER_SECOND);

                List<Outcome> outcomes = traffic.end();

                assertThat(outcomes).filteredOn(Outcome::failed).isEmpty();
                assertThat(outcomes)
                        .filteredOn(each -> each.sentNs() - pacedNs > 0 && each.turnedAway())
                        .isEmpty();
                long served = outcomes.stream().filter(Outcome::wellServed).count();
                Books books = Books.agreed(cluster, NODES, "planned", served);
                BillCheck calls = BillCheck.of(cluster.admin(1), "planned", provider, books);
                figures.publishEntry(Map.of(
                        "load", traffic.load(),
                        "served", "" + served,
                        "turned away", turnedAway(outcomes),
                        "provider's bill, micros", "" + provider.billMicros(),
                        "books", books.toString(),
                        "calls", calls.toString()));
                assertThat(books.requests()).isEqualTo((int) served);
                assertThat(calls.differences()).isEmpty();
                assertThat(books.costMicros()).isEqualTo(provider.billMicros() - calls.droppedMicros());
            }
        }
    }

    /** How many, by code, node and whole seconds since the first request. */
    private static String turnedAway(List<Outcome> outcomes) {
        long beganNs = outcomes.stream().mapToLong(Outcome::sentNs).min().orElse(0);
        return outcomes.stream()
                .filter(Outcome::turnedAway)
                .collect(Collectors.groupingBy(
                        each -> each.code() + " of node " + each.node() + ", sent after "
                                + TimeUnit.NANOSECONDS.toSeconds(each.sentNs() - beganNs) + " s",
                        TreeMap::new,
                        Collectors.counting()))
                .toString();
    }

    private static void leave(ClusterProcesses cluster, int node) throws Exception {
        cluster.node(node).terminate();
        assertThat(cluster.node(node).exitCode()).isZero();
        cluster.forget(node);
    }
}
