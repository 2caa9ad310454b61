package io.sluice.ops;

import static io.sluice.ops.Traffic.PER_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.ops.Traffic.Outcome;
import io.sluice.ops.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * Three nodes whose Redis goes away: traffic goes on, caps hold, and nothing has to be restarted. The property
 * {@code sluice.redisAwaySeconds} says for how long.
 */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("chaos")
class RedisClusterIT {
    private static final int NODES = 3;

    /** Long answers, so that what nodes hold is used up while Redis is away. */
    private static final int TOKENS = 1_000;

    private static final long COST_MICROS = TOKENS * BillingProvider.TOKEN_MICROS;
    private static final int AWAY_S = Integer.getInteger("sluice.redisAwaySeconds", 12);

    @TempDir
    static Path directory;

    private static ClusterProcesses cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = ClusterProcesses.start(directory, new ClusterProcesses.Shape(NODES, ClusterProcesses.SETTINGS, true));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    @Order(1)
    void whileRedisIsStoppedTrafficGoesOnCapsHoldAndOnlyEditsAreRefused(TestReporter figures) throws Exception {
        BillingProvider uncapped = new BillingProvider();
        BillingProvider capped = new BillingProvider();
        try (uncapped;
                capped) {
            String freeKey = uncapped.onboard(cluster.admin(0), "free");
            String cappedKey = capped.onboard(cluster.admin(0), "capped");
            BillingProvider.cap(cluster.admin(0), "capped", 200L * PER_SECOND * COST_MICROS);
            cluster.awaitOneEpoch();
            String body = BillingProvider.chat(TOKENS);
            try (Traffic without = Traffic.start(cluster, NODES, freeKey, body, PER_SECOND / 2);
                    Traffic under = Traffic.start(cluster, NODES, cappedKey, body, PER_SECOND / 2)) {
                without.awaitPace();
                under.awaitPace();
                cluster.redis().kill();
                long awayNs = System.nanoTime();
                for (int i = 0; i < NODES; i++) {
                    editIsRefusedAndReadingIsNot(i);
                }
                long restMs =
                        TimeUnit.SECONDS.toMillis(AWAY_S) - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - awayNs);
                Thread.sleep(Math.max(0, restMs));
                long servedAway = under.count(each -> each.wellServed() && each.sentNs() > awayNs);
                cluster.redis().start();
                long backNs = System.nanoTime();
                editsWorkAgain("after-the-stop");
                under.awaitServed(2 * PER_SECOND);
                long cappedAgainMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - backNs);

                List<Outcome> outcomes = under.end();
                List<Outcome> free = without.end();

                long served = outcomes.stream().filter(Outcome::wellServed).count();
                long refused =
                        outcomes.stream().filter(each -> each.status() == 503).count();
                Books books = Books.agreed(cluster, NODES, "capped", served);
                figures.publishEntry(Map.of(
                        "load under the cap",
                        under.load(),
                        "load without",
                        without.load(),
                        "served under the cap while Redis was away",
                        "" + servedAway,
                        "refused",
                        "" + refused,
                        "all as before after, ms",
                        "" + cappedAgainMs,
                        "books",
                        books.toString()));
                assertThat(free).filteredOn(Outcome::failed).isEmpty();
                assertThat(servedAway).isPositive();
                assertThat(refused).isPositive();
                assertThat(outcomes).filteredOn(each -> !each.wellServed()).allMatch(Outcome::turnedAway);
                assertThat(books.requests()).isEqualTo((int) served);
                assertThat(books.costMicros()).isEqualTo(capped.billMicros());
                assertThat(books.spentMicros()).isEqualTo(capped.billMicros());
            }
        }
    }

    private static void editIsRefusedAndReadingIsNot(int node) throws Exception {
        Admin admin = cluster.admin(node);
        JsonNode reply = admin.reply(
                "mutation { createTenant(input: {id: \"nobody\", displayName: \"nobody\", timeZone: \"UTC\"}) { userErrors { message } } }",
                Map.of());
        assertThat(reply.at("/errors/0/extensions/code").asText())
                .as(reply.toString())
                .isEqualTo("UNAVAILABLE");
        assertThat(admin.ask("{ tenant(id: \"capped\") { id } }")
                        .at("/tenant/id")
                        .asText())
                .isEqualTo("capped");
    }

    private static void editsWorkAgain(String tenant) throws Exception {
        ClusterProcesses.eventually(
                "an edit",
                () -> !cluster.admin(1)
                        .reply(
                                "mutation { createTenant(input: {id: \"" + tenant
                                        + "\", displayName: \"x\", timeZone: \"UTC\"}) { userErrors { message } } }",
                                Map.of())
                        .has("errors"));
        cluster.awaitOneEpoch();
        for (int i = 0; i < NODES; i++) {
            assertThat(cluster.admin(i)
                            .ask("{ tenant(id: \"" + tenant + "\") { id } }")
                            .at("/tenant/id")
                            .asText())
                    .isEqualTo(tenant);
        }
    }

    @Test
    @Order(2)
    void aPrimaryThatDiesBesideAReplicaThatLagsCostsNoCapAndNoEdit(TestReporter figures) throws Exception {
        BillingProvider provider = new BillingProvider();
        try (provider) {
            String key = provider.onboard(cluster.admin(0), "lagging");
            long capMicros = 20L * PER_SECOND * COST_MICROS;
            BillingProvider.cap(cluster.admin(0), "lagging", capMicros);
            cluster.awaitOneEpoch();
            try (Traffic traffic = Traffic.start(cluster, NODES, key, BillingProvider.chat(TOKENS), PER_SECOND)) {
                traffic.awaitServed(3 * PER_SECOND);
                RedisServer promoted = cluster.replica();
                promoted.pause();
                Thread.sleep(500);
                cluster.redis().kill();
                promoted.resume();
                promoted.ask("REPLICAOF", "NO", "ONE");
                try (RedisServer next =
                        RedisServer.replicaOf(promoted, Files.createDirectories(directory.resolve("next")))) {
                    editsWorkAgain("after-the-failover");
                    ClusterProcesses.eventually(
                            "the cap is used up", () -> traffic.count(each -> each.status() == 402) > 3L * PER_SECOND);
                    List<Outcome> outcomes = traffic.end();
                    long served = outcomes.stream().filter(Outcome::wellServed).count();
                    Books books = Books.settled(cluster, NODES, "lagging", served);
                    figures.publishEntry(Map.of(
                            "load", traffic.load(),
                            "served", "" + served,
                            "books", books.toString(),
                            "next", next.endpoint()));
                    assertThat(provider.billMicros()).isBetween(capMicros / 2, capMicros);
                    assertThat(books.spentMicros()).isBetween(provider.billMicros(), capMicros);
                    assertThat(books.costMicros()).isEqualTo(provider.billMicros());
                    assertThat(outcomes)
                            .filteredOn(each -> !Set.of(200, 402, 503).contains(each.status()))
                            .isEmpty();
                }
            }
        }
    }
}
