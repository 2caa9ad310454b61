package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static io.sluice.ops.SplitTenant.CENT;
import static io.sluice.ops.SplitTenant.code;
import static io.sluice.ops.SplitTenant.traceId;
import static io.sluice.ops.Traffic.PER_SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.ops.Traffic.Outcome;
import io.sluice.ops.redis.LedgerLook;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes under {@link Traffic#PER_SECOND} requests a second whose network is cut between the first two and the third, and mended:
 * nothing is spent twice, nothing that was settled is lost, nobody is told a thing twice under two names, and all works again without a
 * restart.
 */
@Timeout(400)
@Tag("chaos")
class PartitionClusterIT {
    private static final int CUT = 2;
    private static final long DOLLAR = 100 * CENT;

    /** Four times as long as it takes until a silent node counts as dead. */
    private static final long CUT_S = 40;

    private static final long SPLIT_S = 30;

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path directory;

    private static SplitCluster cluster;
    private static ScriptedUpstream receiver;
    private static final List<JsonNode> EVENTS = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        String obstacle = CutNetwork.obstacle();
        assumeTrue(obstacle == null, obstacle);
        cluster = SplitCluster.start(directory, 3);
        receiver = ScriptedUpstream.playing(cluster.testAddress(), (request, wire) -> {
            EVENTS.add(JSON.readTree(request.body()));
            wire.json(200, "{}");
        });
    }

    private Traffic traffic;

    @AfterEach
    void heal() throws Exception {
        if (traffic != null) {
            traffic.close();
        }
        cluster.heal(CUT);
    }

    @AfterAll
    static void stop() {
        if (receiver != null) {
            receiver.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void whoIsCutOffSpendsWhatItHoldsAndComesBackByItself(TestReporter figures) throws Exception {
        try (SplitTenant capped = new SplitTenant(cluster, "capped", null);
                SplitTenant limited = new SplitTenant(cluster, "limited", 30);
                SplitTenant seen = new SplitTenant(cluster, "seen", null);
                SplitTenant crowd = new SplitTenant(cluster, "crowd", null)) {
            capped.cap("1.00", hook());
            crowd.cap(10 * PER_SECOND + ".00");
            awaitOneEpoch();
            warm(capped, limited, seen, crowd);
            traffic = crowd.traffic(PER_SECOND);
            traffic.awaitPace();
            Map<Integer, Long> revisions = revisions(seen);
            List<Integer> slow = new CopyOnWriteArrayList<>();
            Thread caller = capped.slowChat(CUT, slow);
            awaitHeld(capped);

            cluster.cut(CUT);
            long cutNs = System.nanoTime();
            long sliceMicros = LedgerLook.outMicros(cluster.redis(), "crowd", "node-" + CUT);
            figures.publishEntry("cents that the cut node had in hand", String.valueOf(spendWhatIsHeld(capped)));
            cluster.awaitMembers(CUT, 1);
            cluster.awaitMembers(0, 2);
            figures.publishEntry("each side is by itself after", since(cutNs));
            caller.join();
            assertThat(slow).containsExactly(200);
            checkLimits(limited, figures);
            assertThat(capped.answered(0, 20) + capped.answered(1, 10)).isEqualTo(30);
            checkConfiguration();
            loseATarget(seen);
            revisions = grown(revisions, seen);
            assertThat(code(capped.chat(CUT))).isEqualTo("caps_unavailable");
            sleepUntil(cutNs, CUT_S);

            cluster.heal(CUT);
            long healedNs = System.nanoTime();
            awaitOneEpoch();
            figures.publishEntry("one epoch after", since(healedNs));
            ClusterProcesses.eventually(
                    "money for the node that was cut off",
                    () -> capped.chat(CUT).statusCode() == 200);
            figures.publishEntry("requests under caps after", since(healedNs));
            awaitBus(seen);
            figures.publishEntry("every node answers every other after", since(healedNs));
            List<Outcome> outcomes = traffic.end();
            figures.publishEntry("load", traffic.load());
            assertThat(outcomes).filteredOn(Outcome::failed).isEmpty();
            assertThat(outcomes)
                    .filteredOn(each -> each.node() == CUT && each.wellServed())
                    .filteredOn(each -> each.endedNs() > cutNs && each.endedNs() < healedNs)
                    .hasSizeBetween(1, Math.toIntExact(sliceMicros / CENT));
            awaitBooks(crowd);
            awaitBooks(capped);
            revisions = grown(revisions, seen);
            awaitOneRevision(seen);
            grown(revisions, seen);
            spendTheRest(capped);
            assertThat(capped.billMicros()).isBetween(DOLLAR - 5 * CENT, DOLLAR);
            awaitBooks(capped);
            assertNothingIsToldUnderTwoNames("capped");
            cluster.assertNobodyRestarted();
        }
    }

    /** CL03. */
    @Test
    void bothSidesOfASplitSpendUnderOneCap(TestReporter figures) throws Exception {
        try (SplitTenant tenant = new SplitTenant(cluster, "split", null)) {
            tenant.cap("1.00", hook());
            awaitOneEpoch();

            cluster.cutFromMembers(CUT);
            long cutNs = System.nanoTime();
            cluster.awaitMembers(CUT, 1);
            cluster.awaitMembers(0, 2);
            for (int i = 0; i < 20; i++) {
                assertThat(tenant.answered(0, 1) + tenant.answered(1, 1)).isEqualTo(2);
                assertThat(tenant.answered(CUT, 2)).isEqualTo(2);
            }
            sleepUntil(cutNs, SPLIT_S);

            cluster.heal(CUT);
            for (int node = 0; node < cluster.size(); node++) {
                assertThat(tenant.standing(node).spent()).isGreaterThanOrEqualTo(40 * CENT);
            }
            awaitBooks(tenant);
            assertThat(tenant.standing(0).spent()).isEqualTo(80 * CENT);
            for (int node = 0; node < cluster.size(); node++) {
                cluster.awaitMembers(node, cluster.size());
            }
            spendTheRest(tenant);
            figures.publishEntry("spent of a dollar", String.valueOf(tenant.billMicros()));
            assertThat(tenant.billMicros()).isBetween(DOLLAR - 5 * CENT, DOLLAR);
            awaitBooks(tenant);
            assertNothingIsToldUnderTwoNames("split");
            cluster.assertNobodyRestarted();
        }
    }

    private static String hook() {
        return receiver.baseUrl() + "/hook";
    }

    private static void warm(SplitTenant... tenants) throws Exception {
        for (SplitTenant tenant : tenants) {
            for (int node = 0; node < cluster.size(); node++) {
                assertThat(tenant.answered(node, 3)).isEqualTo(3);
            }
        }
    }

    /** The books know of a request that is under way. */
    private static void awaitHeld(SplitTenant tenant) throws Exception {
        ClusterProcesses.eventually(
                "a request under way", () -> tenant.standing(CUT).held() > 0);
    }

    /** How many chats the cut node answers before it says that it can't know. */
    private static int spendWhatIsHeld(SplitTenant tenant) throws Exception {
        for (int spent = 0; spent < 100; spent++) {
            HttpResponse<String> answer = tenant.chat(CUT);
            if (answer.statusCode() != 200) {
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
                assertThat(code(answer)).isEqualTo("caps_unavailable");
                return spent;
            }
        }
        throw new AssertionError("the cut node spends without end");
    }

    /** The cut node has a third of the limit at most, since there were three nodes when it could last ask. */
    private static void checkLimits(SplitTenant tenant, TestReporter figures) throws Exception {
        int alone = tenant.answered(CUT, 35);
        figures.publishEntry("requests of 30 a minute that the cut node lets through", String.valueOf(alone));
        assertThat(alone).isBetween(1, 10);
        assertThat(tenant.answered(0, 35)).isBetween(1, 30);
    }

    private static void checkConfiguration() throws Exception {
        long before = cluster.epoch(CUT);
        cluster.admin(0).make("createApp", "", input("tenantId", "seen", "id", "during"));
        String read = "{tenant(id:\"seen\"){displayName}}";
        assertThat(cluster.admin(CUT).ask(read).at("/tenant/displayName").asText())
                .isEqualTo("seen");
        String write = "mutation($input: CreateAppInput!) { createApp(input: $input) { userErrors { code } } }";
        JsonNode refused = cluster.admin(CUT).reply(write, Map.of("input", input("tenantId", "seen", "id", "refused")));
        assertThat(refused.at("/errors/0/extensions/code").asText())
                .as(refused.toString())
                .isEqualTo("UNAVAILABLE");
        assertThat(cluster.epoch(CUT)).isEqualTo(before);
        assertThat(cluster.epoch(0)).isGreaterThan(before);
    }

    /** One of two targets fails on both sides, so that each side changes weights by itself; then it is well again. */
    private static void loseATarget(SplitTenant tenant) throws Exception {
        tenant.shake(true);
        for (int node = 0; node < cluster.size(); node++) {
            tenant.answered(node, 15);
        }
        Thread.sleep(2_000);
        tenant.shake(false);
    }

    private static Map<Integer, Long> revisions(SplitTenant tenant) throws Exception {
        Map<Integer, Long> revisions = new HashMap<>();
        for (int node = 0; node < cluster.size(); node++) {
            revisions.put(node, revision(tenant, node));
        }
        return revisions;
    }

    /** Of the weights that a node decides by now. */
    private static long revision(SplitTenant tenant, int node) throws Exception {
        HttpResponse<String> answer = tenant.chat(node);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        List<JsonNode> found = new ArrayList<>();
        ClusterProcesses.eventually("the decision on node " + node, () -> {
            found.add(tenant.decision(node, traceId(answer)));
            return !found.get(found.size() - 1).isMissingNode();
        });
        return found.get(found.size() - 1).at("/input/weightsRevision").asLong();
    }

    /** Revisions now, none of which is lower than before. */
    private static Map<Integer, Long> grown(Map<Integer, Long> before, SplitTenant tenant) throws Exception {
        Map<Integer, Long> now = revisions(tenant);
        now.forEach((node, revision) -> assertThat(revision).isGreaterThanOrEqualTo(before.get(node)));
        return now;
    }

    private static void awaitOneRevision(SplitTenant tenant) throws Exception {
        ClusterProcesses.eventually(
                "the same weights on all nodes",
                () -> new HashSet<>(revisions(tenant).values()).size() == 1);
    }

    private static void awaitOneEpoch() throws Exception {
        ClusterProcesses.eventually("one epoch", () -> {
            long first = cluster.epoch(0);
            return cluster.epoch(1) == first && cluster.epoch(CUT) == first;
        });
    }

    /** Waits until every node finds what every other has just served. */
    private static void awaitBus(SplitTenant tenant) throws Exception {
        for (int node = 0; node < cluster.size(); node++) {
            cluster.awaitMembers(node, cluster.size());
        }
        for (int served = 0; served < cluster.size(); served++) {
            String trace = traceId(tenant.chat(served));
            for (int asked = 0; asked < cluster.size(); asked++) {
                int from = asked;
                ClusterProcesses.eventually(
                        "a decision of node " + served + " from node " + asked,
                        () -> !tenant.decision(from, trace).isMissingNode());
            }
        }
    }

    /** Waits until every node's books say what the provider's bill says. */
    private static void awaitBooks(SplitTenant tenant) throws Exception {
        SplitTenant.Standing[] last = new SplitTenant.Standing[1];
        for (int node = 0; node < cluster.size(); node++) {
            int asked = node;
            try {
                ClusterProcesses.eventually("the bill in the books", () -> {
                    last[0] = tenant.standing(asked);
                    return last[0].equals(new SplitTenant.Standing(tenant.billMicros(), 0));
                });
            } catch (AssertionError never) {
                throw new AssertionError(
                        "node " + node + " has " + last[0] + ", the bill is " + tenant.billMicros(), never);
            }
        }
    }

    /** Asks all nodes in turn until each says that the cap is used up. */
    private static void spendTheRest(SplitTenant tenant) throws Exception {
        Set<Integer> refused = new HashSet<>();
        for (int i = 0; refused.size() < cluster.size(); i++) {
            assertThat(i).as("requests under a cap of a dollar").isLessThan(1_000);
            HttpResponse<String> answer = tenant.chat(i % cluster.size());
            if (answer.statusCode() != 200) {
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(402);
                refused.add(i % cluster.size());
            }
        }
    }

    /** Events of a look come in order, a band last: who has heard of the last threshold and of a band has heard what came before. */
    private static void assertNothingIsToldUnderTwoNames(String tenant) throws Exception {
        ClusterProcesses.eventually(
                "the last events of " + tenant,
                () -> told(tenant).containsKey("cap.threshold 0.9")
                        && told(tenant).keySet().stream().anyMatch(said -> said.startsWith("cap.band")));
        Map<String, Set<String>> names = told(tenant);
        assertThat(names).containsKeys("cap.threshold 0.5", "cap.threshold 0.7");
        assertThat(names.values())
                .as(names.toString())
                .allSatisfy(ids -> assertThat(ids).hasSize(1));
    }

    /** Ids by what they stand for. */
    private static Map<String, Set<String>> told(String tenant) {
        Map<String, Set<String>> names = new HashMap<>();
        for (JsonNode event : EVENTS) {
            if (event.path("tenant").asText().equals(tenant)) {
                String type = event.path("type").asText();
                String what = event.path(type.equals("cap.band") ? "band" : "threshold")
                        .asText();
                names.computeIfAbsent(type + " " + what, first -> new HashSet<>())
                        .add(event.path("id").asText());
            }
        }
        return names;
    }

    private static void sleepUntil(long fromNs, long seconds) throws InterruptedException {
        long leftMs = TimeUnit.SECONDS.toMillis(seconds) - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - fromNs);
        Thread.sleep(Math.max(0, leftMs));
    }

    private static String since(long fromNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - fromNs) + " ms";
    }
}
