package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One node that controls and two that take requests; then none that controls; then another one. */
@Timeout(300)
@Tag("chaos")
class RolesClusterIT {
    /** No breaker opens: what keeps calls away from a target is its published weight only. */
    private static final String SETTINGS = ClusterProcesses.SETTINGS + """
            breaker:
              timeRate: 1
              countRate: 1
              consecutiveMax: 100000
            """;

    private static final String TENANT = "acme";
    private static final List<Integer> DATA = List.of(1, 2);

    /** By halves, 40 requests would have fewer than 10 at one of two targets once in a thousand times. */
    private static final int ROW = 40;

    private static final int ROW_AVOIDED_MAX = 9;

    @TempDir
    Path directory;

    private final ScriptedUpstream well = ScriptedUpstream.answering(200, Sse.whole("an answer", 10, 2));
    private final ScriptedUpstream bad = ScriptedUpstream.answering(200, Sse.whole("an answer", 10, 2));
    private ClusterProcesses cluster;
    private String key;

    @AfterEach
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
        well.close();
        bad.close();
    }

    @Test
    void nodesThatTakeRequestsGoOnWithoutTheOneThatControlsUntilAnotherTakesOver(TestReporter figures)
            throws Exception {
        int unused = ClusterProcesses.freePort();
        Map<String, String> control = Map.of("SLUICE_ROLES", "control", "SLUICE_PORT", String.valueOf(unused));
        Map<String, String> data = Map.of("SLUICE_ROLES", "data");
        cluster = ClusterProcesses.start(
                directory,
                new ClusterProcesses.Shape(4, SETTINGS, false, Map.of(0, control, 1, data, 2, data, 3, control)),
                3);
        assertEachDoesItsPartOnly(unused);
        onboard();
        assertServes();
        assertOperatorsSeeWhatNodesForAppsDo();

        bad.play((request, wire) -> wire.json(500, "{\"error\":{\"message\":\"broken\"}}"));
        long badNs = System.nanoTime();
        awaitHealth(0, health -> health < 0.1);
        figures.publishEntry("weight moved after, ms", ms(badNs));
        assertThat(pool(0).get("ownerNode").asText()).isEqualTo("node-0");
        assertAvoids(2);

        cluster.node(0).kill();
        cluster.forget(0);
        assertServes();
        long killedNs = System.nanoTime();
        ClusterProcesses.eventually("nobody controls", () -> metric(1, "sluice_nodes{role=\"control\"}") == 0);
        figures.publishEntry("missed after, ms", ms(killedNs));
        assertServes();
        cluster.node(2).kill();
        cluster.begin(2).awaitReady();
        assertServes();
        assertAvoids(1);
        assertAvoids(2);

        cluster.begin(3).awaitReady();
        cluster.awaitMembers(3);
        assertThat(roles(3))
                .isEqualTo(Map.of("node-1", "[\"data\"]", "node-2", "[\"data\"]", "node-3", "[\"control\"]"));
        awaitHealth(3, health -> health < 0.1);
        assertThat(pool(3).get("ownerNode").asText()).isEqualTo("node-3");
        bad.play((request, wire) -> wire.json(200, Sse.whole("an answer", 10, 2)));
        awaitHealth(3, health -> health > 0.3);
    }

    private void assertEachDoesItsPartOnly(int unused) throws Exception {
        assertThat(roles(0))
                .isEqualTo(Map.of("node-0", "[\"control\"]", "node-1", "[\"data\"]", "node-2", "[\"data\"]"));
        assertThat(cluster.node(0).printed()).contains("control: owns pools").doesNotContain("/v1");
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), unused).close())
                .isInstanceOf(ConnectException.class);
        assertThat(metrics(0)).contains("sluice_rungs_unproven").doesNotContain("sluice_requests_running");
        for (int node : DATA) {
            HttpResponse<String> answer = cluster.node(node).graphql(ClusterProcesses.ADMIN_TOKEN, "{ __typename }");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
            assertThat(metrics(node)).contains("sluice_requests_running").doesNotContain("sluice_rungs_unproven");
        }
        for (int node = 0; node < 3; node++) {
            String management = cluster.node(node).management();
            assertThat(cluster.node(node).get(management + "/readyz").statusCode())
                    .isEqualTo(200);
            assertThat(cluster.node(node).get(management + "/livez").statusCode())
                    .isEqualTo(200);
        }
    }

    private void onboard() throws Exception {
        Admin admin = cluster.admin(0);
        admin.tenant(TENANT);
        admin.model(TENANT, "m");
        for (String id : List.of("well", "bad")) {
            String url = id.equals("well") ? well.baseUrl() : bad.baseUrl();
            admin.pool(TENANT, id, url, "m");
        }
        admin.make(
                "putPool",
                "",
                input(
                        "tenantId",
                        TENANT,
                        "id",
                        "both",
                        "tier",
                        "STANDARD",
                        "targets",
                        List.of(Map.of("provider", "well", "model", "m"), Map.of("provider", "bad", "model", "m"))));
        admin.make(
                "putScenario",
                "",
                input(
                        "tenantId", TENANT,
                        "name", "chat",
                        "sensitivity", "SEMANTIC",
                        "kind", "READ",
                        "ladder", List.of(Map.of("name", "first", "pool", "both"))));
        BillingProvider.cap(admin, TENANT, 1_000_000_000);
        key = BillingProvider.key(admin, TENANT, "app").get("key").asText();
        ClusterProcesses.eventually("all serve the key", () -> {
            JsonNode seen =
                    admin.ask("{ cluster { epoch members { appliedEpoch } } }").get("cluster");
            return seen.findValues("appliedEpoch").stream().allMatch(each -> each.equals(seen.get("epoch")));
        });
    }

    private HttpResponse<String> chat(int node) throws Exception {
        return cluster.node(node)
                .send(
                        SluiceProcess.chat(
                                cluster.node(node).fact("Apps") + "/chat/completions",
                                key,
                                "{\"model\":\"auto\",\"max_tokens\":10,\"messages\":[{\"role\":\"user\",\"content\":\"Why?\"}]}"));
    }

    private void assertServes() throws Exception {
        for (int i = 0; i < 5; i++) {
            for (int node : DATA) {
                HttpResponse<String> answer = chat(node);
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            }
        }
    }

    /** The money, the decisions and the calls of nodes that operators can't ask. */
    private void assertOperatorsSeeWhatNodesForAppsDo() throws Exception {
        Admin admin = cluster.admin(0);
        for (int node : DATA) {
            String trace = chat(node).headers().firstValue("x-request-id").orElseThrow();
            ClusterProcesses.eventually(
                    "the decision of node " + node,
                    () -> admin.ask("{ decision(traceId: \"" + trace + "\") { traceId } }")
                            .at("/decision/traceId")
                            .asText()
                            .equals(trace));
        }
        assertThat(admin.ask("{ decision(traceId: \"0af7651916cd43dd8448eb211c80319c\") { traceId } }")
                        .get("decision")
                        .isNull())
                .as("no node is missed that has none")
                .isTrue();
        ClusterProcesses.eventually(
                "what was spent",
                () -> BillingProvider.micros(admin.ask("{ tenant(id: \"" + TENANT + "\") { spendCaps { spent } } }")
                                .at("/tenant/spendCaps/0/spent"))
                        > 0);
        assertThat(admin.make("verifyLadder", "ok", input("tenantId", TENANT, "scenario", "chat"))
                        .get("ok")
                        .asBoolean())
                .isTrue();
    }

    /** A node that has not seen the trouble itself knows by the published weight where not to send requests. */
    private void assertAvoids(int node) throws Exception {
        int before = bad.requests().size();
        for (int i = 0; i < ROW; i++) {
            HttpResponse<String> answer = chat(node);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
        assertThat(bad.requests().size() - before).as("calls of node %d", node).isLessThanOrEqualTo(ROW_AVOIDED_MAX);
    }

    private interface Wanted {
        boolean met(double health);
    }

    /** Has node 1 serve requests until node {@code asked} shows such a health of the bad target. */
    private void awaitHealth(int asked, Wanted wanted) throws Exception {
        ClusterProcesses.eventually("the health of the bad target", () -> {
            for (int i = 0; i < 5; i++) {
                assertThat(chat(1).statusCode()).isEqualTo(200);
            }
            for (JsonNode target : pool(asked).path("targets")) {
                if (target.get("provider").asText().equals("bad")) {
                    return wanted.met(target.get("health").asDouble());
                }
            }
            return false;
        });
    }

    /** How node {@code asked} sees the pool; empty where nothing is known of it. */
    private JsonNode pool(int asked) throws Exception {
        JsonNode pools = cluster.admin(asked)
                .ask("{ pools(tenantId: \"" + TENANT
                        + "\") { nodes { poolId ownerNode targets { provider health } } } }")
                .at("/pools/nodes");
        for (JsonNode pool : pools) {
            if (pool.get("poolId").asText().equals("both")) {
                return pool;
            }
        }
        return pools.path("none");
    }

    private Map<String, String> roles(int asked) throws Exception {
        Map<String, String> roles = new TreeMap<>();
        cluster.admin(asked)
                .ask("{ cluster { members { id roles } } }")
                .at("/cluster/members")
                .forEach(member ->
                        roles.put(member.get("id").asText(), member.get("roles").toString()));
        return roles;
    }

    private String metrics(int node) throws Exception {
        return cluster.node(node)
                .get(cluster.node(node).management() + "/metrics")
                .body();
    }

    private double metric(int node, String name) throws Exception {
        return metrics(node)
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new IOException("no " + name));
    }

    private static String ms(long sinceNs) {
        return String.valueOf((System.nanoTime() - sinceNs) / 1_000_000);
    }
}
