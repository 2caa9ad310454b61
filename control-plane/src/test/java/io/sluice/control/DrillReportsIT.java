package io.sluice.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.ConfigCommand.PutDrill;
import io.sluice.control.api.ConfigCommand.StartDrill;
import io.sluice.control.api.ConfigCommand.StopDrill;
import io.sluice.control.api.RungReport;
import io.sluice.control.config.Given;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.DrillSchedule.Window;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.Proof;
import io.sluice.tenants.drill.RungTally;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.message.BusMessage.DrillReported;
import io.sluice.tenants.message.BusMessage.RungProven;
import io.sluice.tenants.money.Money;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nodes tell of drills and rungs is there for people, also after a restart. */
class DrillReportsIT {
    private static final TenantId ACME = new TenantId("acme");
    private static final Instant FROM = Instant.parse("2026-01-01T10:00:00Z");

    @TempDir
    private Path directory;

    private static DrillReported report(String node) {
        RungTally first = new RungTally("first", 1, 1, Map.of(), LatencyHistogram.of(new long[] {1}), Money.ZERO);
        return new DrillReported(
                node,
                List.of(new DrillTally(
                        ACME, "d", "chat", "first", FROM, FROM.plusSeconds(60), 1, 1, 1, 0, List.of(first))));
    }

    private static void eventually(BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(10);
        }
    }

    @Test
    void aRunOfAllNodesAndTheProofThatItIsSurviveARestart() throws Exception {
        try (Running running = new Running(directory).withAcme()) {
            Bus bus = new Bus(running.vertx);
            assertThat(running.plane.unprovenRungs()).isEqualTo(1);
            bus.publish(Address.DRILL_REPORTS, report("node-1"));
            bus.publish(Address.DRILL_REPORTS, report("node-2"));
            eventually(() -> running.plane.drillRuns(ACME, "d").stream().anyMatch(run -> run.requests() == 2));
        }
        try (Running running = new Running(directory)) {
            assertThat(running.plane.drillRuns(ACME, "d"))
                    .singleElement()
                    .satisfies(run -> assertThat(run.answered()).isEqualTo(2));
            assertThat(running.plane.ladderReport(ACME, "chat")).singleElement().satisfies(rung -> {
                assertThat(rung.how()).isEqualTo(Proof.DRILL);
                assertThat(rung.unproven()).isFalse();
            });
            assertThat(running.plane.unprovenRungs()).isZero();
        }
    }

    @Test
    void aRunThatWasStoppedIsToldWithItsRealEnd() throws Exception {
        try (Running running = new Running(directory).withAcme()) {
            running.execute(new PutDrill("acme", "d", null, "chat", "first", 1.0, null, null, "ops", "why", false));
            running.execute(new StartDrill("acme", "d", null, "PT1H"));
            Window window = drill(running).started().window();
            new Bus(running.vertx)
                    .publish(
                            Address.DRILL_REPORTS,
                            new DrillReported(
                                    "node-1",
                                    List.of(new DrillTally(
                                            ACME,
                                            "d",
                                            "chat",
                                            "first",
                                            window.from(),
                                            window.until(),
                                            1,
                                            1,
                                            1,
                                            0,
                                            List.of()))));
            eventually(() -> !running.plane.drillRuns(ACME, "d").isEmpty());
            assertThat(running.plane.drillRuns(ACME, "d").get(0).until()).isEqualTo(window.until());

            running.execute(new StopDrill("acme", "d"));

            Instant stoppedAt = drill(running).stoppedAt();
            assertThat(stoppedAt).isBefore(window.until());
            assertThat(running.plane.drillRuns(ACME, "d").get(0).until()).isEqualTo(stoppedAt);
        }
    }

    private static DrillConfig drill(Running running) {
        return running.plane.configuration().tenants().get(ACME).drills().get("d");
    }

    @Test
    void aProofOfARungThatIsNotConfiguredIsNotKept() throws Exception {
        try (Running running = new Running(directory).withAcme()) {
            Bus bus = new Bus(running.vertx);
            running.execute(Given.with(
                    Given.scenario("acme", "chat", Given.poolRung("first", "std"), Given.textRung("sorry", "Sorry.")),
                    "version",
                    1));
            Instant now = Instant.now();
            bus.publish(Address.RUNGS_PROVEN, new RungProven(ACME, "chat", "elsewhere", now, "EARNEST"));
            bus.publish(Address.RUNGS_PROVEN, new RungProven(ACME, "chat", "first", now, "EARNEST"));
            eventually(() -> running.plane.unprovenRungs() == 1);
            assertThat(running.plane.ladderReport(ACME, null))
                    .extracting(RungReport::step, RungReport::how)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("first", Proof.EARNEST),
                            org.assertj.core.groups.Tuple.tuple("sorry", null));
        }
    }
}
