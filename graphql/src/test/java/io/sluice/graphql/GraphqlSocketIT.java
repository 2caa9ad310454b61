package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.EpochEvent;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.MergedTarget;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subscriptions over graphql-transport-ws. */
class GraphqlSocketIT {
    private static final String HEALTH =
            "subscription{poolHealth{poolId tenantId epoch inFlight targets{provider model weight health state}}}";

    private static Management management;

    @BeforeAll
    static void start() {
        management = Management.start();
    }

    @AfterAll
    static void stop() throws Exception {
        management.close();
    }

    private static PoolHealthMerged figures(String tenant, String pool, int inFlight) {
        return new PoolHealthMerged(
                new ScopedId(tenant == null ? null : new TenantId(tenant), pool),
                MemoryControlPlane.NOW,
                List.of(new MergedTarget("up/org/m@m-2026", 0.75, 1, TargetState.WARMING, inFlight)),
                0.9,
                10,
                5,
                inFlight,
                0);
    }

    private static void publish(PoolHealthMerged figures) {
        management.plane.healthListeners.forEach(listener -> listener.accept(figures));
    }

    @Test
    @DisplayName("GQ06: an event comes with its nested fields; after complete no listener is left")
    void leavesNoListenerAfterComplete() throws Exception {
        WsClient client = WsClient.open(management, "root-token");
        client.subscribe("1", HEALTH);
        Management.await(() -> management.plane.healthListeners.size() == 1);
        publish(figures("acme", "fast", 4));
        JsonNode next = client.next();
        client.send("{\"type\":\"complete\",\"id\":\"1\"}");
        Management.await(() -> management.plane.healthListeners.isEmpty());
        assertThat(next.path("type").asText()).isEqualTo("next");
        assertThat(next.at("/payload/data/poolHealth/targets").toString())
                .isEqualTo("[{\"provider\":\"up\",\"model\":\"org/m\",\"weight\":100,\"health\":0.75,"
                        + "\"state\":\"WARMING\"}]");
        client.drop();
    }

    @Test
    @DisplayName("GQ06: after a dropped socket no listener is left")
    void leavesNoListenerAfterADrop() throws Exception {
        WsClient client = WsClient.open(management, "root-token");
        client.subscribe("1", HEALTH);
        client.subscribe("2", "subscription{configEpoch{epoch}}");
        Management.await(
                () -> management.plane.healthListeners.size() == 1 && management.plane.epochListeners.size() == 1);
        client.drop();
        Management.await(() -> management.plane.healthListeners.isEmpty() && management.plane.epochListeners.isEmpty());
    }

    @Test
    @DisplayName("GQ06: an unsubscribe that overtakes its subscription leaves no listener either")
    void leavesNoListenerAfterAQuickComplete() throws Exception {
        WsClient client = WsClient.open(management, "root-token");
        for (int i = 0; i < 50; i++) {
            client.subscribe("q" + i, HEALTH);
            client.send("{\"type\":\"complete\",\"id\":\"q" + i + "\"}");
        }
        client.subscribe("last", "{me{name}}");
        assertThat(client.next().path("id").asText()).isEqualTo("last");
        Management.await(() -> management.plane.healthListeners.isEmpty());
        client.drop();
    }

    @Test
    @DisplayName("Row 96: events of other tenants' pools do not come")
    void hidesOtherTenantsEvents() throws Exception {
        WsClient client = WsClient.open(management, "acme-TENANT_ADMIN");
        client.subscribe("1", HEALTH);
        Management.await(() -> management.plane.healthListeners.size() == 1);
        publish(figures("globex", "secret", 1));
        publish(figures(null, "shared", 2));
        publish(figures("acme", "fast", 3));
        assertThat(client.next().at("/payload/data/poolHealth/poolId").asText()).isEqualTo("shared");
        assertThat(client.next().at("/payload/data/poolHealth/poolId").asText()).isEqualTo("fast");
        client.drop();
        Management.await(() -> management.plane.healthListeners.isEmpty());
    }

    @Test
    @DisplayName("Row 96: a subscription to another tenant's pools is refused like one to nobody's")
    void refusesOtherTenants() throws Exception {
        WsClient client = WsClient.open(management, "acme-TENANT_ADMIN");
        client.subscribe("1", "subscription{poolHealth(tenantId:\"globex\"){poolId}}");
        JsonNode other = client.next();
        JsonNode otherEnd = client.next();
        client.subscribe("1", "subscription{poolHealth(tenantId:\"nobody\"){poolId}}");
        assertThat(client.next()).isEqualTo(other);
        assertThat(other.at("/payload/errors/0/extensions/code").asText()).isEqualTo("BAD_USER_INPUT");
        assertThat(otherEnd.path("type").asText()).isEqualTo("complete");
        client.drop();
    }

    @Test
    void tellsEpochsButTheirCauseToAdministratorsOnly() throws Exception {
        WsClient root = WsClient.open(management, "root-token");
        WsClient tenant = WsClient.open(management, "acme-REVIEWER");
        root.subscribe("1", "subscription{configEpoch{epoch at cause}}");
        tenant.subscribe("1", "subscription{configEpoch{epoch at cause}}");
        Management.await(() -> management.plane.epochListeners.size() == 2);
        management.plane.epochListeners.forEach(
                listener -> listener.accept(new EpochEvent(9, MemoryControlPlane.NOW, "putPool globex|secret")));
        assertThat(root.next().at("/payload/data/configEpoch/cause").asText()).isEqualTo("putPool globex|secret");
        assertThat(tenant.next().at("/payload/data/configEpoch").toString())
                .isEqualTo("{\"epoch\":9,\"at\":\"2026-03-01T12:00:00Z\",\"cause\":\"configuration changed\"}");
        root.drop();
        tenant.drop();
        Management.await(() -> management.plane.epochListeners.isEmpty());
    }

    @Test
    void endsAStreamWhoseTokenIsNoLongerAccepted() throws Exception {
        management.plane.tokens.put("short", management.plane.tokens.get("root-token"));
        WsClient client = WsClient.open(management, "short");
        client.subscribe("1", HEALTH);
        Management.await(() -> management.plane.healthListeners.size() == 1);
        management.plane.tokens.remove("short");
        publish(figures("acme", "fast", 1));
        JsonNode error = client.next();
        assertThat(error.path("type").asText()).isEqualTo("error");
        assertThat(error.at("/payload/0/extensions/code").asText()).isEqualTo("UNAUTHENTICATED");
        Management.await(() -> management.plane.healthListeners.isEmpty());
        client.drop();
    }

    @Test
    void forbidsSubscriptionsByRole() throws Exception {
        WsClient client = WsClient.open(management, "acme-FINANCE");
        client.subscribe("1", HEALTH);
        assertThat(client.next().at("/payload/errors/0/extensions/code").asText())
                .isEqualTo("FORBIDDEN");
        assertThat(client.next().path("type").asText()).isEqualTo("complete");
        assertThat(management.plane.healthListeners).isEmpty();
        client.drop();
    }

    @Test
    void runsQueriesAndCompletesThem() throws Exception {
        WsClient client = WsClient.open(management, "acme-REVIEWER");
        client.subscribe("1", "{me{name}}");
        assertThat(client.next().toString())
                .isEqualTo(
                        "{\"type\":\"next\",\"id\":\"1\",\"payload\":{\"data\":{\"me\":{\"name\":\"acme-REVIEWER\"}}}}");
        assertThat(client.next().toString()).isEqualTo("{\"type\":\"complete\",\"id\":\"1\"}");
        client.drop();
    }

    @Test
    @DisplayName("Row 87: the limits hold on the socket too")
    void refusesCostlyDocuments() throws Exception {
        WsClient client = WsClient.open(management, "root-token");
        client.subscribe("1", "{" + "a:me{name} ".repeat(31) + "}");
        assertThat(client.next().at("/payload/0/extensions/code").asText()).isEqualTo("LIMIT_EXCEEDED");
        client.drop();
    }

    @Test
    void limitsOperationsPerSocket() throws Exception {
        WsClient client = WsClient.open(management, "root-token");
        for (int i = 0; i <= GraphqlSocket.OPERATIONS_MAX; i++) {
            client.subscribe("s" + i, "subscription{configEpoch{epoch}}");
        }
        assertThat(client.next().at("/payload/0/extensions/code").asText()).isEqualTo("LIMIT_EXCEEDED");
        client.drop();
        Management.await(() -> management.plane.epochListeners.isEmpty());
    }

    @Test
    void answersPings() throws Exception {
        WsClient client = WsClient.connect(management);
        client.send("{\"type\":\"ping\",\"payload\":{\"a\":1}}");
        assertThat(client.next().toString()).isEqualTo("{\"type\":\"pong\",\"payload\":{\"a\":1}}");
        client.drop();
    }

    @Test
    void takesTheTokenOfTheUpgrade() throws Exception {
        WsClient client = WsClient.connect(management, "Authorization", "bearer root-token");
        client.send("{\"type\":\"connection_init\"}");
        assertThat(client.next().path("type").asText()).isEqualTo("connection_ack");
        assertThat(client.subprotocol()).isEqualTo("graphql-transport-ws");
        client.drop();
    }

    @ParameterizedTest
    @DisplayName("AT03, AT04: a socket without a good token is closed")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"connection_init\"}|4401",
                "{\"type\":\"connection_init\",\"payload\":{}}|4401",
                "{\"type\":\"connection_init\",\"payload\":{\"Authorization\":\"Bearer nobody\"}}|4403",
                "{\"type\":\"connection_init\",\"payload\":{\"Authorization\":\"Bearer  \"}}|4403",
                "{\"type\":\"connection_init\",\"payload\":{\"Authorization\":\"root-token\"}}|4403",
                "{\"type\":\"connection_init\",\"payload\":{\"Authorization\":7}}|4403",
                "{\"type\":\"subscribe\",\"id\":\"1\",\"payload\":{\"query\":\"{me{name}}\"}}|4401",
                "not json|4400",
                "[]|4400",
                "{\"type\":\"nothing\"}|4400",
                "{\"type\":\"ping\",\"type\":\"pong\"}|4400"
            })
    void closesSocketsThatAreNotProven(String message, int code) throws Exception {
        WsClient client = WsClient.connect(management);
        client.send(message);
        assertThat(client.closeCode()).isEqualTo(code);
    }

    @ParameterizedTest
    @DisplayName("A proven socket that breaks the protocol is closed")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"connection_init\"}|4429",
                "{\"type\":\"subscribe\",\"payload\":{\"query\":\"{me{name}}\"}}|4400",
                "{\"type\":\"subscribe\",\"id\":\"1\"}|4400",
                "{\"type\":\"subscribe\",\"id\":\"1\",\"payload\":{\"query\":7}}|4400",
                "{\"type\":\"subscribe\",\"id\":\"1\",\"payload\":[]}|4400",
                "{\"type\":\"subscribe\",\"id\":\"dup\",\"payload\":{\"query\":\"subscription{configEpoch{epoch}}\"}}|4409"
            })
    void closesSocketsThatBreakTheProtocol(String message, int code) throws Exception {
        WsClient client = WsClient.open(management, "root-token");
        client.subscribe("dup", "subscription{configEpoch{epoch}}");
        client.send(message);
        assertThat(client.closeCode()).isEqualTo(code);
        Management.await(() -> management.plane.epochListeners.isEmpty());
    }

    @Test
    void closesASocketThatSaysNothing() throws Exception {
        assertThat(WsClient.connect(management).closeCode()).isEqualTo(4408);
    }

    @ParameterizedTest
    @DisplayName("Row 85: a page of a foreign origin gets no socket, nor does a wrong token")
    @CsvSource({"Origin,https://evil.example", "Authorization,Bearer nobody"})
    void refusesTheUpgrade(String name, String value) {
        assertThatThrownBy(() -> WsClient.connect(management, name, value))
                .hasMessageContaining("WebSocketHandshakeException");
    }
}
