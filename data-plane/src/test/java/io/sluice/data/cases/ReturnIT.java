package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.pool.BreakerSettings;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.routing.BreakerState;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A pool whose every target is out comes back by itself, and is not flooded on the way (requirement A3). */
class ReturnIT {
    private static final String HELLO = Sse.whole("hello", 3, 1);
    private static final String DOWN = "{\"error\":{\"message\":\"down\"}}";

    private static BreakerSettings open(long openMs) {
        return new BreakerSettings(60_000, 0.6, 10, 20, 0.5, 10, openMs, 3);
    }

    private static int status(TestGateway gateway) {
        return gateway.client().chat(Client.request()).status();
    }

    /** Asks until the only target has been found bad. */
    private static void breakOpen(TestGateway gateway) {
        TestGateway.eventually(
                "the breaker is open",
                () -> gateway.client().chat(Client.request()).body().contains("breaker"));
    }

    /** Down for five seconds, then well: served again by half-open probes, within two seconds of the opening's end. */
    @Test
    void aPoolOfOneTargetRecoversByItself() throws Exception {
        long openMs = 1_000;
        try (ScriptedUpstream up = ScriptedUpstream.answering(503, DOWN);
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(up),
                        new TestGateway.Options().breaker(open(openMs)).earlyEveryMs(600_000))) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(5)) {
                assertThat(status(gateway)).isIn(502, 503);
                Thread.sleep(20);
            }
            int whileDown = up.requests().size();
            up.play((request, wire) -> wire.json(200, HELLO));
            TestGateway.eventually("served again", () -> status(gateway) == 200);
            TestGateway.eventually("served always", () -> {
                for (int i = 0; i < 20; i++) {
                    if (status(gateway) != 200) {
                        return false;
                    }
                }
                return true;
            });

            assertThat(whileDown)
                    .as("ten in a row, then a probe with its repeats per second, in some 200 requests")
                    .isBetween(10, 60);
            Ends.nothingIsHeld(gateway, 8, up);
        }
    }

    /** With a breaker that is open for ten minutes, only the early calls can find out that the target is well. */
    @Test
    void whereNothingElseIsLeftTheReturnIsNoticedBeforeTheOpeningIsOver() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(503, DOWN);
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(up),
                        new TestGateway.Options().breaker(open(600_000)).earlyEveryMs(300))) {
            breakOpen(gateway);
            int before = up.requests().size();
            long start = System.nanoTime();
            List<Client.Answer> down =
                    Ends.parallel(4, 200, () -> gateway.client().chat(Client.request()));
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            int early = up.requests().size() - before;
            up.play((request, wire) -> wire.json(200, HELLO));
            TestGateway.eventually("served again", () -> status(gateway) == 200);
            TestGateway.eventually("three probes passed", () -> {
                DecisionRecord last = gateway.decision(gateway.client().chat(Client.request()));
                return last.status() == 200
                        && last.input().ladder().get(0).targets().get(0).breaker() == BreakerState.CLOSED;
            });

            assertThat(early).isLessThanOrEqualTo((int) (tookMs / 300) + 2);
            assertThat(down)
                    .filteredOn(answer -> answer.status() == 503)
                    .isNotEmpty()
                    .allSatisfy(answer -> assertThat(Integer.parseInt(answer.header("retry-after")))
                            .isBetween(1, 60));
            assertThat(Ends.decisions(gateway))
                    .allSatisfy(record ->
                            assertThat(DecisionReplay.differences(record)).isEmpty())
                    .anySatisfy(record -> assertThat(record.input()
                                    .ladder()
                                    .get(0)
                                    .targets()
                                    .get(0)
                                    .breaker())
                            .isEqualTo(BreakerState.RETURNING));
            Ends.nothingIsHeld(gateway, 8, up);
        }
    }

    @Test
    void requestsThatCanBeAnsweredBelowNeverAskATargetThatIsOpen() {
        try (ScriptedUpstream up = ScriptedUpstream.answering(503, DOWN);
                ScriptedUpstream below = ScriptedUpstream.answering(200, HELLO);
                TestGateway gateway = TestGateway.start(
                        TestConfig.chain(up, below),
                        new TestGateway.Options().breaker(open(600_000)).earlyEveryMs(10))) {
            TestGateway.eventually(
                    "the breaker is open",
                    () -> "breaker_open"
                            .equals(gateway.client().chat(Client.request()).header("x-sluice-degraded")));
            int before = up.requests().size();
            for (int i = 0; i < 50; i++) {
                assertThat(status(gateway)).isEqualTo(200);
            }

            assertThat(up.requests()).hasSize(before);
        }
    }

    @Test
    void aRowOf429IsToldAsAQuotaProblem() {
        try (ScriptedUpstream up = ScriptedUpstream.answering(429, DOWN);
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(up),
                        new TestGateway.Options().breaker(open(600_000)).earlyEveryMs(10))) {
            breakOpen(gateway);

            assertThat(gateway.metric("sluice_breaker_opened_total{class=\"RATE_LIMITED\",pool=\"T1|m1\""))
                    .isEqualTo(1);
            assertThat(gateway.metric("sluice_alerts_total")).isEqualTo(1);
            assertThat(up.requests()).as("nobody who refuses is asked early").hasSizeBetween(10, 11);
        }
    }

    @Test
    void aNewTargetOfAServingPoolTakesItsShareSlowly() throws Exception {
        try (ScriptedUpstream old = ScriptedUpstream.answering(200, HELLO);
                ScriptedUpstream young = ScriptedUpstream.answering(200, HELLO);
                TestGateway gateway =
                        TestGateway.start(TestConfig.pool(old), new TestGateway.Options().slowStartMs(600_000))) {
            status(gateway);
            Thread.sleep(1_100); // the pool serves when the second target comes
            gateway.change(now -> TestConfig.pool(old, young));
            for (int i = 0; i < 200; i++) {
                status(gateway);
            }

            assertThat(young.requests().size()).isBetween(1, 60);
        }
    }
}
