package io.sluice.ops;

import static io.sluice.ops.SplitTenant.CENT;
import static io.sluice.ops.Traffic.PER_SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.ops.Traffic.Outcome;
import io.sluice.ops.redis.LedgerLook;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes under load, one of which can't hear that its tenant may spend nothing any more. */
@Timeout(400)
@Tag("chaos")
class KillSwitchClusterIT {
    private static final int NODES = 3;
    private static final int CUT = 2;
    private static final int PER_SECOND_AND_NODE = Math.max(1, PER_SECOND / NODES);

    /** It is a fraction of a second where the machine is not busy with the nodes and the test. */
    private static final Duration STOP_MAX = Duration.ofSeconds(5);

    /** A slice is drawn for what is used in five seconds; so many chats are more than that. */
    private static final int WARM = 8 * PER_SECOND_AND_NODE;

    private static final int MANY = 3 * PER_SECOND_AND_NODE;

    /** L7. */
    @Test
    void aCapThatIsLoweredToNothingStopsAllButACutNodeAtOnceAndThatOneAtItsSlice(
            @TempDir Path directory, TestReporter figures) throws Exception {
        String obstacle = CutNetwork.obstacle();
        assumeTrue(obstacle == null, obstacle);
        try (SplitCluster cluster = SplitCluster.start(directory, NODES);
                SplitTenant tenant = new SplitTenant(cluster, "stopped", null)) {
            // Cents for more chats than are sent until it is lowered.
            Admin finance = tenant.cap(3 * PER_SECOND + ".00");
            awaitOneEpoch(cluster);
            try (Traffic traffic = tenant.traffic(PER_SECOND)) {
                traffic.await("chats", WARM, Outcome::wellServed, 0, 1, CUT);
                traffic.awaitPace();
                cluster.cut(CUT);
                long cutNs = System.nanoTime();
                long sliceMicros = LedgerLook.outMicros(cluster.redis(), "stopped", "node-" + CUT);
                tenant.stop(finance);
                long stoppedNs = System.nanoTime();
                long billMicros = tenant.billMicros();

                traffic.await("refusals", MANY, each -> each.status() == 402, 0, 1);
                traffic.await("refusals", MANY, each -> each.status() == 503 && each.sentNs() > cutNs, CUT);
                List<Outcome> late =
                        traffic.outcomes(each -> each.node() != CUT && each.wellServed() && each.sentNs() > stoppedNs);
                List<Outcome> cut = traffic.outcomes(each -> each.node() == CUT && each.endedNs() > cutNs);
                long spentMicros =
                        CENT * cut.stream().filter(Outcome::wellServed).count();
                figures.publishEntry(Map.of(
                        "connected nodes: the last chat that was served was sent after, ms",
                                "" + lastMs(late, stoppedNs),
                        "cut node: the same, ms",
                                ""
                                        + lastMs(
                                                cut.stream()
                                                        .filter(Outcome::wellServed)
                                                        .toList(),
                                                stoppedNs),
                        "cut node: its slice, micros", "" + sliceMicros,
                        "cut node: spent after the cut, micros", "" + spentMicros,
                        "all: spent after the switch, micros", "" + (tenant.billMicros() - billMicros)));

                assertThat(late).allMatch(each -> each.sentNs() - stoppedNs < STOP_MAX.toNanos());
                // Where one machine has all nodes, one may be too busy for a while, and says so.
                assertThat(traffic.outcomes(each -> each.node() != CUT && !each.wellServed()))
                        .allMatch(each -> each.status() == 402 || each.code().equals("caps_unavailable"));
                assertThat(spentMicros).isBetween(CENT, sliceMicros);
                assertThat(cut)
                        .filteredOn(each -> !each.wellServed())
                        .allMatch(each -> each.code().equals("caps_unavailable"));

                cluster.heal(CUT);
                traffic.await("refusals by the cap", MANY, each -> each.status() == 402, CUT);
                traffic.end();
                figures.publishEntry("load", traffic.load());
            }
            for (int node = 0; node < NODES; node++) {
                int asked = node;
                ClusterProcesses.eventually(
                        "the bill in the books of node " + node,
                        () -> tenant.standing(asked).equals(new SplitTenant.Standing(tenant.billMicros(), 0)));
            }
            cluster.assertNobodyRestarted();
        }
    }

    private static long lastMs(List<Outcome> outcomes, long fromNs) {
        return outcomes.stream()
                .mapToLong(each -> TimeUnit.NANOSECONDS.toMillis(each.sentNs() - fromNs))
                .max()
                .orElse(0);
    }

    private static void awaitOneEpoch(SplitCluster cluster) throws Exception {
        ClusterProcesses.eventually("one epoch", () -> {
            long first = cluster.epoch(0);
            return cluster.epoch(1) == first && cluster.epoch(CUT) == first;
        });
    }
}
