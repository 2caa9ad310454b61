package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.ConfigCommand.EndSwitch;
import io.sluice.control.api.ConfigCommand.PutDrill;
import io.sluice.control.api.ConfigCommand.PutSwitch;
import io.sluice.control.api.ConfigCommand.StartDrill;
import io.sluice.control.api.ConfigCommand.StopDrill;
import io.sluice.control.api.RungReport;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.DrillSchedule;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.Proof;
import io.sluice.tenants.drill.RungTally;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Switches, drills and the report of rungs through the API. */
class GraphqlDrillsIT {
    private static final TenantId ACME = new TenantId("acme");
    private static final Instant NOW = MemoryControlPlane.NOW;

    private Management management;

    @BeforeEach
    void start() {
        management = Management.start();
    }

    @AfterEach
    void stop() throws Exception {
        management.close();
    }

    private TenantTree acme() {
        return management.plane.configuration().tenants().get(ACME);
    }

    private void on(Instant expiresAt, Instant endedAt) {
        management.plane.put(acme().with(new SwitchConfig(
                "off", 3, null, "light", "ops", "outage", expiresAt, LocalDate.of(2026, 3, 1), endedAt)));
    }

    private void drill(DrillSchedule schedule) {
        management.plane.put(
                acme().with(new DrillConfig("d", 1, "chat", "light", 0.5, schedule, "ops", "why", true, null, null)));
    }

    @Test
    void aSwitchIsPutAsItWasTyped() throws Exception {
        management.run("mutation{putSwitch(input:{tenantId:\"acme\",id:\"off\",scenario:\"chat\",fromStep:\"light\","
                + "owner:\"ops\",reason:\"outage\",expiresAt:\"2026-03-02T12:00:00Z\",reviewOn:\"2026-03-02\"})"
                + "{switch{id} userErrors{code}}}");
        assertThat(management.plane.commands)
                .containsExactly(new PutSwitch(
                        "acme", "off", null, "chat", "light", "ops", "outage", "2026-03-02T12:00:00Z", "2026-03-02"));
    }

    @Test
    void aSwitchWithoutAnEndIsLeftToTheControlPlaneToRefuse() throws Exception {
        management.run("mutation{putSwitch(input:{tenantId:\"acme\",id:\"off\",fromStep:\"light\","
                + "owner:\"ops\",reason:\"outage\",reviewOn:\"2026-03-02\"}){switch{id} userErrors{code}}}");
        assertThat(management.plane.commands)
                .containsExactly(
                        new PutSwitch("acme", "off", null, null, "light", "ops", "outage", null, "2026-03-02"));
    }

    @Test
    void theCommandsOfASwitchAndADrillThatIsThereAnswerWithIt() throws Exception {
        on(NOW.plusSeconds(1), null);
        drill(DrillSchedule.DEFAULT);
        String input = "(input:{tenantId:\"acme\",id:";
        assertThat(management
                        .run("mutation{endSwitch" + input + "\"off\"}){switch{version}}}")
                        .at("/data/endSwitch/switch/version")
                        .asInt())
                .isEqualTo(3);
        assertThat(management
                        .run("mutation{startDrill" + input + "\"d\"}){drill{share}}}")
                        .at("/data/startDrill/drill/share")
                        .asDouble())
                .isEqualTo(0.5);
        assertThat(management
                        .run("mutation{stopDrill" + input + "\"d\"}){drill{id}}}")
                        .at("/data/stopDrill/drill/id")
                        .asText())
                .isEqualTo("d");
        assertThat(management.plane.commands)
                .containsExactly(
                        new EndSwitch("acme", "off"),
                        new StartDrill("acme", "d", null, "PT15M"),
                        new StopDrill("acme", "d"));
    }

    @Test
    void aDrillIsPutWithItsSchedule() throws Exception {
        management.run("mutation{putDrill(input:{tenantId:\"acme\",id:\"d\",scenario:\"chat\",fromStep:\"light\","
                + "share:0.05,monthly:{day:3,at:\"09:00\",duration:\"PT10M\"},owner:\"ops\",reason:\"why\"})"
                + "{userErrors{code}}}");
        management.run("mutation{putDrill(input:{tenantId:\"acme\",id:\"d\",scenario:\"chat\",fromStep:\"light\","
                + "share:1,once:{from:\"a\",until:\"b\"},owner:\"ops\",reason:\"why\",enabled:false})"
                + "{userErrors{code}}}");
        assertThat(management.plane.commands)
                .containsExactly(
                        new PutDrill(
                                "acme",
                                "d",
                                null,
                                "chat",
                                "light",
                                0.05,
                                null,
                                new PutDrill.Monthly(3, "09:00", "PT10M"),
                                "ops",
                                "why",
                                true),
                        new PutDrill(
                                "acme",
                                "d",
                                null,
                                "chat",
                                "light",
                                1.0,
                                new PutDrill.Once("a", "b"),
                                null,
                                "ops",
                                "why",
                                false));
    }

    @ParameterizedTest
    @CsvSource({
        "1, , ON, requests of every scenario that has it start at the rung light or below until",
        "0, , EXPIRED, it ended by itself at 2026-03-01T12:00:00Z",
        "1, -1, ENDED, it was ended by hand at 2026-03-01T11:59:59Z"
    })
    void aSwitchSaysWhatItIsDoing(long expiresInS, Long endedInS, String state, String message) throws Exception {
        on(NOW.plusSeconds(expiresInS), endedInS == null ? null : NOW.plusSeconds(endedInS));
        JsonNode shown = management.run("{tenant(id:\"acme\"){switches{id version owner state message}}}");
        JsonNode first = shown.at("/data/tenant/switches/0");
        assertThat(first.get("state").asText()).isEqualTo(state);
        assertThat(first.get("message").asText()).startsWith(message);
    }

    @Test
    void aDrillShowsItsWindowsAndWhatItFoundOut() throws Exception {
        drill(new DrillSchedule.Once(NOW.minusSeconds(60), NOW.plusSeconds(60)));
        management.plane.runs.add(new DrillTally(
                ACME,
                "d",
                "chat",
                "light",
                NOW.minusSeconds(60),
                NOW.plusSeconds(60),
                0.5,
                3,
                2,
                1,
                List.of(
                        new RungTally(
                                "light",
                                2,
                                0,
                                Map.of(FailureClass.RATE_LIMITED, 2L),
                                LatencyHistogram.EMPTY,
                                Money.ZERO),
                        new RungTally("text", 2, 2, Map.of(), LatencyHistogram.of(new long[] {2}), Money.of("0.5")))));
        JsonNode drill = management
                .run("{drills(tenantId:\"acme\"){id running{until} next{from} schedule{once{from} monthly{day}}"
                        + " runs{fromStep requests answered passedOver"
                        + " rungs{step requests answered failures{failureClass count} p50Ms p95Ms cost}}}}")
                .at("/data/drills/0");
        assertThat(drill.toString())
                .isEqualTo("{\"id\":\"d\",\"running\":{\"until\":\"2026-03-01T12:01:00Z\"},"
                        + "\"next\":{\"from\":\"2026-03-01T11:59:00Z\"},"
                        + "\"schedule\":{\"once\":{\"from\":\"2026-03-01T11:59:00Z\"},\"monthly\":null},"
                        + "\"runs\":[{\"fromStep\":\"light\",\"requests\":3,\"answered\":2,\"passedOver\":1,"
                        + "\"rungs\":[{\"step\":\"light\",\"requests\":2,\"answered\":0,"
                        + "\"failures\":[{\"failureClass\":\"RATE_LIMITED\",\"count\":2}],"
                        + "\"p50Ms\":null,\"p95Ms\":null,\"cost\":\"0\"},"
                        + "{\"step\":\"text\",\"requests\":2,\"answered\":2,\"failures\":[],"
                        + "\"p50Ms\":1.0,\"p95Ms\":1.0,\"cost\":\"0.5\"}]}]}");
    }

    @Test
    void aMonthlyDrillShowsWhenItRunsNext() throws Exception {
        drill(DrillSchedule.DEFAULT);
        JsonNode drill = management
                .run("{tenant(id:\"acme\"){drills{running{from} next{from} schedule{monthly{day at duration}}}}}")
                .at("/data/tenant/drills/0");
        assertThat(drill.toString())
                .isEqualTo("{\"running\":null,\"next\":{\"from\":\"2026-04-01T08:00:00Z\"},"
                        + "\"schedule\":{\"monthly\":{\"day\":1,\"at\":\"10:00\",\"duration\":\"PT15M\"}}}");
    }

    @Test
    void theReportSaysWhichRungsAreUnproven() throws Exception {
        management.plane.rungs.add(new RungReport("chat", "light", NOW, Proof.DRILL, false));
        management.plane.rungs.add(new RungReport("chat", "text", null, null, true));
        assertThat(management
                        .run("{ladderReport(tenantId:\"acme\",scenario:\"chat\"){step lastProvenAt how unproven}}")
                        .at("/data/ladderReport")
                        .toString())
                .isEqualTo(
                        "[{\"step\":\"light\",\"lastProvenAt\":\"2026-03-01T12:00:00Z\",\"how\":\"DRILL\","
                                + "\"unproven\":false},{\"step\":\"text\",\"lastProvenAt\":null,\"how\":null,\"unproven\":true}]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"drills(tenantId:\"globex\"){id}", "ladderReport(tenantId:\"globex\"){step}"})
    void anothersTenantHasNeitherDrillsNorRungs(String query) throws Exception {
        management.plane.rungs.add(new RungReport("chat", "text", null, null, true));
        JsonNode answer = management.run("acme-AUDITOR", "{" + query + "}");
        assertThat(answer.at("/data").elements().next()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{drills(tenantId:\"acme\"){id}}",
                "{ladderReport(tenantId:\"acme\"){step}}",
                "{tenant(id:\"acme\"){switches{id}}}",
                "mutation{endSwitch(input:{tenantId:\"acme\",id:\"off\"}){userErrors{code}}}",
                "mutation{stopDrill(input:{tenantId:\"acme\",id:\"d\"}){userErrors{code}}}"
            })
    void whoMayNotSeeRoutingSeesAndDoesNothingHere(String query) throws Exception {
        assertThat(Management.code(management.run("acme-FINANCE", query))).isEqualTo("FORBIDDEN");
        assertThat(management.plane.commands).isEmpty();
    }
}
