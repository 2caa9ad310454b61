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
import io.sluice.data.pool.RetrySettings;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A whole pool is down while another one below it is well: a minute at 100 requests a second, with every clock ten times as
 * fast, so 600 requests in six seconds. What has to hold is counted, not timed: a slower machine sends more slowly.
 */
class OutageIT {
    private static final int REQUESTS = 600;
    private static final int PER_SECOND = 100;

    /** Who fails at once is called by few at a time, so that a slow machine sends no bursts that nobody sent. */
    private static final int FEW = 8;

    /** A hundred requests a second that each wait half a second. */
    private static final int MANY = 48;

    /** The first rung is waited for a tenth of five seconds; the well one as long as a busy machine needs. */
    private static final Duration FIRST_TOKEN = Duration.ofMillis(500);

    private static final BreakerSettings BREAKER = new BreakerSettings(6_000, 0.6, 10, 20, 0.5, 10, 3_000, 3);
    private static final RetrySettings RETRIES = new RetrySettings(0.2, 10, 1_000);

    private static final ScriptedUpstream.Script WELL = (request, wire) -> {
        if (request.body().contains("\"stream\":true")) {
            wire.stream()
                    .chunk(c("hello"))
                    .chunk(fin("stop"))
                    .chunk(use(3, 2))
                    .chunk(DONE)
                    .end();
        } else {
            wire.json(200, Sse.whole("hello", 3, 2));
        }
    };

    private static Configuration withShortClocks(Configuration configuration) {
        ScenarioConfig chat =
                configuration.tenants().get(TestConfig.T1).scenarios().get("chat");
        List<RungConfig> ladder = new ArrayList<>();
        for (RungConfig rung : chat.ladder()) {
            RungConfig.Pool pool = (RungConfig.Pool) rung;
            ladder.add(new RungConfig.Pool(pool.name(), pool.pool(), ladder.isEmpty() ? FIRST_TOKEN : null, null));
        }
        return configuration.with(configuration
                .tenants()
                .get(TestConfig.T1)
                .with(new ScenarioConfig(
                        "chat",
                        1,
                        chat.sensitivity(),
                        chat.kind(),
                        true,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(8),
                        ladder,
                        Map.of())));
    }

    static Stream<Arguments> outages() {
        return Stream.of(
                Arguments.of(
                        "cuts every connection", (ScriptedUpstream.Script) (request, wire) -> wire.reset(), false, FEW),
                Arguments.of("hangs", (ScriptedUpstream.Script) (request, wire) -> wire.hang(5_000), true, MANY),
                Arguments.of(
                        "answers 503",
                        (ScriptedUpstream.Script)
                                (request, wire) -> wire.json(503, "{\"error\":{\"message\":\"unavailable\"}}"),
                        false,
                        FEW),
                Arguments.of(
                        "answers 429",
                        (ScriptedUpstream.Script)
                                (request, wire) -> wire.json(429, "{\"error\":{\"message\":\"slow down\"}}"),
                        true,
                        FEW),
                Arguments.of(
                        "is late with its first token",
                        (ScriptedUpstream.Script) (request, wire) -> {
                            wire.stream();
                            Thread.sleep(1_500);
                            wire.chunk(c("late")).chunk(fin("stop")).chunk(DONE).end();
                        },
                        true,
                        MANY),
                Arguments.of(
                        "stalls in its body",
                        (ScriptedUpstream.Script) (request, wire) -> {
                            wire.raw(
                                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{");
                            wire.hang(5_000);
                        },
                        false,
                        MANY));
    }

    private record Seen(int status, boolean complete, int attempts) {}

    private static List<Seen> load(TestGateway gateway, boolean streamed, int most) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(most);
        try {
            List<Future<Seen>> running = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < REQUESTS; i++) {
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

    @ParameterizedTest(name = "{0}")
    @MethodSource("outages")
    void noCallerNoticesAPoolThatIsDownAndNobodyIsFloodedForIt(
            String outage, ScriptedUpstream.Script down, boolean streamed, int callers) throws Exception {
        try (ScriptedUpstream primary = ScriptedUpstream.playing(down);
                ScriptedUpstream second = ScriptedUpstream.playing(WELL);
                TestGateway gateway = TestGateway.start(
                        withShortClocks(TestConfig.chain(primary, second)),
                        new TestGateway.Options().breaker(BREAKER).retries(RETRIES))) {
            List<Seen> seen = load(gateway, streamed, callers);
            int made = primary.requests().size() + second.requests().size();
            TestGateway.eventually(
                    "all are recorded", () -> Ends.decisions(gateway).size() == REQUESTS);
            List<DecisionRecord> decisions = Ends.decisions(gateway);

            assertThat(seen).extracting(Seen::status).containsOnly(200);
            assertThat(seen).extracting(Seen::complete).containsOnly(true);
            assertThat(made)
                    .as(
                            "calls of both upstreams while the first was down; of it alone: %d",
                            primary.requests().size())
                    .isLessThanOrEqualTo(REQUESTS * 11 / 10 + RETRIES.floor());
            assertThat(second.requests()).as("calls of the well one").hasSize(REQUESTS);
            assertThat(decisions)
                    .hasSize(REQUESTS)
                    .allSatisfy(record ->
                            assertThat(DecisionReplay.differences(record)).isEmpty());
            Ends.nothingIsHeld(gateway, MANY, primary, second);
        }
    }

    /** A target that fails nine times of ten, and the tenth time keeps its breaker shut. */
    private static ScriptedUpstream mostlyDown() {
        AtomicInteger calls = new AtomicInteger();
        return ScriptedUpstream.playing((request, wire) -> {
            if (calls.incrementAndGet() % 10 == 0) {
                WELL.play(request, wire);
            } else {
                wire.json(503, "{\"error\":{\"message\":\"down\"}}");
            }
        });
    }

    /** Nothing stands below it: three attempts for each request would triple the load that brought it down. */
    @Test
    void aPoolWhoseBreakersStayShutIsNotRetriedBeyondItsBudget() throws Exception {
        try (ScriptedUpstream first = mostlyDown();
                ScriptedUpstream second = mostlyDown();
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(first, second),
                        new TestGateway.Options().breaker(Ends.NEVER).retries(new RetrySettings(0.2, 10, 60_000)))) {
            List<Client.Answer> answers =
                    Ends.parallel(8, 300, () -> gateway.client().chat(Client.request()));
            int made = first.requests().size() + second.requests().size();
            TestGateway.eventually(
                    "all are recorded", () -> Ends.decisions(gateway).size() == 300);

            assertThat(made).isGreaterThan(330).isLessThanOrEqualTo(300 + 60 + 10);
            assertThat(answers)
                    .filteredOn(answer -> answer.status() != 200)
                    .hasSizeGreaterThan(150)
                    .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(502))
                    .anySatisfy(answer -> assertThat(answer.body())
                            .contains("too many requests of these models were repeated lately"));
            assertThat(gateway.metric("sluice_retry_budget_exhausted_total{pool=\"T1"))
                    .isGreaterThan(150);
            assertThat(Ends.decisions(gateway))
                    .hasSize(300)
                    .allSatisfy(record ->
                            assertThat(DecisionReplay.differences(record)).isEmpty())
                    .filteredOn(record -> record.attempts().get(0).failure() != null)
                    .anySatisfy(
                            record -> assertThat(record.attempts().get(0).next().retryBudgetLeftHere())
                                    .isFalse());
            Ends.nothingIsHeld(gateway, 64, first, second);
        }
    }
}
