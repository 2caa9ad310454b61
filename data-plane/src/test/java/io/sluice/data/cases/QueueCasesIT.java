package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.pool.QueueSettings;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.decision.QueueWait;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.CapPeriod;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Lanes and queues end to end: an upstream that takes one call and answers when the test says so. Row CX04a of the case list and
 * requirement B3.
 */
class QueueCasesIT {
    /** Real-time waits for as long as a busy machine may need. */
    private static final QueueSettings PATIENT = new QueueSettings(100, 10_000, 0.5, 0.1);

    private final Semaphore answers = new Semaphore(0);
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private ScriptedUpstream up;

    @BeforeEach
    void upstream() {
        up = ScriptedUpstream.playing((request, wire) -> {
            answers.acquire();
            wire.json(200, Sse.whole("ok", 1, 1));
        });
    }

    @AfterEach
    void close() {
        answers.release(1_000);
        up.close();
        callers.shutdownNow();
    }

    private TestGateway gateway(QueueSettings queue, UnaryOperator<Configuration> change) {
        Configuration one = Ends.providers(TestConfig.pool(up), provider -> Ends.limited(provider, 1));
        return TestGateway.start(
                change.apply(scenario(one, "realtime")),
                new TestGateway.Options().breaker(Ends.NEVER).queue(queue));
    }

    /** The scenario with clocks that no test here reaches. */
    private static Configuration scenario(Configuration configuration, String lane) {
        ScenarioConfig chat =
                configuration.tenants().get(TestConfig.T1).scenarios().get("chat");
        Map<String, com.fasterxml.jackson.databind.JsonNode> settings = new HashMap<>(chat.settings());
        settings.put("lane", TextNode.valueOf(lane));
        return configuration.with(configuration
                .tenants()
                .get(TestConfig.T1)
                .with(new ScenarioConfig(
                        chat.name(),
                        chat.version(),
                        chat.sensitivity(),
                        chat.kind(),
                        chat.core(),
                        Duration.ofSeconds(100),
                        Duration.ofSeconds(60),
                        chat.ladder(),
                        settings)));
    }

    private CompletableFuture<Client.Answer> send(TestGateway gateway, String user, String lane) {
        return CompletableFuture.supplyAsync(
                () -> gateway.client().chat(Client.request("\"user\":\"" + user + "\""), "x-priority", lane), callers);
    }

    private CompletableFuture<Client.Answer> running(TestGateway gateway) {
        CompletableFuture<Client.Answer> first = send(gateway, "first", "realtime");
        TestGateway.eventually("the first is called", () -> up.requests().size() == 1);
        return first;
    }

    private static void queued(TestGateway gateway, String lane, int length) {
        TestGateway.eventually(
                length + " wait in " + lane,
                () -> gateway.metric("sluice_queue_length{lane=\"" + lane + "\"") == length);
    }

    private static Client.Answer get(CompletableFuture<Client.Answer> answer) throws Exception {
        return answer.get(20, TimeUnit.SECONDS);
    }

    @Test
    void aRequestThatWaitedCountsUnderTheCapLikeTheOneBefore() throws Exception {
        SpendCapConfig cap = TestConfig.cap(CapPeriod.DAY, "1");
        try (TestGateway gateway = gateway(
                PATIENT, one -> one.with(one.tenants().get(TestConfig.T1).with(cap)))) {
            CompletableFuture<Client.Answer> first = running(gateway);
            CompletableFuture<Client.Answer> second = send(gateway, "second", "realtime");
            queued(gateway, "realtime", 1);
            answers.release(2);

            assertThat(get(first).status()).isEqualTo(200);
            assertThat(get(second).status()).isEqualTo(200);
            TestGateway.eventually(
                    "both are spent",
                    () -> gateway.authority().states().stream()
                                    .mapToLong(AccountState::spentMicros)
                                    .sum()
                            == 2 * 3);
        }
    }

    @Test
    void aRequestWaitsForThePermitOfTheOneBefore() throws Exception {
        try (TestGateway gateway = gateway(PATIENT, same -> same)) {
            CompletableFuture<Client.Answer> first = running(gateway);
            CompletableFuture<Client.Answer> second = send(gateway, "second", "realtime");
            queued(gateway, "realtime", 1);
            answers.release(2);

            assertThat(get(first).status()).isEqualTo(200);
            assertThat(get(second).status()).isEqualTo(200);
            DecisionRecord record = gateway.decision(get(second));
            assertThat(record.lane()).isEqualTo(Lane.REALTIME);
            assertThat(record.waits()).singleElement().satisfies(wait -> {
                assertThat(wait.end()).isEqualTo(QueueWait.End.SERVED);
                assertThat(wait.target()).isZero();
                assertThat(wait.waitedMs()).isPositive();
            });
            assertThat(record.overheadUs())
                    .isLessThan((long) (1_000 * record.waits().get(0).waitedMs()) + 500_000);
            assertThat(DecisionReplay.differences(record)).isEmpty();
            assertThat(gateway.metric("sluice_queue_ended_total{end=\"served\",lane=\"realtime\""))
                    .isEqualTo(1);
            assertThat(gateway.metric("sluice_target_limit")).isEqualTo(1);
            Ends.nothingIsHeld(gateway, 1, up);
        }
    }

    @Test
    void realtimeIsServedBeforeBatchThatCameEarlier() throws Exception {
        try (TestGateway gateway = gateway(PATIENT, same -> same)) {
            CompletableFuture<Client.Answer> first = running(gateway);
            CompletableFuture<Client.Answer> late = send(gateway, "batch", "batch");
            queued(gateway, "batch", 1);
            CompletableFuture<Client.Answer> urgent = send(gateway, "urgent", "realtime");
            queued(gateway, "realtime", 1);
            answers.release(3);

            assertThat(List.of(
                            get(first).status(), get(late).status(), get(urgent).status()))
                    .containsOnly(200);
            assertThat(up.requests().get(1).body()).contains("urgent");
            assertThat(up.requests().get(2).body()).contains("batch");
            assertThat(gateway.decision(get(late)).lane()).isEqualTo(Lane.BATCH);
        }
    }

    @Test
    void aBatchScenarioStaysBatchWhateverItsCallersAsk() throws Exception {
        try (TestGateway gateway = gateway(PATIENT, all -> scenario(all, "batch"))) {
            CompletableFuture<Client.Answer> first = running(gateway);
            answers.release();

            assertThat(gateway.decision(get(first)).lane()).isEqualTo(Lane.BATCH);
        }
    }

    @Test
    void aLaneThatIsNoneIsRefused() {
        try (TestGateway gateway = gateway(PATIENT, same -> same)) {
            Client.Answer answer = gateway.client().chat(Client.request(), "x-priority", "asap");

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().path("error").path("param").asText()).isEqualTo("X-Priority");
            assertThat(answer.body()).contains("realtime or batch");
        }
    }

    @Test
    void cx04WhoLeavesTheQueueIsNeverSentAndPaysNothing() throws Exception {
        try (TestGateway gateway = gateway(PATIENT, same -> same)) {
            CompletableFuture<Client.Answer> first = running(gateway);
            try (Socket leaving = Ends.send(gateway, Client.request())) {
                queued(gateway, "realtime", 1);
                Ends.reset(leaving);
            }
            queued(gateway, "realtime", 0);
            answers.release(2);

            assertThat(get(first).status()).isEqualTo(200);
            Ends.nothingIsHeld(gateway, 1, up);
            assertThat(up.requests()).hasSize(1);
            assertThat(Ends.decisions(gateway))
                    .filteredOn(record -> record.outcome().equals("client_abort"))
                    .singleElement()
                    .satisfies(record -> {
                        assertThat(record.attempts()).isEmpty();
                        assertThat(record.waits()).singleElement().matches(wait -> wait.end() == QueueWait.End.LEFT);
                    });
        }
    }

    @Test
    void aRealtimeRequestThatWaitedInVainIsToldWhenToComeBack() throws Exception {
        QueueSettings impatient = new QueueSettings(100, 50, 0.5, 0.1);
        try (TestGateway gateway = gateway(impatient, same -> same)) {
            CompletableFuture<Client.Answer> first = running(gateway);
            Client.Answer refused = gateway.client().chat(Client.request());
            answers.release();

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.code()).isEqualTo("queue_full");
            assertThat(refused.body()).contains("none came free within");
            assertThat(Integer.parseInt(refused.header("retry-after"))).isPositive();
            assertThat(gateway.decision(refused).waits()).singleElement().satisfies(wait -> {
                assertThat(wait.end()).isEqualTo(QueueWait.End.EXPIRED);
                assertThat(wait.waitedMs()).isGreaterThanOrEqualTo(45);
            });
            assertThat(get(first).status()).isEqualTo(200);
        }
    }

    @Test
    void aFullQueueRefusesBatch() throws Exception {
        try (TestGateway gateway = gateway(new QueueSettings(1, 10_000, 0.5, 0.1), same -> same)) {
            CompletableFuture<Client.Answer> first = running(gateway);
            CompletableFuture<Client.Answer> second = send(gateway, "second", "batch");
            queued(gateway, "batch", 1);
            Client.Answer refused = get(send(gateway, "third", "batch"));
            answers.release(2);

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.code()).isEqualTo("queue_full");
            assertThat(refused.header("retry-after")).isEqualTo("5");
            assertThat(get(first).status()).isEqualTo(200);
            assertThat(get(second).status()).isEqualTo(200);
        }
    }

    @Test
    void inAFullQueueBatchMakesRoomForRealtime() throws Exception {
        try (TestGateway gateway = gateway(new QueueSettings(1, 10_000, 0.5, 0.1), same -> same)) {
            CompletableFuture<Client.Answer> first = running(gateway);
            CompletableFuture<Client.Answer> batch = send(gateway, "batch", "batch");
            queued(gateway, "batch", 1);
            CompletableFuture<Client.Answer> urgent = send(gateway, "urgent", "realtime");
            Client.Answer shed = get(batch);
            answers.release(2);

            assertThat(shed.status()).isEqualTo(429);
            assertThat(shed.code()).isEqualTo("queue_full");
            assertThat(get(first).status()).isEqualTo(200);
            assertThat(get(urgent).status()).isEqualTo(200);
            assertThat(gateway.metric("sluice_queue_ended_total{end=\"shed\",lane=\"batch\""))
                    .isEqualTo(1);
        }
    }

    @Test
    void batchOutlastsRealtimeThatWaitedInVain() throws Exception {
        Configuration two =
                scenario(Ends.providers(TestConfig.pool(up), provider -> Ends.limited(provider, 2)), "realtime");
        try (TestGateway gateway = TestGateway.start(
                two, new TestGateway.Options().breaker(Ends.NEVER).queue(new QueueSettings(100, 400, 0.5, 0.1)))) {
            List<CompletableFuture<Client.Answer>> batch = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                batch.add(send(gateway, "batch" + i, "batch"));
            }
            int running = 1; // the other permit is not for batch
            queued(gateway, "batch", 6 - running);
            List<CompletableFuture<Client.Answer>> urgent = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                urgent.add(send(gateway, "urgent" + i, "realtime"));
            }
            TestGateway.eventually(
                    "three of real-time were told that nothing came free",
                    () -> urgent.stream().filter(CompletableFuture::isDone).count() == 3);
            answers.release(100);

            for (CompletableFuture<Client.Answer> each : batch) {
                assertThat(get(each).status()).isEqualTo(200);
            }
            assertThat(gateway.metric("sluice_queue_ended_total{end=\"shed\",lane=\"batch\""))
                    .isZero();
        }
    }

    @Test
    void withoutAQueueNobodyWaits() throws Exception {
        try (TestGateway gateway = gateway(new QueueSettings(0, 10_000, 0.5, 0.1), same -> same)) {
            CompletableFuture<Client.Answer> first = running(gateway);
            Client.Answer refused = gateway.client().chat(Client.request());
            answers.release();

            assertThat(refused.status()).isEqualTo(429);
            assertThat(get(first).status()).isEqualTo(200);
        }
    }

    @Test
    void aBusyRungIsWaitedForBeforeTheNextOneAnswers() throws Exception {
        try (ScriptedUpstream below = ScriptedUpstream.answering(200, Sse.whole("below", 1, 1));
                TestGateway gateway = TestGateway.start(
                        scenario(
                                Ends.providers(TestConfig.chain(up, below), provider -> Ends.limited(provider, 1)),
                                "realtime"),
                        new TestGateway.Options().queue(new QueueSettings(100, 50, 0.5, 0.1)))) {
            CompletableFuture<Client.Answer> first = running(gateway);
            Client.Answer second = gateway.client().chat(Client.request());
            answers.release();

            assertThat(second.status()).isEqualTo(200);
            assertThat(second.header("x-sluice-step")).isEqualTo("rung2");
            assertThat(second.header("x-sluice-degraded")).isEqualTo("saturated");
            DecisionRecord record = gateway.decision(second);
            assertThat(record.waits()).singleElement().matches(wait -> wait.end() == QueueWait.End.EXPIRED);
            assertThat(DecisionReplay.differences(record)).isEmpty();
            assertThat(get(first).header("x-sluice-step")).isEqualTo("rung1");
        }
    }

    @Test
    void aStoppingNodeTellsThoseWhoWait() throws Exception {
        try (TestGateway gateway = gateway(PATIENT, same -> same)) {
            CompletableFuture<Client.Answer> first = running(gateway);
            CompletableFuture<Client.Answer> second = send(gateway, "second", "realtime");
            queued(gateway, "realtime", 1);
            gateway.plane().stop(Duration.ofMillis(50));

            assertThat(get(second).code()).isEqualTo("draining");
            assertThat(get(first).code()).isEqualTo("draining");
            assertThat(up.requests()).hasSize(1);
        }
    }

    @Test
    void requestsOfSeveralLoopsShareOneQueueAndNoneIsLost() throws Exception {
        answers.release(1_000_000);
        Configuration two = Ends.providers(TestConfig.pool(up), provider -> Ends.limited(provider, 2));
        try (TestGateway gateway = TestGateway.start(
                scenario(two, "realtime"),
                new TestGateway.Options().eventLoops(2).queue(PATIENT))) {
            List<Integer> statuses = Ends.parallel(
                    16,
                    400,
                    () -> gateway.client()
                            .chat(Client.request(), "x-priority", "batch")
                            .status());

            assertThat(statuses).hasSize(400).containsOnly(200);
            assertThat(gateway.metric("sluice_queue_ended_total{end=\"served\""))
                    .isPositive();
            assertThat(gateway.metric("sluice_queue_length")).isZero();
            Ends.nothingIsHeld(gateway, 2, up);
        }
    }
}
