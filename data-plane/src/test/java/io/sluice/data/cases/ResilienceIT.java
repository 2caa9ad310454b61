package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.pool.BreakerSettings;
import io.sluice.plugins.bus.Address;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.message.BusMessage.WeightsPublished;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.PoolWeights;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Show 5: one of two targets goes bad under 50 requests a second. No caller notices, hardly any attempt is wasted, the target is
 * left within two seconds, comes back smoothly when it is well, and the records say why. Requests are counted, not timed, where
 * the machine's speed could matter.
 */
class ResilienceIT {
    private static final int PER_SECOND = 50;

    /** A short opening, so that the way back is seen in seconds. */
    private static final BreakerSettings BREAKER = new BreakerSettings(60_000, 0.6, 10, 20, 0.5, 10, 1_000, 3);

    private static final ScriptedUpstream.Script WELL = (request, wire) -> {
        if (request.body().contains("\"stream\":true")) {
            wire.stream()
                    .chunk(c("hel"))
                    .chunk(c("lo"))
                    .chunk(fin("stop"))
                    .chunk(use(3, 2))
                    .chunk(DONE)
                    .end();
        } else {
            wire.json(200, Sse.whole("hello", 3, 2));
        }
    };

    private record Seen(int status, boolean complete, int attempts) {}

    private static ScriptedUpstream.Script json(int status, String body, String... headers) {
        return (request, wire) -> wire.json(status, body, headers);
    }

    private static void reset(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire) throws IOException {
        wire.reset();
    }

    static Stream<Arguments> troubles() {
        return Stream.of(
                Arguments.of("answers 503", json(503, "{\"error\":{\"message\":\"unavailable\"}}"), false),
                Arguments.of("resets", (ScriptedUpstream.Script) ResilienceIT::reset, false),
                Arguments.of("resets a stream", (ScriptedUpstream.Script) ResilienceIT::reset, true),
                Arguments.of("answers 429", json(429, "{\"error\":{\"message\":\"slow\"}}", "Retry-After: 1"), false),
                Arguments.of("is out of memory", json(500, "{\"error\":{\"message\":\"CUDA out of memory\"}}"), false),
                Arguments.of("answers nothing with 200", json(200, ""), false),
                Arguments.of(
                        "puts an error into its stream",
                        (ScriptedUpstream.Script) (request, wire) -> wire.stream()
                                .chunk("data: {\"error\":{\"message\":\"boom\",\"code\":500}}\n\n")
                                .end(),
                        true));
    }

    private static List<Seen> load(TestGateway gateway, int requests, boolean streamed) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(64);
        try {
            List<Future<Seen>> running = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < requests; i++) {
                long dueNs = start + i * (TimeUnit.SECONDS.toNanos(1) / PER_SECOND);
                TimeUnit.NANOSECONDS.sleep(dueNs - System.nanoTime());
                running.add(callers.submit(() -> {
                    Client.Answer answer = gateway.client().chat(streamed ? Client.streamed() : Client.request());
                    return new Seen(
                            answer.status(),
                            !streamed || answer.done(),
                            Integer.parseInt(answer.header("x-sluice-attempts")));
                }));
            }
            List<Seen> seen = new ArrayList<>();
            for (Future<Seen> each : running) {
                seen.add(each.get(60, TimeUnit.SECONDS));
            }
            return seen;
        } finally {
            callers.shutdownNow();
        }
    }

    /** Decisions in the order in which their requests came. */
    private static List<DecisionRecord> inOrder(TestGateway gateway, int from) {
        List<DecisionRecord> all = new ArrayList<>(Ends.decisions(gateway));
        all.sort(Comparator.comparing(DecisionRecord::at));
        return all.subList(from, all.size());
    }

    private static long triedBad(List<DecisionRecord> records) {
        return records.stream()
                .flatMap(record -> record.attempts().stream())
                .filter(attempt -> attempt.provider().equals("up1"))
                .count();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("troubles")
    void noCallerNoticesThatATargetWentBad(String trouble, ScriptedUpstream.Script bad, boolean streamed)
            throws Exception {
        try (ScriptedUpstream first = ScriptedUpstream.playing(WELL);
                ScriptedUpstream second = ScriptedUpstream.playing(WELL);
                TestGateway gateway =
                        TestGateway.start(TestConfig.pool(first, second), new TestGateway.Options().breaker(BREAKER))) {
            load(gateway, 20, streamed);
            first.play(bad);
            List<Seen> seen = load(gateway, 200, streamed);
            List<DecisionRecord> during = inOrder(gateway, 20);
            first.play(WELL);
            TestGateway.eventually("the target is well again", () -> {
                Client.Answer answer = gateway.client().chat(streamed ? Client.streamed() : Client.request());
                return gateway.decision(answer)
                                .input()
                                .ladder()
                                .get(0)
                                .targets()
                                .get(0)
                                .local()
                        > 0.9;
            });
            int before = Ends.decisions(gateway).size();
            List<Seen> after = load(gateway, 60, streamed);

            assertThat(seen).extracting(Seen::status).containsOnly(200);
            assertThat(seen).extracting(Seen::complete).containsOnly(true);
            double attempts = seen.stream().skip(20).mapToInt(Seen::attempts).sum();
            assertThat(attempts / 180)
                    .as("attempts per request after the first 20")
                    .isLessThanOrEqualTo(1.2);
            List<DecisionRecord> later = during.subList(100, 200);
            assertThat(triedBad(later))
                    .as("calls of the bad target among 100 requests, 2 s after it went bad")
                    .isLessThan(5 + probesDueAfter2s(later));
            assertThat(after).extracting(Seen::attempts).containsOnly(1);
            assertThat(triedBad(inOrder(gateway, before)))
                    .as("its share when it is well")
                    .isBetween(12L, 48L);
            reasonsAreTold(during);
            Ends.nothingIsHeld(gateway, 64, first, second);
        }
    }

    /** A machine that needs longer than two seconds for them sees more openings end, each with its probes. */
    private static long probesDueAfter2s(List<DecisionRecord> records) {
        Duration took = Duration.between(
                records.get(0).at(), records.get(records.size() - 1).at());
        return BREAKER.probesMax() * Math.max(0, (took.toMillis() - 2_000 + BREAKER.openMs() - 1) / BREAKER.openMs());
    }

    private static void reasonsAreTold(List<DecisionRecord> during) {
        for (DecisionRecord record : during) {
            assertThat(DecisionReplay.differences(record)).isEmpty();
        }
        assertThat(during)
                .as("failed attempts say of what class they were and what followed")
                .filteredOn(record -> record.attempts().size() > 1)
                .isNotEmpty()
                .allSatisfy(record -> {
                    assertThat(record.attempts().get(0).failure()).isNotNull();
                    assertThat(record.attempts().get(0).verdict()).isNotNull();
                    assertThat(record.attempts().get(0).provider()).isEqualTo("up1");
                });
        assertThat(during.subList(20, 200))
                .as("requests that were spared the bad target say why")
                .anySatisfy(record -> {
                    var target = record.input().ladder().get(0).targets().get(0);
                    assertThat(target.local() < 1 || target.breaker() != BreakerState.CLOSED)
                            .isTrue();
                });
    }

    /** A hang is known only after its time; until then calls in flight speak against the target. */
    @Test
    void noCallerNoticesThatATargetHangs() throws Exception {
        try (ScriptedUpstream first = ScriptedUpstream.playing(WELL);
                ScriptedUpstream second = ScriptedUpstream.playing(WELL);
                TestGateway gateway =
                        TestGateway.start(TestConfig.pool(first, second), new TestGateway.Options().breaker(BREAKER))) {
            load(gateway, 20, true);
            first.play((request, wire) -> wire.hang(20_000));
            List<Seen> seen = load(gateway, 200, true);
            List<DecisionRecord> during = inOrder(gateway, 20);

            assertThat(seen).extracting(Seen::status).containsOnly(200);
            assertThat(seen).extracting(Seen::complete).containsOnly(true);
            assertThat(triedBad(during))
                    .as("calls of the hanging target in 200 requests")
                    .isLessThan(40);
            assertThat(triedBad(during.subList(100, 200))).isLessThan(5);
            Ends.nothingIsHeld(gateway, 64, first, second);
        }
    }

    /** What the control plane publishes is obeyed at once, and a target without weight gets nothing. */
    @Test
    void publishedWeightsShiftTrafficWithoutARestart() throws Exception {
        try (ScriptedUpstream first = ScriptedUpstream.playing(WELL);
                ScriptedUpstream second = ScriptedUpstream.playing(WELL);
                TestGateway gateway = TestGateway.start(TestConfig.pool(first, second))) {
            load(gateway, 20, false);
            publish(gateway, 1, 0);
            List<Seen> seen = load(gateway, 50, false);
            publish(gateway, 2, 1);
            load(gateway, 50, false);
            publish(gateway, 1, 0);
            load(gateway, 10, false);

            List<DecisionRecord> all = inOrder(gateway, 0);
            assertThat(seen).extracting(Seen::attempts).containsOnly(1);
            assertThat(triedBad(under(all, 1))).isZero();
            assertThat(triedBad(under(all, 2))).isBetween(15L, 55L);
            assertThat(all.get(all.size() - 1).input().weightsRevision())
                    .as("an older revision changes nothing")
                    .isEqualTo(2);
        }
    }

    private static List<DecisionRecord> under(List<DecisionRecord> records, long revision) {
        return records.stream()
                .filter(record -> record.input().weightsRevision() == revision)
                .toList();
    }

    private static void publish(TestGateway gateway, long revision, double health) {
        gateway.bus()
                .publish(
                        Address.WEIGHTS,
                        new WeightsPublished(
                                "n",
                                List.of(new PoolWeights(
                                        Ends.id("m1"), new Stamp(revision, "n"), Map.of("up1/m1", health)))));
        TestGateway.eventually(
                "revision serves",
                () -> gateway.decision(gateway.client().chat(Client.request()))
                                .input()
                                .weightsRevision()
                        >= revision);
    }
}
