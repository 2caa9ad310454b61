package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.recall.Claim;
import io.sluice.data.recall.Found;
import io.sluice.data.recall.IdempotencyStore;
import io.sluice.data.recall.KeptAnswer;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.recall.SqliteIdempotencyStore;
import io.sluice.data.recall.StoreUnavailableException;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request that its caller named: bad-input row 61 and wire check 47. Answers of more than 64 KiB are not kept here, and a node
 * lets eight requests wait.
 */
class IdempotencyIT {
    private static final int KEPT_BYTES_MAX = 64 << 10;
    private static final int WAITERS_MAX = 8;
    private static final String[] WRITE = {"x-request-kind", "write"};

    @TempDir
    static Path directory;

    private static ScriptedUpstream upstream;
    private static ScriptedUpstream other;
    private static FailingStore store;
    private static TestGateway gateway;

    /** A store that can be made to fail. */
    private static final class FailingStore implements IdempotencyStore {
        private final IdempotencyStore store;
        private volatile boolean failing;

        FailingStore(IdempotencyStore store) {
            this.store = store;
        }

        private static <T> io.vertx.core.Future<T> failed() {
            return io.vertx.core.Future.failedFuture(new StoreUnavailableException("the disk is full", null));
        }

        @Override
        public io.vertx.core.Future<Found> begin(Claim claim) {
            return failing ? failed() : store.begin(claim);
        }

        @Override
        public io.vertx.core.Future<Void> end(Claim claim, Fate fate, KeptAnswer answer) {
            return failing ? failed() : store.end(claim, fate, answer);
        }

        @Override
        public io.vertx.core.Future<Void> close() {
            return store.close();
        }
    }

    @BeforeAll
    static void start() {
        upstream = ScriptedUpstream.answering(500, "{}");
        other = ScriptedUpstream.answering(500, "{}");
        RecallSettings settings = new RecallSettings(3_600_000, 1 << 30, KEPT_BYTES_MAX, 5_000, WAITERS_MAX);
        store = new FailingStore(
                SqliteIdempotencyStore.open(directory.resolve("recall.db"), settings, System::currentTimeMillis));
        gateway = TestGateway.start(
                CaseConfig.tenants(upstream, other),
                new TestGateway.Options().idempotency(store).recall(settings).eventLoops(2));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
        other.close();
    }

    private static Client client() {
        return gateway.client();
    }

    private static void plays(ScriptedUpstream.Script script) {
        upstream.requests().clear();
        upstream.play(script);
    }

    private static String[] key(String key, String... more) {
        List<String> headers = new ArrayList<>(List.of("idempotency-key", key));
        headers.addAll(List.of(more));
        return headers.toArray(String[]::new);
    }

    /** Answers that differ, so that a repeat is seen. */
    private static void countsAnswers() {
        plays((request, wire) -> {
            String text = "answer " + upstream.requests().size();
            if (request.body().contains("\"stream\":true")) {
                wire.stream()
                        .chunk(Sse.c(text))
                        .chunk(Sse.fin("stop") + Sse.use(3, 2) + Sse.DONE)
                        .end();
            } else {
                wire.json(200, Sse.whole(text, 3, 2));
            }
        });
    }

    @Test
    void aRepeatGetsTheSameBytesAndCostsNothing() {
        countsAnswers();
        Client.Answer first = client().chat(Client.request(), key("same"));
        Client.Answer second = client().chat(Client.request(), key("same"));

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.header("idempotent-replayed")).isNull();
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.response().body()).isEqualTo(first.response().body());
        assertThat(second.header("content-type")).isEqualTo(first.header("content-type"));
        assertThat(second.header("idempotent-replayed")).isEqualTo("true");
        assertThat(second.header("x-sluice-cost-usd")).isEqualTo("0");
        assertThat(second.header("x-sluice-attempts")).isEqualTo("0");
        assertThat(second.header("x-sluice-model")).isEqualTo("up1/m1");
        assertThat(second.header("x-sluice-step")).isEqualTo("first");
        assertThat(second.header("x-sluice-cache")).isNull();
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void aRepeatedStreamIsTheSameEventsToTheEnd() {
        countsAnswers();
        String body = Client.streamed("\"stream_options\":{\"include_usage\":true}");
        Client.Answer first = client().chat(body, key("stream"));
        Client.Answer second = client().chat(body, key("stream"));

        assertThat(first.done()).isTrue();
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("content-type")).startsWith("text/event-stream");
        assertThat(second.header("idempotent-replayed")).isEqualTo("true");
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void theRecordOfARepeatTellsWhoseAnswerItIsAndReplays() {
        countsAnswers();
        Client.Answer first = client().chat(Client.request(), key("record"));
        Client.Answer second = client().chat(Client.request(), key("record"));

        DecisionRecord ran = gateway.decision(first);
        assertThat(ran.recall().verdict()).isEqualTo(Verdict.BEGIN);
        assertThat(ran.recall().fate()).isEqualTo(Fate.KEEP);
        DecisionRecord replayed = gateway.decision(second);
        assertThat(replayed.outcome()).isEqualTo("replayed");
        assertThat(replayed.cost()).isEqualTo(Money.ZERO);
        assertThat(replayed.attempts()).isEmpty();
        assertThat(replayed.recall().firstTraceId()).isEqualTo(first.header("x-request-id"));
        assertThat(DecisionReplay.differences(ran)).isEmpty();
        assertThat(DecisionReplay.differences(replayed)).isEmpty();
    }

    @Test
    void anotherBodyUnderTheSameKeyIsRefused() {
        countsAnswers();
        client().chat(Client.request(), key("reused"));
        Client.Answer second = client().chat(Client.request("\"seed\":1"), key("reused"));

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.code()).isEqualTo("idempotency_key_reused");
        assertThat(second.header("x-should-retry")).isEqualTo("false");
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void theSameBodyAsAnotherKindIsAnotherRequest() {
        countsAnswers();
        client().chat(Client.request(), key("kind"));

        assertThat(client().chat(Client.request(), key("kind", WRITE)).code()).isEqualTo("idempotency_key_reused");
    }

    @Test
    void anotherTenantsKeyIsIndependent() {
        countsAnswers();
        other.play((request, wire) -> wire.json(200, Sse.whole("theirs", 1, 1)));
        Client.Answer ours = client().chat(Client.request(), key("tenants"));
        Client.Answer theirs = client().chat(
                        Client.request(),
                        key("tenants", "authorization", "Bearer K2", "x-business-scenario", "t2-canary-scenario"));

        assertThat(ours.body()).contains("answer 1");
        assertThat(theirs.body()).contains("theirs");
        assertThat(theirs.header("idempotent-replayed")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "kéy", ""})
    void aKeyThatIsNoVisibleAsciiIsRefused(String wrong) throws IOException {
        String answer = client().raw(Client.rawChat(Client.request(), "Idempotency-Key: " + wrong), 2_000);

        assertThat(answer)
                .startsWith("HTTP/1.1 400")
                .contains("invalid_request")
                .contains("Idempotency-Key");
    }

    @Test
    void aKeyOf256CharactersIsRefusedAndOneOf255IsTaken() {
        countsAnswers();
        assertThat(client().chat(Client.request(), key("k".repeat(256))).status())
                .isEqualTo(400);
        assertThat(client().chat(Client.request(), key("k".repeat(255))).status())
                .isEqualTo(200);
    }

    @Test
    void twoKeysAreRefused() throws IOException {
        String answer =
                client().raw(Client.rawChat(Client.request(), "Idempotency-Key: a", "Idempotency-Key: b"), 2_000);

        assertThat(answer).startsWith("HTTP/1.1 400").contains("must be sent once");
    }

    @Test
    void whoeverComesWhileTheFirstRunsWaitsAndGetsTheSameBytes() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        plays((request, wire) -> {
            answer.await(10, TimeUnit.SECONDS);
            wire.json(200, Sse.whole("one", 1, 1));
        });
        double waited = gateway.metric("sluice_idempotency_total{verdict=\"wait\"}");
        ExecutorService callers = Executors.newFixedThreadPool(6);
        List<Future<Client.Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            answers.add(callers.submit(() -> client().chat(Client.request(), key("together"))));
        }
        TestGateway.eventually(
                "five wait", () -> gateway.metric("sluice_idempotency_total{verdict=\"wait\"}") == waited + 5);
        answer.countDown();

        String body = answers.get(0).get().body();
        for (Future<Client.Answer> each : answers) {
            assertThat(each.get().status()).isEqualTo(200);
            assertThat(each.get().body()).isEqualTo(body);
        }
        assertThat(upstream.requests()).hasSize(1);
        callers.shutdown();
    }

    @Test
    void whoeverDoesNotWaitIsToldThatTheFirstRuns() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1);
        plays((request, wire) -> {
            called.countDown();
            answer.await(10, TimeUnit.SECONDS);
            wire.json(200, Sse.whole("one", 1, 1));
        });
        ExecutorService caller = Executors.newSingleThreadExecutor();
        Future<Client.Answer> first = caller.submit(() -> client().chat(Client.request(), key("impatient")));
        called.await(10, TimeUnit.SECONDS);

        Client.Answer second = client().chat(Client.request(), key("impatient", "prefer", "respond-async"));
        Client.Answer third = client().chat(Client.request(), key("impatient", "x-deadline-ms", "50"));
        answer.countDown();

        assertThat(List.of(second.status(), third.status())).containsOnly(409);
        assertThat(List.of(second.code(), third.code())).containsOnly("request_in_flight");
        assertThat(second.header("retry-after")).isEqualTo("1");
        assertThat(first.get().status()).isEqualTo(200);
        caller.shutdown();
    }

    @Test
    void aRefusalBeforeAnyCallLeavesTheKeyFree() {
        countsAnswers();
        assertThat(client().chat(Client.request("\"max_tokens\":0"), key("free"))
                        .status())
                .isEqualTo(400);
        assertThat(client().chat(Client.request(), key("free")).status()).isEqualTo(200);
    }

    @Test
    void aReadThatFailedMayBeRepeated() {
        plays((request, wire) -> wire.json(500, "{\"error\":{\"message\":\"x\"}}"));
        String[] alone = key("failed", "x-deadline-ms", "400");
        Client.Answer failed = client().chat(Client.request().replace("auto", "m1"), alone);
        countsAnswers();
        Client.Answer repeated = client().chat(Client.request().replace("auto", "m1"), alone);

        assertThat(failed.status()).isEqualTo(502);
        assertThat(gateway.decision(failed).recall().fate()).isEqualTo(Fate.FREE);
        assertThat(repeated.status()).isEqualTo(200);
    }

    @Test
    void aWriteThatMayHaveTakenEffectIsNeverSentAgain() {
        plays((request, wire) -> wire.reset());
        Client.Answer failed = client().chat(Client.request(), key("unknown", WRITE));
        countsAnswers();
        Client.Answer repeated = client().chat(Client.request(), key("unknown", WRITE));

        assertThat(failed.status()).isEqualTo(502);
        assertThat(gateway.decision(failed).recall().fate()).isEqualTo(Fate.MARK_UNKNOWN);
        assertThat(repeated.status()).isEqualTo(409);
        assertThat(repeated.code()).isEqualTo("outcome_unknown");
        assertThat(repeated.header("x-should-retry")).isEqualTo("false");
        assertThat(upstream.requests()).isEmpty();
    }

    @Test
    void aWriteThatWasRefusedByTheProviderMayBeRepeated() {
        plays((request, wire) -> wire.json(429, "{\"error\":{\"message\":\"slow down\"}}"));
        Client.Answer failed = client().chat(Client.request(), key("refused", WRITE));
        countsAnswers();

        assertThat(gateway.decision(failed).recall().fate()).isEqualTo(Fate.FREE);
    }

    @Test
    void anAnswerTooLargeToKeepIsGivenOnce() {
        plays((request, wire) -> wire.json(200, Sse.whole("x".repeat(KEPT_BYTES_MAX), 1, 1)));
        Client.Answer first = client().chat(Client.request(), key("large"));
        Client.Answer second = client().chat(Client.request(), key("large"));

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).hasSizeGreaterThan(KEPT_BYTES_MAX);
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.code()).isEqualTo("answer_too_large_to_keep");
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void aStreamThatBrokeOffIsReplayedAsItBrokeOff() {
        plays((request, wire) -> {
            wire.stream().chunk(Sse.c("par"));
            wire.close();
        });
        Client.Answer first = client().chat(Client.streamed(), key("broken"));
        countsAnswers();
        Client.Answer second = client().chat(Client.streamed(), key("broken"));

        assertThat(first.body()).contains("par").contains("\"error\"").contains("under a new Idempotency-Key");
        assertThat(first.done()).isFalse();
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(upstream.requests()).isEmpty();
    }

    @Test
    void theAnswerIsMadeForACallerWhoLeft() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1);
        plays((request, wire) -> {
            called.countDown();
            answer.await(10, TimeUnit.SECONDS);
            wire.json(200, Sse.whole("late", 1, 1));
        });
        try (Socket socket = client().connect(5_000)) {
            Client.write(
                    socket,
                    Client.rawChat(Client.request(), "Idempotency-Key: left").getBytes(StandardCharsets.UTF_8));
            called.await(10, TimeUnit.SECONDS);
        }
        TestGateway.eventually("one holds its key", () -> gateway.metric("sluice_idempotency_running") == 1);
        answer.countDown();
        Client.Answer repeated = client().chat(Client.request(), key("left"));

        assertThat(repeated.status()).isEqualTo(200);
        assertThat(repeated.body()).contains("late");
        assertThat(repeated.header("idempotent-replayed")).isEqualTo("true");
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void aStreamGoesOnForACallerWhoLeft() throws Exception {
        CountDownLatch rest = new CountDownLatch(1);
        plays((request, wire) -> {
            wire.stream().chunk(Sse.c("first "));
            rest.await(10, TimeUnit.SECONDS);
            wire.chunk(Sse.c("second") + Sse.fin("stop") + Sse.use(1, 2) + Sse.DONE)
                    .end();
        });
        try (Socket socket = client().connect(5_000)) {
            Client.write(
                    socket,
                    Client.rawChat(Client.streamed(), "Idempotency-Key: left-stream")
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(socket.getInputStream().read()).isPositive();
        }
        rest.countDown();
        Client.Answer repeated = client().chat(Client.streamed(), key("left-stream"));

        assertThat(repeated.text()).isEqualTo("first second");
        assertThat(repeated.done()).isTrue();
        assertThat(upstream.requests()).hasSize(1);
    }

    @RepeatedTest(5)
    void noMoreThanAFewWait(RepetitionInfo crowd) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        plays((request, wire) -> {
            answer.await(10, TimeUnit.SECONDS);
            wire.json(200, Sse.whole("one", 1, 1));
        });
        double before = gateway.metric("sluice_refusals_total{code=\"request_in_flight\"}");
        int asking = 3 * WAITERS_MAX;
        ExecutorService callers = Executors.newFixedThreadPool(asking);
        List<Future<Client.Answer>> answers = new ArrayList<>();
        for (int i = 0; i < asking; i++) {
            answers.add(callers.submit(
                    () -> client().chat(Client.request(), key("crowd-" + crowd.getCurrentRepetition()))));
        }
        TestGateway.eventually(
                "some are sent away",
                () -> gateway.metric("sluice_refusals_total{code=\"request_in_flight\"}") >= before + 1);
        answer.countDown();

        long refused = 0;
        for (Future<Client.Answer> each : answers) {
            refused += each.get().status() == 409 ? 1 : 0;
        }
        assertThat(refused).isPositive().isLessThan(asking);
        assertThat(upstream.requests()).hasSize(1);
        callers.shutdown();
    }

    @Test
    void withoutTheStoreReadsGoOn() {
        countsAnswers();
        store.failing = true;
        Client.Answer answer = client().chat(Client.request(), key("no-store-read"));
        store.failing = false;

        assertThat(answer.status()).isEqualTo(200);
        assertThat(gateway.decision(answer).recall()).isNull();
    }

    @Test
    void withoutTheStoreNothingThatWritesIsSent() {
        countsAnswers();
        store.failing = true;
        Client.Answer refused = client().chat(Client.request(), key("no-store-write", WRITE));
        store.failing = false;
        Client.Answer later = client().chat(Client.request(), key("no-store-write", WRITE));

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.code()).isEqualTo("idempotency_unavailable");
        assertThat(refused.header("retry-after")).isEqualTo("1");
        assertThat(later.status()).isEqualTo(200);
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void anAnswerThatCouldNotBeKeptIsGivenAndTheKeyIsNotHeldForEver() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch called = new CountDownLatch(1);
        plays((request, wire) -> {
            called.countDown();
            answer.await(10, TimeUnit.SECONDS);
            wire.json(200, Sse.whole("one", 1, 1));
        });
        ExecutorService caller = Executors.newSingleThreadExecutor();
        Future<Client.Answer> first = caller.submit(() -> client().chat(Client.request(), key("lost", WRITE)));
        called.await(10, TimeUnit.SECONDS);
        store.failing = true;
        answer.countDown();
        Client.Answer given = first.get();
        store.failing = false;
        Client.Answer repeated = client().chat(Client.request(), key("lost", WRITE));

        assertThat(given.status()).isEqualTo(200);
        assertThat(repeated.code()).isEqualTo("outcome_unknown");
        assertThat(upstream.requests()).hasSize(1);
        caller.shutdown();
    }
}
