package io.sluice.ops;

import static io.sluice.ops.Traffic.PER_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ops.Traffic.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes under {@link Traffic#PER_SECOND} requests a second: whichever is killed or stalls, no more is spent than the cap, the books
 * are the provider's bill, and only what was under way at that node fails. The property
 * {@code sluice.kills} says how many are killed, {@code sluice.pauseSeconds} how long one stalls.
 */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("chaos")
class MoneyClusterIT {
    private static final int NODES = 3;
    private static final int TOKENS = 100;
    private static final long COST_MICROS = TOKENS * BillingProvider.TOKEN_MICROS;
    private static final int KILLS = Integer.getInteger("sluice.kills", 4);
    private static final long KILL_EVERY_MS = 5_000;

    /** What is sent from one kill to the next, and what burns by it, on a machine on which a start takes much of a minute. */
    private static final long CHATS_PER_KILL_MAX = 50L * PER_SECOND;

    /** More than the others need to take a node for dead. */
    private static final int PAUSE_S = Integer.getInteger("sluice.pauseSeconds", 15);

    /** Answers that take so long are under way when a node stalls, and come while it does. */
    private static final long SLOW_MS = 1_000;

    private static final long QUICK_MS = 20;

    private static final Duration AGREED_MAX = Duration.ofSeconds(5);
    private static final Duration BACK_MAX = Duration.ofSeconds(30);

    @TempDir
    static Path directory;

    private static ClusterProcesses cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster =
                ClusterProcesses.start(directory, new ClusterProcesses.Shape(NODES, ClusterProcesses.SETTINGS, false));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    @Order(1)
    void nodesThatAreKilledUnderLoadOverspendNothingAndLoseOnlyWhatWasUnderWayThere(TestReporter figures)
            throws Exception {
        long capMicros = (KILLS + 1L) * CHATS_PER_KILL_MAX * COST_MICROS;
        Kills kills = new Kills();
        Random random = new Random(7);
        List<Long> agreedMs = new ArrayList<>();
        List<Outcome> outcomes;
        String load;
        BillingProvider provider = new BillingProvider();
        try (provider) {
            String key = provider.onboard(cluster.admin(0), "killed");
            BillingProvider.cap(cluster.admin(0), "killed", capMicros);
            cluster.awaitOneEpoch();
            try (Traffic traffic = Traffic.start(cluster, NODES, key, BillingProvider.chat(TOKENS), PER_SECOND)) {
                traffic.awaitPace();
                for (int i = 0; i < KILLS; i++) {
                    int victim = random.nextInt(NODES);
                    long beganNs = System.nanoTime();
                    kills.kill(cluster.node(victim));
                    agreedMs.add(agreeAfterAnEdit((victim + 1) % NODES, "killed-" + i, victim));
                    cluster.begin(victim).awaitReady();
                    cluster.awaitMembers(NODES);
                    long restMs = KILL_EVERY_MS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
                    Thread.sleep(Math.max(0, restMs));
                }
                traffic.awaitServed(PER_SECOND);
                outcomes = traffic.end();
                load = traffic.load();
            }
            long served = outcomes.stream().filter(Outcome::wellServed).count();
            long booked = kills.booked(outcomes);
            Books books = Books.settled(cluster, NODES, "killed", booked);
            figures.publishEntry(Map.of(
                    "load",
                    load,
                    "served",
                    "" + served,
                    "of it surely in the books",
                    "" + booked,
                    "provider's bill, micros",
                    "" + provider.billMicros(),
                    "books",
                    books.toString(),
                    "one epoch after an edit beside a dead node, ms",
                    agreedMs.toString()));
            assertThat(outcomes)
                    .filteredOn(each -> each.failed() && !kills.lost(each))
                    .isEmpty();
            assertThat(agreedMs).allMatch(ms -> ms < AGREED_MAX.toMillis());
            assertThat(books.spentMicros()).isBetween(provider.billMicros(), capMicros);
            assertThat(books.costMicros()).isBetween(booked * COST_MICROS, provider.billMicros());
        }
    }

    /** Milliseconds from the answer to an edit until all nodes but {@code dead} serve it. */
    private static long agreeAfterAnEdit(int node, String tenant, int dead) throws Exception {
        cluster.forget(dead);
        cluster.admin(node)
                .make("createTenant", "", Admin.input("id", tenant, "displayName", tenant, "timeZone", "UTC"));
        long answeredNs = System.nanoTime();
        cluster.awaitOneEpoch();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - answeredNs);
    }

    @Test
    @Order(2)
    void aCapThatRunsOutWhileNodesAreKilledIsNotExceeded(TestReporter figures) throws Exception {
        long capMicros = 15L * PER_SECOND * COST_MICROS;
        BillingProvider provider = new BillingProvider();
        try (provider) {
            String key = provider.onboard(cluster.admin(0), "poor");
            BillingProvider.cap(cluster.admin(0), "poor", capMicros);
            cluster.awaitOneEpoch();
            try (Traffic traffic = Traffic.start(cluster, NODES, key, BillingProvider.chat(TOKENS), PER_SECOND)) {
                traffic.awaitServed(5 * PER_SECOND);
                Kills kills = new Kills();
                kills.kill(cluster.node(1));
                cluster.begin(1).awaitReady();
                ClusterProcesses.eventually(
                        "the cap is used up", () -> traffic.count(each -> each.status() == 402) > 3L * PER_SECOND);
                List<Outcome> outcomes = traffic.end();
                long served = outcomes.stream().filter(Outcome::wellServed).count();
                Books books = Books.settled(cluster, NODES, "poor", kills.booked(outcomes));
                figures.publishEntry(Map.of("load", traffic.load(), "served", "" + served, "books", books.toString()));
                assertThat(provider.billMicros()).isLessThanOrEqualTo(capMicros);
                assertThat(books.spentMicros()).isBetween(provider.billMicros(), capMicros);
                assertThat(outcomes)
                        .filteredOn(each -> each.failed() && each.status() != 402 && !kills.lost(each))
                        .isEmpty();
            }
        }
    }

    @Test
    @Order(3)
    void aNodeThatStallsDoesNothingTwiceAndIsBackWithoutARestart(TestReporter figures) throws Exception {
        BillingProvider provider = new BillingProvider();
        try (provider) {
            String key = provider.onboard(cluster.admin(0), "stalled");
            BillingProvider.cap(cluster.admin(0), "stalled", 1_000L * PER_SECOND * COST_MICROS);
            cluster.awaitOneEpoch();
            try (Traffic traffic = Traffic.start(cluster, NODES, key, BillingProvider.chat(TOKENS), PER_SECOND)) {
                traffic.awaitPace();
                SluiceProcess stalled = cluster.node(1);
                provider.answerAfter(SLOW_MS);
                traffic.awaitServed(PER_SECOND);
                stalled.pause();
                Thread.sleep(TimeUnit.SECONDS.toMillis(PAUSE_S));
                stalled.resume();
                provider.answerAfter(QUICK_MS);
                long resumedNs = System.nanoTime();
                cluster.awaitMembers(NODES);
                awaitDecisionsOf(stalled, key);
                Duration back = Duration.ofNanos(System.nanoTime() - resumedNs);
                traffic.awaitServed(2 * PER_SECOND);
                List<Outcome> outcomes = traffic.end();
                long served = outcomes.stream().filter(Outcome::wellServed).count();
                Books books = Books.agreed(cluster, NODES, "stalled", served + 1);
                BillCheck calls = BillCheck.of(cluster.admin(1), "stalled", provider, books);
                figures.publishEntry(Map.of(
                        "provider's bill, micros",
                        "" + provider.billMicros(),
                        "calls",
                        calls.toString(),
                        "load",
                        traffic.load(),
                        "bus usable after, ms",
                        "" + back.toMillis(),
                        "served",
                        "" + served,
                        "books",
                        books.toString()));
                assertThat(back).isLessThan(BACK_MAX);
                assertThat(cluster.node(1)).isSameAs(stalled);
                assertThat(outcomes)
                        .filteredOn(Outcome::failed)
                        .filteredOn(
                                each -> each.process() != stalled || each.endedNs() > resumedNs + BACK_MAX.toNanos())
                        .isEmpty();
                assertThat(provider.calls()).isLessThanOrEqualTo(outcomes.size() + 1);
                assertThat(calls.differences()).isEmpty();
                assertThat(books.costMicros()).isEqualTo(provider.billMicros() - calls.droppedMicros());
            }
        }
    }

    /** Until the others find what the node that stalled decides now. */
    private static void awaitDecisionsOf(SluiceProcess stalled, String key) throws Exception {
        String traceId = stalled.send(SluiceProcess.chat(
                        stalled.fact("Apps") + "/chat/completions", key, BillingProvider.chat(TOKENS)))
                .headers()
                .firstValue("x-request-id")
                .orElseThrow();
        for (int i = 0; i < NODES; i++) {
            Admin admin = cluster.admin(i);
            ClusterProcesses.eventually(
                    "decision " + traceId,
                    () -> admin.reply("{ decision(traceId: \"" + traceId + "\") { traceId } }", Map.of())
                            .at("/data/decision/traceId")
                            .asText()
                            .equals(traceId));
        }
    }
}
