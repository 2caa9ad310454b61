package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes are one gateway to whoever counts: for limits, caps, keys and configuration. */
@Timeout(300)
class AgreementClusterIT {
    private static final int EDITED_TENANTS = 10;
    private static final int EDITS_PER_WORKER = 34;

    /** Twice and a half of what a quiet machine needs at most. */
    private static final Duration AGREED_MAX = Duration.ofSeconds(5);

    @TempDir
    static Path directory;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static BillingProvider provider;
    private static ClusterProcesses cluster;

    @BeforeAll
    static void start() throws Exception {
        provider = new BillingProvider();
        cluster = ClusterProcesses.start(directory, new ClusterProcesses.Shape(3, ClusterProcesses.SETTINGS, false));
    }

    @AfterAll
    static void stop() {
        cluster.close();
        provider.close();
    }

    /** CL01: the limit. */
    @Test
    void twentyAtOnceAtTwoNodesAreTenWhereTenAMinuteAreAllowed() throws Exception {
        Admin admin = cluster.admin(0);
        provider.onboard(admin, "limited");
        admin.make(
                "createApp", "", input("tenantId", "limited", "id", "ten", "limits", Map.of("requestsPerMinute", 10)));
        String key = BillingProvider.key(admin, "limited", "ten").get("key").asText();
        cluster.awaitOneEpoch();

        List<HttpResponse<String>> answers = twentyAtOnce(key);

        assertThat(answers).filteredOn(each -> each.statusCode() == 200).hasSize(10);
        assertThat(answers)
                .filteredOn(each -> each.statusCode() != 200)
                .allSatisfy(
                        each -> assertThat(each.statusCode()).as(each.body()).isEqualTo(429));
    }

    /** CL01: the cap. */
    @Test
    void twentyAtOnceAtTwoNodesAreTenWhereTheCapIsTheCostOfTen() throws Exception {
        Admin admin = cluster.admin(0);
        String key = provider.onboard(admin, "capped");
        BillingProvider.cap(admin, "capped", 10 * 100 * BillingProvider.TOKEN_MICROS);
        cluster.awaitOneEpoch();
        long before = provider.billMicros();

        List<HttpResponse<String>> answers = twentyAtOnce(key);

        assertThat(answers).filteredOn(each -> each.statusCode() == 200).hasSize(10);
        assertThat(answers)
                .filteredOn(each -> each.statusCode() != 200)
                .allSatisfy(
                        each -> assertThat(each.statusCode()).as(each.body()).isEqualTo(402));
        assertThat(provider.billMicros() - before).isEqualTo(10 * 100 * BillingProvider.TOKEN_MICROS);
    }

    /** Ten to each of two nodes. */
    private static List<HttpResponse<String>> twentyAtOnce(String key) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(HTTP.sendAsync(chat(i % 2, key), HttpResponse.BodyHandlers.ofString()));
        }
        List<HttpResponse<String>> came = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> each : answers) {
            came.add(each.get(60, TimeUnit.SECONDS));
        }
        return came;
    }

    private static HttpRequest chat(int node, String key) throws Exception {
        return SluiceProcess.chat(
                cluster.node(node).fact("Apps") + "/chat/completions", key, BillingProvider.chat(100));
    }

    @Test
    void aKeyThatIsRevokedAtOneNodeIsRefusedByTheOthersSoon(TestReporter figures) throws Exception {
        provider.onboard(cluster.admin(0), "revoked");
        JsonNode key = BillingProvider.key(cluster.admin(0), "revoked", "app");
        cluster.awaitOneEpoch();
        HttpRequest chat = chat(2, key.get("key").asText());
        assertThat(cluster.node(2).send(chat).statusCode()).isEqualTo(200);

        long revokedNs = System.nanoTime();
        cluster.admin(0)
                .make(
                        "revokeApiKey",
                        "",
                        input("tenantId", "revoked", "id", key.at("/apiKey/id").asText()));
        ClusterProcesses.eventually("refused", () -> cluster.node(2).send(chat).statusCode() == 401);

        Duration took = Duration.ofNanos(System.nanoTime() - revokedNs);
        figures.publishEntry("revoked at one node, refused at another, ms", String.valueOf(took.toMillis()));
        assertThat(took).isLessThan(AGREED_MAX);
    }

    @Test
    void aThousandEditsAtThreeNodesAtOnceLoseNothingAndEndInOneEpoch(TestReporter figures) throws Exception {
        for (int i = 0; i < EDITED_TENANTS; i++) {
            cluster.admin(0)
                    .make("createTenant", "", input("id", "edited-" + i, "displayName", "0", "timeZone", "UTC"));
        }
        cluster.awaitOneEpoch();
        long before = cluster.epochsServed().iterator().next();
        ExecutorService workers = Executors.newFixedThreadPool(3 * EDITED_TENANTS);
        List<Callable<Integer>> edits = new ArrayList<>();
        for (int i = 0; i < 3 * EDITED_TENANTS; i++) {
            Admin admin = cluster.admin(i % 3);
            String tenant = "edited-" + i / 3;
            edits.add(() -> edit(admin, tenant));
        }
        long beganNs = System.nanoTime();
        int overtaken = 0;
        for (Future<Integer> each : workers.invokeAll(edits, 240, TimeUnit.SECONDS)) {
            overtaken += each.get();
        }
        workers.shutdown();
        long answeredNs = System.nanoTime();
        cluster.awaitOneEpoch();

        Duration agreed = Duration.ofNanos(System.nanoTime() - answeredNs);
        figures.publishEntry(Map.of(
                "edits, ms", String.valueOf(TimeUnit.NANOSECONDS.toMillis(answeredNs - beganNs)),
                "edits that were overtaken", String.valueOf(overtaken),
                "one epoch after the last edit, ms", String.valueOf(agreed.toMillis())));
        assertThat(agreed).isLessThan(AGREED_MAX);
        assertThat(cluster.epochsServed()).containsExactly(before + 3 * EDITED_TENANTS * EDITS_PER_WORKER);
        for (int i = 0; i < EDITED_TENANTS; i++) {
            assertThat(tenant(cluster.admin(i % 3), "edited-" + i)
                            .get("displayName")
                            .asInt())
                    .isEqualTo(3 * EDITS_PER_WORKER);
        }
    }

    /** Adds one to a number that others add to, at other nodes; how often one of them was first. */
    private static int edit(Admin admin, String id) throws Exception {
        int overtaken = 0;
        for (int done = 0; done < EDITS_PER_WORKER; ) {
            JsonNode read = tenant(admin, id);
            int next = read.get("displayName").asInt() + 1;
            JsonNode mistakes = admin.tryTo(
                            "updateTenant",
                            "",
                            input("id", id, "version", read.get("version").asInt(), "displayName", "" + next))
                    .get("userErrors");
            if (mistakes.isEmpty()) {
                done++;
            } else {
                assertThat(mistakes.at("/0/code").asText())
                        .as(mistakes.toString())
                        .isEqualTo("CONFLICT_VERSION");
                overtaken++;
            }
        }
        return overtaken;
    }

    private static JsonNode tenant(Admin admin, String id) throws Exception {
        return admin.ask("{ tenant(id: \"" + id + "\") { version displayName } }")
                .get("tenant");
    }
}
