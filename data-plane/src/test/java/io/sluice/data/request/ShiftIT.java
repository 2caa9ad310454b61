package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.plugins.bus.Address;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.message.BusMessage.ScenariosReported;
import io.sluice.tenants.message.BusMessage.ShiftsPublished;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RoutePlan.Reason;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ScenarioWindow;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import io.sluice.tenants.shift.Slowdown;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node does with a published shift, over real HTTP: whom it takes, what is told of it, and what it leaves alone. */
class ShiftIT {
    private static final ScenarioKey CHAT = new ScenarioKey(TestConfig.T1, "chat");

    private ScriptedUpstream first;
    private ScriptedUpstream second;
    private TestGateway gateway;

    @BeforeEach
    void start() {
        first = ScriptedUpstream.answering(200, Sse.whole("first", 26, 5));
        second = ScriptedUpstream.answering(200, Sse.whole("second", 26, 5));
        gateway = TestGateway.start(TestConfig.chain(first, second));
    }

    @AfterEach
    void stop() {
        gateway.close();
        first.close();
        second.close();
    }

    private static ShiftState state(long version, ShiftPhase phase, int step) {
        return new ShiftState(version, phase, step, 0, "rung2", List.of(), "why", 0, 0, Map.of());
    }

    private void publish(ShiftState state) {
        gateway.bus().publish(Address.SHIFTS, new ShiftsPublished(List.of(new ScenarioShift(CHAT, state))));
    }

    private Client.Answer ask(String... headers) {
        return gateway.client().chat(Client.request(), headers);
    }

    private void shiftAll() {
        publish(state(5, ShiftPhase.HOLDING, 5));
        TestGateway.eventually("the shift is heard", () -> "rung2".equals(ask().header("x-sluice-step")));
    }

    @Test
    void shiftedRequestsStartAtTheSubstituteAndSayWhy() {
        shiftAll();
        Client.Answer answer = ask();
        assertThat(answer.body()).contains("second");
        assertThat(answer.header("x-sluice-degraded")).isEqualTo("shifted");
        assertThat(answer.header("x-sluice-attempts")).isEqualTo("1");

        DecisionRecord record = gateway.decision(answer);
        assertThat(record.plan().excluded()).containsExactly(new Excluded(0, -1, Reason.SHIFTED));
        assertThat(record.input().start().shift().share()).isEqualTo(1);
        assertThat(record.input().start().shift().version()).isEqualTo(5);
        assertThat(DecisionReplay.differences(record)).isEmpty();
    }

    @Test
    void theShareOfRequestsIsThePublishedOne() {
        publish(state(5, ShiftPhase.SHIFTING, 3));
        TestGateway.eventually(
                "the shift is heard", () -> gateway.decision(ask()).input().start() != null);
        long shifted = 0;
        for (int i = 0; i < 400; i++) {
            shifted += "rung2".equals(ask().header("x-sluice-step")) ? 1 : 0;
        }
        // 25 % of 400, five standard deviations to both sides
        assertThat(shifted).isBetween(57L, 143L);
    }

    @Test
    void requestsThatMayNotDescendStayAtTheFirstRung() {
        shiftAll();
        Client.Answer answer = ask("X-Request-Kind", "write");
        assertThat(answer.header("x-sluice-step")).isEqualTo("rung1");
        assertThat(answer.header("x-sluice-degraded")).isNull();
    }

    @Test
    void whoNamesAPoolIsNotShifted() {
        shiftAll();
        Client.Answer answer =
                gateway.client().chat(Client.request().replaceFirst("\"model\":\"[^\"]*\"", "\"model\":\"pool1\""));
        assertThat(answer.header("x-sluice-step")).isEqualTo("rung1");
    }

    @Test
    void anExchangeWithAToolStaysWhereItIs() {
        shiftAll();
        String body = "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},"
                + "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\","
                + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
                + "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"done\"}],"
                + "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{\"type\":\"object\"}}}]}";
        Client.Answer answer = gateway.client().chat(body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("x-sluice-step")).isEqualTo("rung1");
    }

    @Test
    void anOlderStateNeverComesBack() {
        shiftAll();
        publish(state(6, ShiftPhase.RESTING, 0));
        TestGateway.eventually("the way back is heard", () -> "rung1".equals(ask().header("x-sluice-step")));
        publish(state(5, ShiftPhase.HOLDING, 5));
        publish(state(7, ShiftPhase.SHIFTING, 0));
        TestGateway.eventually(
                "the newest is heard",
                () -> gateway.decision(ask()).input().start() != null
                        && gateway.decision(ask()).input().start().shift().version() == 7);
        assertThat(gateway.decision(ask()).input().start().shift().share()).isEqualTo(0.01);
    }

    @Test
    void aSubstituteThatIsNotOnTheLadderAnyMoreIsPassedOver() {
        shiftAll();
        gateway.change(configuration -> {
            TenantTree tree = configuration.tenants().get(TestConfig.T1);
            return configuration.with(tree.with(TestConfig.scenario(List.of(
                    new RungConfig.Pool("rung1", "pool1", null, null),
                    new RungConfig.Text("sorry", "Please call us.")))));
        });
        assertThat(ask().header("x-sluice-step")).isEqualTo("rung1");
    }

    @Test
    void aTargetThatIsSlowedWeighsLessInThatScenarioOnly() {
        publish(ShiftState.fresh(5)
                .slowing(Map.of(new ScopedId(TestConfig.T1, "pool1"), Map.of("up1/m1", new Slowdown(0.3, 0)))));
        TestGateway.eventually(
                "the weight is heard",
                () -> gateway.decision(ask())
                                .input()
                                .ladder()
                                .get(0)
                                .targets()
                                .get(0)
                                .published()
                        == 0.3);
        DecisionRecord record = gateway.decision(ask());
        assertThat(record.input().ladder().get(1).targets().get(0).published()).isEqualTo(1);
        assertThat(record.step()).isEqualTo("rung1");
        assertThat(DecisionReplay.differences(record)).isEmpty();
    }

    @Test
    void nodesReportWhatScenariosSeeOnceASecond() {
        List<ScenarioWindow> windows = new CopyOnWriteArrayList<>();
        gateway.bus().on(Address.SCENARIO_REPORTS, (ScenariosReported report) -> windows.addAll(report.windows()));
        for (int i = 0; i < 5; i++) {
            ask();
        }
        TestGateway.eventually(
                "all calls are reported",
                () -> windows.stream().mapToLong(ScenarioWindow::usable).sum() == 5);
        assertThat(windows).allSatisfy(window -> {
            assertThat(window.scenario()).isEqualTo(CHAT);
            assertThat(window.step()).isEqualTo("rung1");
            assertThat(window.target()).isEqualTo("up1/m1");
        });
    }
}
