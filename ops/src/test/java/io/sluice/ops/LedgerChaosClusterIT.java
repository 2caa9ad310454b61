package io.sluice.ops;

import static io.sluice.ops.Traffic.PER_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.ops.Traffic.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes, a Redis with a replica, load under a cap that it uses up, and every five seconds something breaks: afterwards the books are
 * whole. The property {@code sluice.chaosSeconds} says for how long, {@code sluice.chaosSeed} which faults come.
 */
@Timeout(600)
@Tag("chaos")
class LedgerChaosClusterIT {
    private static final int NODES = 3;
    private static final int LENGTH_S = Integer.getInteger("sluice.chaosSeconds", 40);
    private static final long SEED = Long.getLong("sluice.chaosSeed", System.nanoTime());
    private static final long CAP_MICROS = 500_000L * PER_SECOND;
    private static final long FAULT_EVERY_MS = 5_000;
    private static final long STALL_MS = 3_000;

    /** A tenth of a cent. */
    private static final int TOKENS_MIN = 500;

    /** With it the cap lasts for two thirds of the time. */
    private static final int TOKENS_MAX = Math.min(
            25_000, (int) (3 * CAP_MICROS / BillingProvider.TOKEN_MICROS / PER_SECOND / LENGTH_S) - TOKENS_MIN);

    private static final ObjectMapper JSON = new ObjectMapper();

    /** What can break. */
    private enum Fault {
        NODE_KILLED,
        NODE_STALLS,
        REDIS_KILLED_AND_REPLICA_PROMOTED,
        REDIS_KILLED_BESIDE_A_REPLICA_THAT_LAGS,
        REDIS_STALLS,
        REPLICA_STALLS
    }

    @TempDir
    Path directory;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<String> faults = new ArrayList<>();
    private final Kills kills = new Kills();
    private final Set<SluiceProcess> stalled = new HashSet<>();
    private ClusterProcesses cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = ClusterProcesses.start(directory, new ClusterProcesses.Shape(NODES, ClusterProcesses.SETTINGS, true));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** L2. */
    @Test
    void whateverBreaksUnderLoadNoMoreIsSpentThanTheCapAndTheBooksAreWhole(TestReporter figures) throws Exception {
        BillingProvider provider = new BillingProvider();
        try (provider) {
            String key = provider.onboard(cluster.admin(0), "chaos");
            BillingProvider.cap(cluster.admin(0), "chaos", "DAY", CAP_MICROS);
            cluster.awaitOneEpoch();
            SplittableRandom sizes = random.split();
            try (Traffic traffic = Traffic.start(
                    cluster,
                    NODES,
                    key,
                    () -> BillingProvider.chat(sizes.nextInt(TOKENS_MIN, TOKENS_MAX)),
                    PER_SECOND)) {
                traffic.awaitServed(PER_SECOND);
                breakThings();
                ClusterProcesses.eventually(
                        "the cap is used up", () -> traffic.count(each -> each.status() == 402) > PER_SECOND);
                List<Outcome> outcomes = traffic.end();
                figures.publishEntry("load", traffic.load());
                check(outcomes, provider, figures);
            }
        } catch (Exception | AssertionError failed) {
            throw new AssertionError("sluice.chaosSeed " + SEED + ", " + faults, failed);
        }
    }

    private void breakThings() throws Exception {
        long beganNs = System.nanoTime();
        long faultNs = beganNs;
        while (faultNs - beganNs < TimeUnit.SECONDS.toNanos(LENGTH_S)) {
            Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
            int node = random.nextInt(NODES);
            faults.add(fault + (fault.name().startsWith("NODE") ? " " + node : ""));
            befall(fault, node);
            long restMs = FAULT_EVERY_MS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - faultNs);
            Thread.sleep(Math.max(0, restMs));
            faultNs = System.nanoTime();
        }
    }

    private void befall(Fault fault, int node) throws Exception {
        switch (fault) {
            case NODE_KILLED -> {
                kills.kill(cluster.node(node));
                cluster.begin(node).awaitReady();
                cluster.awaitMembers(NODES);
            }
            case NODE_STALLS -> {
                stalled.add(cluster.node(node));
                cluster.node(node).pause();
                Thread.sleep(STALL_MS);
                cluster.node(node).resume();
            }
            case REDIS_KILLED_AND_REPLICA_PROMOTED -> cluster.failOver();
            case REDIS_KILLED_BESIDE_A_REPLICA_THAT_LAGS -> {
                cluster.replica().pause();
                Thread.sleep(STALL_MS / 6);
                cluster.redis().kill();
                cluster.replica().resume();
                cluster.failOver();
            }
            case REDIS_STALLS -> {
                cluster.redis().pause();
                Thread.sleep(STALL_MS);
                cluster.redis().resume();
            }
            case REPLICA_STALLS -> {
                cluster.replica().pause();
                Thread.sleep(STALL_MS);
                cluster.replica().resume();
            }
        }
    }

    private void check(List<Outcome> outcomes, BillingProvider provider, TestReporter figures) throws Exception {
        cluster.awaitMembers(NODES);
        cluster.awaitOneEpoch();
        long bookedMicros = outcomes.stream()
                .filter(kills::isBooked)
                .mapToLong(LedgerChaosClusterIT::costMicros)
                .sum();
        Books books = Books.settled(cluster, NODES, "chaos", kills.booked(outcomes));
        long billMicros = provider.billMicros();
        long droppedMicros =
                BillCheck.of(cluster.admin(0), "chaos", provider, books).droppedMicros();
        Map<Integer, Long> byStatus = new HashMap<>();
        outcomes.forEach(each -> byStatus.merge(each.status(), 1L, Long::sum));
        figures.publishEntry(Map.of(
                "seed", "" + SEED,
                "faults", faults.toString(),
                "answers by status", byStatus.toString(),
                "provider's bill, micros", "" + billMicros,
                "of it dropped before a byte came", "" + droppedMicros,
                "surely in the books, micros", "" + bookedMicros,
                "books", books.toString()));
        // By the written rule calls that broke before a byte of their answer are free (decision 28): no cap can count
        // them.
        assertThat(billMicros).isLessThanOrEqualTo(CAP_MICROS + droppedMicros);
        assertThat(books.spentMicros()).isBetween(billMicros - droppedMicros, CAP_MICROS);
        assertThat(books.costMicros()).isBetween(bookedMicros, books.spentMicros());
        for (int node = 0; node < NODES; node++) {
            reconciled(node, books);
        }
        assertThat(outcomes)
                .filteredOn(each -> each.failed() && each.status() != 402)
                .filteredOn(each -> !kills.lost(each) && !stalled.contains(each.process()))
                .isEmpty();
    }

    /** Journals, cap and report of the day are the same at a node, but for what crashes burned. */
    private void reconciled(int node, Books books) throws Exception {
        LocalDate today = LocalDate.now(ZoneId.of("Europe/Berlin"));
        JsonNode found = cluster.admin(node)
                .ask("{ reconciliation(tenantId: \"chaos\", day: \"" + today
                        + "\") { journals nodes { cost } differenceMicros cap { spent held burned } explanations } }")
                .get("reconciliation");
        long nodesMicros = 0;
        for (JsonNode each : found.get("nodes")) {
            nodesMicros += BillingProvider.micros(each.get("cost"));
        }
        String told = "node " + node + ": " + found;
        assertThat(BillingProvider.micros(found.get("journals"))).as(told).isEqualTo(books.costMicros());
        assertThat(nodesMicros).as(told).isEqualTo(books.costMicros());
        assertThat(found.get("differenceMicros").asLong()).as(told).isZero();
        assertThat(BillingProvider.micros(found.at("/cap/held"))).as(told).isZero();
        assertThat(BillingProvider.micros(found.at("/cap/spent")) + BillingProvider.micros(found.at("/cap/burned")))
                .as(told)
                .isEqualTo(books.spentMicros());
    }

    private static long costMicros(Outcome served) {
        try {
            return JSON.readTree(served.text()).at("/usage/completion_tokens").asLong() * BillingProvider.TOKEN_MICROS;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
