package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.control.api.ShiftStanding;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import io.sluice.tenants.shift.Slowdown;
import io.sluice.tenants.shift.Trouble;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How scenarios stand, through the API. */
class GraphqlShiftsIT {
    private static final TenantId ACME = new TenantId("acme");
    private static final ScenarioKey CHAT = new ScenarioKey(ACME, "chat");
    private static final String ALL =
            "{tenant(id:\"acme\"){scenarios{name shift{scenario version enabled phase step percent sinceAt"
                    + " substitute reason trouble baselineP95Ms currentP95Ms calls errorRate uselessRate"
                    + " slowed{poolId target weight} ownerNode}}}}";

    private Management management;

    @BeforeEach
    void start() {
        management = Management.start();
        management.plane.put(management
                .plane
                .configuration()
                .tenants()
                .get(ACME)
                .with(new ScenarioConfig(
                        "chat",
                        1,
                        Sensitivity.SEMANTIC,
                        RequestKind.READ,
                        true,
                        null,
                        null,
                        List.of(
                                new RungConfig.Pool("first", "fast", null, null),
                                new RungConfig.Pool("second", "shared", null, null)),
                        Map.of("shift", JsonNodeFactory.instance.objectNode().put("enabled", true)))));
    }

    @AfterEach
    void stop() throws Exception {
        management.close();
    }

    private static ShiftStanding shifting(TenantId tenant) {
        ShiftState state = new ShiftState(
                1_700_000_000_123L,
                ShiftPhase.SHIFTING,
                2,
                MemoryControlPlane.NOW.toEpochMilli(),
                "second",
                List.of(Trouble.LATENCY, Trouble.ERRORS),
                "the first rung is in trouble",
                120,
                0,
                Map.of(new ScopedId(tenant, "fast"), Map.of("up/org/m", new Slowdown(0.3, 9))));
        return new ShiftStanding(
                new ScenarioKey(tenant, tenant.equals(ACME) ? "chat" : "theirs"),
                state,
                true,
                List.of(Trouble.ERRORS),
                120,
                900.5,
                40,
                0.25,
                0,
                MemoryControlPlane.NOW);
    }

    @Test
    void aShiftIsShownWithItsFiguresAndItsReason() throws Exception {
        management.plane.shifts.put(CHAT, shifting(ACME));
        JsonNode shift = management.run("acme-AUDITOR", ALL).at("/data/tenant/scenarios/0/shift");
        assertThat(shift.toString())
                .isEqualTo(
                        "{\"scenario\":\"chat\",\"version\":1700000000123,\"enabled\":true,\"phase\":\"SHIFTING\",\"step\":2,"
                                + "\"percent\":10.0,\"sinceAt\":\"" + MemoryControlPlane.NOW
                                + "\",\"substitute\":\"second\","
                                + "\"reason\":\"the first rung is in trouble\",\"trouble\":[\"ERRORS\"],\"baselineP95Ms\":120.0,"
                                + "\"currentP95Ms\":900.5,\"calls\":40,\"errorRate\":0.25,\"uselessRate\":0.0,"
                                + "\"slowed\":[{\"poolId\":\"fast\",\"target\":\"up/org/m\",\"weight\":0.3}],\"ownerNode\":\"owner of acme|chat\"}");
    }

    @Test
    void ofAScenarioWithoutTrafficNothingIsKnownAndNothingIsWrong() throws Exception {
        JsonNode shift = management.run("acme-TENANT_ADMIN", ALL).at("/data/tenant/scenarios/0/shift");
        assertThat(shift.get("enabled").asBoolean()).isTrue();
        assertThat(shift.get("phase").asText()).isEqualTo("OFF");
        assertThat(shift.get("baselineP95Ms").isNull()).isTrue();
        assertThat(shift.get("trouble")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme-FINANCE", "acme-REVIEWER"})
    void whoMayNotSeeRoutingDoesNotSeeShifts(String token) throws Exception {
        assertThat(management.run(token, ALL).toString()).contains("FORBIDDEN");
        WsClient client = WsClient.open(management, token);
        client.subscribe("1", "subscription{scenarioShifts(tenantId:\"acme\"){phase}}");
        assertThat(client.next().toString()).contains("FORBIDDEN");
        client.drop();
    }

    @Test
    void changesOfTheTenantsOwnScenariosAreWatched() throws Exception {
        WsClient client = WsClient.open(management, "acme-TENANT_ADMIN");
        client.subscribe("1", "subscription{scenarioShifts(tenantId:\"acme\"){scenario phase percent}}");
        Management.await(() -> management.plane.shiftListeners.size() == 1);
        for (TenantId tenant : List.of(new TenantId("globex"), ACME)) {
            management.plane.shiftListeners.forEach(listener -> listener.accept(shifting(tenant)));
        }
        JsonNode event = client.next().at("/payload/data/scenarioShifts");
        assertThat(event.path("scenario").asText()).isEqualTo("chat");
        assertThat(event.path("percent").asDouble()).isEqualTo(10);
        client.drop();
        Management.await(() -> management.plane.shiftListeners.isEmpty());
    }

    @Test
    void anotherTenantsShiftsAreNotWatched() throws Exception {
        WsClient client = WsClient.open(management, "acme-TENANT_ADMIN");
        client.subscribe("1", "subscription{scenarioShifts(tenantId:\"globex\"){phase}}");
        assertThat(client.next().toString()).contains("there is no such tenant");
        client.drop();
    }
}
