package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RoutePlan.Reason;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Degradation by hand over real HTTP: who is sent down, what is told of it, and how it ends. */
class SwitchIT {
    private static ScriptedUpstream best;
    private static ScriptedUpstream light;

    @BeforeAll
    static void start() {
        best = ScriptedUpstream.answering(200, Sse.whole("best", 26, 5));
        light = ScriptedUpstream.answering(200, Sse.whole("light", 26, 5));
    }

    @AfterAll
    static void stop() {
        best.close();
        light.close();
    }

    private static Configuration configuration(SwitchConfig... switches) {
        TenantTree tree = TestConfig.chain(best, light).tenants().get(TestConfig.T1);
        ScenarioConfig chat = TestConfig.scenario(List.of(
                tree.scenarios().get("chat").ladder().get(0),
                tree.scenarios().get("chat").ladder().get(1),
                new RungConfig.Text("apology", "Please call us.")));
        tree = tree.with(chat);
        for (SwitchConfig each : switches) {
            tree = tree.with(each);
        }
        return TestConfig.chain(best, light).with(tree);
    }

    private static SwitchConfig on(String fromStep, Instant expiresAt) {
        return new SwitchConfig(
                "outage-7", 1, "chat", fromStep, "ops", "best is down", expiresAt, LocalDate.EPOCH, null);
    }

    private static SwitchConfig on(String fromStep) {
        return on(fromStep, Instant.now().plus(Duration.ofHours(1)));
    }

    @Test
    void requestsStartAtTheSwitchesRungAndAreToldWhy() {
        try (TestGateway gateway = TestGateway.start(configuration(on("rung2")))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.body()).contains("light");
            assertThat(answer.header("x-sluice-step")).isEqualTo("rung2");
            assertThat(answer.header("x-sluice-descents")).isEqualTo("1");
            assertThat(answer.header("x-sluice-degraded")).isEqualTo("switch outage-7");
            assertThat(answer.header("x-sluice-drill")).isNull();
            TestGateway.eventually("it is counted", () -> gateway.metric("sluice_requests_switched_total{") == 1);
        }
    }

    @Test
    void theRecordHoldsTheSwitchAndCanBeReplayed() {
        try (TestGateway gateway = TestGateway.start(configuration(on("rung2")))) {
            DecisionRecord record = gateway.decision(gateway.client().chat(Client.request()));

            assertThat(record.plan().excluded()).containsExactly(new Excluded(0, -1, Reason.SWITCHED_OFF));
            assertThat(record.input().start().switches())
                    .singleElement()
                    .satisfies(each -> assertThat(each.id()).isEqualTo("outage-7"));
            assertThat(DecisionReplay.differences(record)).isEmpty();
        }
    }

    @Test
    void aSwitchToTheTextAnswersWithoutAnAttempt() {
        try (TestGateway gateway = TestGateway.start(configuration(on("apology")))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.body()).contains("Please call us.");
            assertThat(answer.header("x-sluice-attempts")).isEqualTo("0");
            assertThat(answer.header("x-sluice-degraded")).isEqualTo("switch outage-7; static-answer");
        }
    }

    @Test
    void aWriteRequestIsRefusedByTheNameOfTheSwitch() {
        Instant expiresAt = Instant.parse("2100-01-01T08:00:00Z");
        try (TestGateway gateway = TestGateway.start(configuration(on("rung2", expiresAt)))) {
            Client.Answer answer = gateway.client().chat(Client.request(), "X-Request-Kind", "write");

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("no_healthy_target");
            assertThat(answer.body())
                    .contains("the switch \\\"outage-7\\\" has taken out the first rung")
                    .contains("a WRITE request may not be answered by a lower one")
                    .contains("the switch ends by itself at 2100-01-01T08:00:00Z")
                    .doesNotContain("again");
            assertThat(answer.header("x-sluice-degraded")).isEqualTo("switch outage-7");
            assertThat(answer.header("x-should-retry")).isEqualTo("false");
        }
    }

    @Test
    void whoNamesAPoolIsNotSentElsewhere() {
        try (TestGateway gateway = TestGateway.start(configuration(on("rung2")))) {
            Client.Answer answer =
                    gateway.client().chat(Client.request().replaceFirst("\"model\":\"[^\"]*\"", "\"model\":\"pool1\""));

            assertThat(answer.body()).contains("best");
            assertThat(answer.header("x-sluice-degraded")).isNull();
        }
    }

    @Test
    void aSwitchEndsByItselfWithoutANewEpoch() {
        Instant expiresAt = Instant.now().plusSeconds(2);
        try (TestGateway gateway = TestGateway.start(configuration(on("rung2", expiresAt)))) {
            TestGateway.eventually("the switch has ended", () -> {
                Client.Answer answer = gateway.client().chat(Client.request());
                assertThat(answer.header("x-sluice-epoch")).isEqualTo("1");
                return answer.header("x-sluice-step").equals("rung1");
            });

            assertThat(Instant.now()).isAfterOrEqualTo(expiresAt);
        }
    }

    @Test
    void aSwitchThatIsEndedHoldsNobody() {
        try (TestGateway gateway = TestGateway.start(configuration(on("rung2").ended(Instant.now())))) {
            assertThat(gateway.client().chat(Client.request()).header("x-sluice-step"))
                    .isEqualTo("rung1");
        }
    }
}
