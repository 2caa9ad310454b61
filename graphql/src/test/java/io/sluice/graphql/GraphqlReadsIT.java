package io.sluice.graphql;

import static io.sluice.graphql.Management.code;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.AuditEntry;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.MergedTarget;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queries: pages, live figures, decisions. */
class GraphqlReadsIT {
    private static final DecisionRecord DECISION = Records.decision("trace-1", "acme");
    private static Management management;

    @BeforeAll
    static void start() {
        management = Management.start();
        management.plane.decisions.add(DECISION);
        for (int i = 0; i < 25; i++) {
            management.plane.put(TenantTree.of(new TenantConfig(
                    new TenantId("many-%02d".formatted(i)), 1, "One of many", ZoneId.of("UTC"), "EUR", false)));
        }
        for (long i = 1; i <= 3; i++) {
            management.plane.audit.add(new AuditEntry(
                    i,
                    MemoryControlPlane.NOW,
                    null,
                    "root",
                    "putPool",
                    "shared",
                    StrictJson.MAPPER.createObjectNode(),
                    "h"));
        }
        management.plane.health.add(new PoolHealthMerged(
                new ScopedId(new TenantId("acme"), "fast"),
                MemoryControlPlane.NOW,
                List.of(new MergedTarget("up/org/m@m-2026", 0.25, 1, TargetState.EJECTED, 3)),
                0.5,
                120.5,
                40,
                3,
                2));
    }

    @AfterAll
    static void stop() throws Exception {
        management.close();
    }

    @Test
    void pagesThroughTenantsWithoutLossOrRepeat() throws Exception {
        List<String> ids = new ArrayList<>();
        String after = null;
        do {
            JsonNode page = management
                    .run(
                            "root-token",
                            "query($after:String){tenants(first:10,after:$after,search:\"OF MANY\"){totalCount nodes{id}"
                                    + " pageInfo{hasNextPage endCursor}}}",
                            after == null ? Map.of() : Map.of("after", after))
                    .at("/data/tenants");
            assertThat(page.path("totalCount").asInt()).isEqualTo(25);
            page.path("nodes").forEach(node -> ids.add(node.path("id").asText()));
            after = page.at("/pageInfo/hasNextPage").asBoolean()
                    ? page.at("/pageInfo/endCursor").asText()
                    : null;
        } while (after != null);
        assertThat(ids).hasSize(25).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void refusesAForeignCursor() throws Exception {
        assertThat(code(management.run("{tenants(after:\"???\"){totalCount}}"))).isEqualTo("BAD_USER_INPUT");
    }

    @Test
    void refusesACursorThatTheStoreDoesNotKnow() throws Exception {
        JsonNode answer = management.run(
                "root-token", "query($a:String){auditLog(after:$a){nodes{id}}}", Map.of("a", Page.encode("abc")));
        assertThat(code(answer)).isEqualTo("BAD_USER_INPUT");
    }

    @Test
    void handsTheCursorsOfTheStoresOnUnread() throws Exception {
        JsonNode first = management.run("{auditLog(first:2){nodes{id} pageInfo{hasNextPage endCursor}}}");
        JsonNode second = management.run(
                "root-token",
                "query($a:String){auditLog(first:2,after:$a){nodes{id} pageInfo{hasNextPage endCursor}}}",
                Map.of("a", first.at("/data/auditLog/pageInfo/endCursor").asText()));
        assertThat(first.at("/data/auditLog/nodes").toString()).isEqualTo("[{\"id\":\"3\"},{\"id\":\"2\"}]");
        assertThat(second.at("/data/auditLog").toString())
                .isEqualTo("{\"nodes\":[{\"id\":\"1\"}],\"pageInfo\":{\"hasNextPage\":false,\"endCursor\":null}}");
    }

    @Test
    void showsADecisionWithItsAttempts() throws Exception {
        JsonNode answer = management.run(
                "{decision(traceId:\"trace-1\"){traceId at tenantId scenario step model outcome"
                        + " costUsd epoch attempts{n step provider model outcome failureClass firstTokenMs totalMs costUsd}}}");
        assertThat(answer.at("/data/decision").toString())
                .isEqualTo("{\"traceId\":\"trace-1\",\"at\":\"2026-03-01T12:00:00Z\",\"tenantId\":\"acme\","
                        + "\"scenario\":\"chat\",\"step\":\"first\",\"model\":\"b/m\",\"outcome\":\"ok\","
                        + "\"costUsd\":\"0.000036\",\"epoch\":7,\"attempts\":[{\"n\":1,\"step\":\"first\","
                        + "\"provider\":\"a\",\"model\":\"m\",\"outcome\":\"failed\",\"failureClass\":\"OVERLOADED\","
                        + "\"firstTokenMs\":null,\"totalMs\":40.25,\"costUsd\":null},{\"n\":2,\"step\":\"first\","
                        + "\"provider\":\"b\",\"model\":\"m\",\"outcome\":\"ok\",\"failureClass\":null,"
                        + "\"firstTokenMs\":80.5,\"totalMs\":200.5,\"costUsd\":\"0.000036\"}]}");
    }

    @Test
    void aDecisionsRecordReplays() throws Exception {
        JsonNode answer = management.run("acme-AUDITOR", "{decision(traceId:\"trace-1\"){record}}");
        DecisionRecord read = StrictJson.MAPPER.treeToValue(answer.at("/data/decision/record"), DecisionRecord.class);
        assertThat(read).isEqualTo(DECISION);
        assertThat(DecisionReplay.differences(read)).isEmpty();
    }

    @Test
    void findsDecisionsByFilter() throws Exception {
        String query =
                "query($s:String){decisions(tenantId:\"acme\",filter:{scenario:$s,from:\"2026-01-01T00:00:00Z\"})"
                        + "{nodes{traceId}}}";
        assertThat(management.run("root-token", query, Map.of("s", "chat")).at("/data/decisions/nodes"))
                .hasSize(1);
        assertThat(management.run("root-token", query, Map.of("s", "other")).at("/data/decisions/nodes"))
                .isEmpty();
    }

    @Test
    void refusesAFilterThatIsNoInstant() throws Exception {
        assertThat(code(management.run("{decisions(tenantId:\"acme\",filter:{from:\"yesterday\"}){nodes{traceId}}}")))
                .isEqualTo("BAD_USER_INPUT");
    }

    @Test
    void joinsPoolsWithTheirLiveFigures() throws Exception {
        JsonNode answer =
                management.run("{pools(tenantId:\"acme\"){totalCount nodes{poolId ownerNode epoch at usableAnswerRate"
                        + " latencyP95Ms firstTokenP95Ms inFlight queued targets{provider model weight health state}}}"
                        + " tenant(id:\"acme\"){pools{targets{health state}}}}");
        JsonNode fast = answer.at("/data/pools/nodes/0");
        assertThat(fast.path("poolId").asText()).isEqualTo("fast");
        assertThat(fast.path("latencyP95Ms").asDouble()).isEqualTo(120.5);
        assertThat(fast.path("queued").asInt()).isEqualTo(2);
        assertThat(fast.path("targets").toString())
                .isEqualTo("[{\"provider\":\"up\",\"model\":\"org/m\",\"weight\":100,\"health\":0.25,"
                        + "\"state\":\"EJECTED\"}]");
        assertThat(answer.at("/data/pools/nodes/1/usableAnswerRate").asDouble()).isEqualTo(1);
        assertThat(answer.findValuesAsText("ownerNode"))
                .hasSize(2)
                .allSatisfy(owner -> assertThat(owner).startsWith("owner of "));
        assertThat(answer.at("/data/tenant/pools/0/targets/0/state").asText()).isEqualTo("EJECTED");
    }
}
