package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows TO01 to TO06 of the case list: no wait without an end, no healthy stream cut. */
class TimeCasesIT {
    private static double seconds(long sinceNs) {
        return (System.nanoTime() - sinceNs) / 1e9;
    }

    @Test
    void to01AStreamThatFallsSilentEndsWithAnErrorEventAndIsCharged() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    wire.stream().chunk(c("a"));
                    wire.hang(20_000);
                });
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            long start = System.nanoTime();
            Client.Answer answer = gateway.client().chat(Client.streamed());

            assertThat(seconds(start)).isBetween(1.9, 8.0);
            assertThat(answer.text()).isEqualTo("a");
            assertThat(answer.done()).isFalse();
            assertThat(answer.finishReason()).isNull();
            assertThat(answer.chunks()
                            .get(answer.chunks().size() - 1)
                            .at("/error/code")
                            .asText())
                    .isEqualTo("deadline_exceeded");
            assertThat(up.requests().get(0).clientLeftWithin(5_000)).isTrue();
            Ends.nothingIsHeld(gateway, 0, up);
            DecisionRecord record = Ends.decision(gateway);
            assertThat(record.outcome()).isEqualTo("incomplete");
            assertThat(record.attempts().get(0).failure()).isEqualTo(FailureClass.TIMEOUT_TOTAL);
            assertThat(record.attempts().get(0).usage().output()).isPositive();
            assertThat(record.attempts().get(0).usage().estimated()).isTrue();
            assertThat(record.cost().micros()).isPositive();
        }
    }

    /** The first token may take 9 s here, silence afterwards half a second: the shorter one must not wait for the longer. */
    @Test
    void to01SilenceIsNoticedAlsoWhereTheFirstTokenMayTakeLonger() {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
            wire.stream().chunk(c("a"));
            wire.hang(20_000);
        })) {
            Configuration usual = TestConfig.pool(up);
            TenantTree tree = usual.tenants().get(TestConfig.T1);
            ScenarioConfig impatient = new ScenarioConfig(
                    "chat",
                    2,
                    Sensitivity.CREATIVE,
                    RequestKind.READ,
                    true,
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(9),
                    List.of(new RungConfig.Pool("first", "m1", null, null)),
                    Map.of("streamIdle", TextNode.valueOf("PT0.5S")));
            try (TestGateway gateway = TestGateway.start(usual.with(tree.with(impatient)))) {
                long start = System.nanoTime();
                Client.Answer answer = gateway.client().chat(Client.streamed());

                assertThat(answer.text()).isEqualTo("a");
                assertThat(answer.done()).isFalse();
                assertThat(seconds(start)).isBetween(0.5, 6.0);
                Ends.nothingIsHeld(gateway, 0, up);
            }
        }
    }

    @Test
    void to01AWholeAnswerThatStallsInItsMiddleGoesToTheNextTarget() {
        try (ScriptedUpstream stalls = ScriptedUpstream.playing((request, wire) -> {
                    wire.raw("HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"id\":");
                    wire.hang(20_000);
                });
                ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("hello", 3, 1));
                TestGateway gateway = TestGateway.start(TestConfig.chain(stalls, good))) {
            Client.Answer answer = gateway.client().chat(Client.request(), "x-deadline-ms", "3000");

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.header("x-sluice-step")).isEqualTo("rung2");
            Ends.nothingIsHeld(gateway, 1, stalls, good);
        }
    }

    /** A whole request keeps its deadline also where the upstream answers with an endless stream. */
    @Test
    void to01AWholeRequestEndsInTimeWhereTheUpstreamStreams() {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    wire.stream();
                    for (int i = 0; i < 100; i++) {
                        wire.chunk(c("a"));
                        Thread.sleep(100);
                    }
                });
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            long start = System.nanoTime();
            Client.Answer answer = gateway.client().chat(Client.request(), "x-deadline-ms", "1000");

            assertThat(answer.status()).isEqualTo(504);
            assertThat(seconds(start)).isLessThan(6);
            Ends.nothingIsHeld(gateway, 0, up);
        }
    }

    @Test
    void to03ALongHealthyStreamIsNotCutByTheDeadline() {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    wire.stream();
                    for (int i = 0; i < 15; i++) {
                        wire.chunk(c("a"));
                        Thread.sleep(300);
                    }
                    wire.chunk(fin("stop")).chunk(use(3, 15)).chunk(DONE).end();
                });
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer answer = gateway.client().chat(Client.streamed(), "x-deadline-ms", "1500");

            assertThat(answer.text()).isEqualTo("a".repeat(15));
            assertThat(answer.done()).isTrue();
        }
    }

    @Test
    void to04AnUpstreamThatNeverAnswersIsLeftAfterTheFirstTokenTime() {
        try (ScriptedUpstream silent = ScriptedUpstream.playing((request, wire) -> wire.hang(20_000));
                ScriptedUpstream good = ScriptedUpstream.streaming(c("hello"), fin("stop"), use(3, 1), DONE);
                TestGateway gateway = TestGateway.start(TestConfig.chain(silent, good))) {
            long start = System.nanoTime();
            Client.Answer answer = gateway.client().chat(Client.streamed());

            assertThat(seconds(start)).isBetween(1.9, 8.0);
            assertThat(answer.text()).isEqualTo("hello");
            assertThat(gateway.decision(answer).attempts().get(0).failure())
                    .isEqualTo(FailureClass.TIMEOUT_FIRST_TOKEN);
        }
    }

    /** Comments, blank events and empty deltas are signs of life of a connection, not of an answer. */
    @ParameterizedTest
    @ValueSource(strings = {": ping\n\n", "data: \n\n", "event: ping\ndata: {}\n\n", "role"})
    void to04KeepAlivesOfTheUpstreamDoNotStopTheFirstTokenClock(String keepAlive) {
        String chunk =
                keepAlive.equals("role") ? Sse.chunk("{\"role\":\"assistant\",\"content\":\"\"}", "null") : keepAlive;
        try (ScriptedUpstream pings = ScriptedUpstream.playing((request, wire) -> {
                    wire.stream();
                    for (int i = 0; i < 200; i++) {
                        wire.chunk(chunk);
                        Thread.sleep(100);
                    }
                });
                ScriptedUpstream good = ScriptedUpstream.streaming(c("hello"), fin("stop"), use(3, 1), DONE);
                TestGateway gateway = TestGateway.start(TestConfig.chain(pings, good))) {
            Client.Answer answer = gateway.client().chat(Client.streamed());

            assertThat(answer.text()).isEqualTo("hello");
            assertThat(answer.header("x-sluice-attempts")).isEqualTo("2");
            Ends.nothingIsHeld(gateway, 1, pings, good);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 100 Continue\r\n\r\n",
                "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n",
                "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            })
    // 60 requests instead of 200: one target that fails 64 times in a row is rightly left alone
    void to05EveryRequestToAnUpstreamThatStopsAfterItsHeadEnds(String head) throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    wire.raw(head);
                    wire.hang(20_000);
                });
                TestGateway gateway =
                        TestGateway.start(TestConfig.pool(up), new TestGateway.Options().breaker(Ends.NEVER))) {
            List<Integer> statuses = Ends.parallel(
                    30,
                    60,
                    () -> gateway.client()
                            .chat(Client.request(), "x-deadline-ms", "1000")
                            .status());

            assertThat(statuses.stream().collect(Collectors.toSet())).containsOnly(504);
            Ends.nothingIsHeld(gateway, 0, up);
            up.play((request, wire) -> wire.json(200, Sse.whole("ok", 1, 1)));
            assertThat(gateway.client().chat(Client.request()).status()).isEqualTo(200);
        }
    }

    /** Real-time requests wait a moment for the one permit; none of those that were turned away is sent later. */
    @Test
    void to06RequestsThatFoundNoPermitAreNeverSentLater() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> wire.hang(20_000));
                TestGateway gateway = TestGateway.start(
                        Ends.providers(TestConfig.pool(up), provider -> Ends.limited(provider, 1)),
                        new TestGateway.Options().breaker(Ends.NEVER))) {
            List<Integer> statuses = Ends.parallel(
                    50,
                    100,
                    () -> gateway.client()
                            .chat(Client.request(), "x-deadline-ms", "1000")
                            .status());
            int called = up.requests().size();
            up.play((request, wire) -> wire.json(200, Sse.whole("ok", 1, 1)));
            Client.Answer next = gateway.client().chat(Client.request());

            assertThat(statuses).containsOnly(429, 504);
            assertThat(statuses.stream().filter(status -> status == 504)).hasSizeGreaterThanOrEqualTo(called);
            assertThat(called).isLessThan(20);
            assertThat(next.status()).isEqualTo(200);
            assertThat(up.requests()).hasSize(called + 1);
        }
    }

    /** The same with callers who can wait, as many as the queue holds: their time ends in the queue. */
    @Test
    void to06RequestsWhoseTimeEndedInTheQueueAreNeverSentLater() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> wire.hang(20_000));
                TestGateway gateway = TestGateway.start(
                        Ends.providers(TestConfig.pool(up), provider -> Ends.limited(provider, 1)),
                        new TestGateway.Options().breaker(Ends.NEVER))) {
            List<Integer> statuses = Ends.parallel(
                    100,
                    100,
                    () -> gateway.client()
                            .chat(Client.request(), "x-deadline-ms", "1000", "x-priority", "batch")
                            .status());
            int called = up.requests().size();
            up.play((request, wire) -> wire.json(200, Sse.whole("ok", 1, 1)));
            Client.Answer next = gateway.client().chat(Client.request());

            assertThat(statuses).containsOnly(429, 504);
            assertThat(called).isLessThan(20);
            assertThat(next.status()).isEqualTo(200);
            assertThat(up.requests()).hasSize(called + 1);
            assertThat(gateway.metric("sluice_queue_length")).isZero();
        }
    }
}
