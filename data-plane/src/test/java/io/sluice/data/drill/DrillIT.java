package io.sluice.data.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.plugins.bus.Address;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.DrillSchedule;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.RungTally;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.routing.StartDecider;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Drills over real HTTP: which requests take part, what is told of it, and what is found out. */
class DrillIT {
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

    private static Configuration drilled(ScriptedUpstream second, DrillConfig drill) {
        Configuration configuration = TestConfig.chain(best, second, light);
        return configuration.with(configuration.tenants().get(TestConfig.T1).with(drill));
    }

    /** On the second rung. */
    private static DrillConfig drill(double share, Instant from, Instant until) {
        return new DrillConfig(
                "monthly",
                1,
                "chat",
                "rung2",
                share,
                new DrillSchedule.Once(from, until),
                "ops",
                "is it alive?",
                true,
                null,
                null);
    }

    private static DrillConfig drill(double share) {
        Instant now = Instant.now();
        return drill(share, now.minusSeconds(60), now.plusSeconds(3_600));
    }

    @Test
    void aDrilledRequestStartsAtTheDrillsRungAndIsToldSo() {
        try (TestGateway gateway = TestGateway.start(drilled(light, drill(1)))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.header("x-sluice-step")).isEqualTo("rung2");
            assertThat(answer.header("x-sluice-drill")).isEqualTo("monthly");
            assertThat(answer.header("x-sluice-degraded")).isEqualTo("drilled");
            TestGateway.eventually(
                    "it is counted", () -> gateway.metric("sluice_requests_drilled_total{outcome=\"ok\"") == 1);
            assertThat(DecisionReplay.differences(gateway.decision(answer))).isEmpty();
        }
    }

    @Test
    void theShareIsChosenByTraceIdAndHeldWithinBounds() {
        try (TestGateway gateway = TestGateway.start(drilled(light, drill(0.3)))) {
            int taken = 0;
            for (int i = 1; i <= 300; i++) {
                String trace = String.format("%032x", i);
                Client.Answer answer =
                        gateway.client().chat(Client.request(), "traceparent", "00-" + trace + "-00000000000000a1-01");
                boolean drilled = answer.header("x-sluice-drill") != null;
                assertThat(drilled).isEqualTo(StartDecider.unit(trace, "monthly") < 0.3);
                taken += drilled ? 1 : 0;
            }
            // five standard deviations of 300 draws at 0.3
            assertThat(taken).isBetween(51, 129);
        }
    }

    @Test
    void outsideItsWindowNobodyIsDrilled() {
        Instant now = Instant.now();
        DrillConfig later = drill(1, now.plusSeconds(600), now.plusSeconds(1_200));
        try (TestGateway gateway = TestGateway.start(drilled(light, later))) {
            DecisionRecord record = gateway.decision(gateway.client().chat(Client.request()));

            assertThat(record.step()).isEqualTo("rung1");
            assertThat(record.input().start()).isNull();
        }
    }

    @Test
    void aWriteRequestIsNotDrilled() {
        try (TestGateway gateway = TestGateway.start(drilled(light, drill(1)))) {
            Client.Answer answer = gateway.client().chat(Client.request(), "X-Request-Kind", "write");

            assertThat(answer.header("x-sluice-step")).isEqualTo("rung1");
            assertThat(answer.header("x-sluice-drill")).isNull();
        }
    }

    @Test
    void whatEachRungDidIsReportedWithinASecond() throws Exception {
        try (ScriptedUpstream broken = ScriptedUpstream.answering(500, "{}");
                TestGateway gateway = TestGateway.start(drilled(broken, drill(1)))) {
            List<DrillTally> told = new CopyOnWriteArrayList<>();
            gateway.bus()
                    .on(Address.DRILL_REPORTS, report -> told.addAll(report.tallies()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);

            for (int i = 0; i < 3; i++) {
                assertThat(gateway.client().chat(Client.request()).header("x-sluice-step"))
                        .isEqualTo("rung3");
            }

            TestGateway.eventually(
                    "three requests are reported",
                    () -> told.stream().mapToLong(DrillTally::requests).sum() == 3);
            DrillTally run = told.stream().reduce(DrillTally::plus).orElseThrow();
            assertThat(run.drill()).isEqualTo("monthly");
            assertThat(run.step()).isEqualTo("rung2");
            assertThat(run.answered()).isEqualTo(3);
            assertThat(run.rungs()).extracting(RungTally::step).containsExactly("rung2", "rung3");
            assertThat(rung(run, "rung2").answered()).isZero();
            assertThat(rung(run, "rung2").failures()).containsOnlyKeys(FailureClass.UPSTREAM_INTERNAL);
            assertThat(rung(run, "rung3"))
                    .satisfies(tally -> assertThat(tally.answered()).isEqualTo(3))
                    .satisfies(tally -> assertThat(tally.failures()).isEqualTo(Map.of()))
                    .satisfies(tally -> assertThat(tally.latency().count()).isEqualTo(3))
                    .satisfies(tally -> assertThat(tally.cost()).hasToString("0.000108"));
        }
    }

    private static RungTally rung(DrillTally run, String step) {
        Optional<RungTally> found =
                run.rungs().stream().filter(rung -> rung.step().equals(step)).findFirst();
        return found.orElseThrow();
    }
}
