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
import io.sluice.data.request.PipelineSettings;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.money.Money;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Show 8: requests that end in every way at once, chosen by a seed: answers, failures of all kinds on the upstream's side,
 * callers who leave at any moment or read nothing. Afterwards nothing is held and every request has exactly one record.
 */
class StressPropertyIT {
    private static final int REQUESTS = 1_000;

    private static final int CALLERS = 24;

    private static final BreakerSettings BREAKER = new BreakerSettings(60_000, 0.6, 10, 20, 0.5, 10, 200, 3);

    /** Twelve of so many requests go wrong upstream: breakers of such upstreams are open much of the time. */
    private static final int DRAWS_OF_BAD = 20;

    /** Of the last upstream: were all three bad, all breakers might stay open until the end, and few ways to end would be seen. */
    private static final int DRAWS_OF_FAIR = 40;

    /** What an upstream does with one request, by a draw of its own. */
    private static void anything(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire, Random random, int draws)
            throws IOException, InterruptedException {
        boolean streamed = request.body().contains("\"stream\":true");
        int draw = random.nextInt(draws);
        if (draw >= 12) {
            well(wire, streamed, random);
        } else {
            switch (draw) {
                case 0 -> wire.json(503, "{\"error\":{\"message\":\"busy\"}}");
                case 1 -> wire.json(429, "{}", "Retry-After: 0");
                case 2 -> wire.json(500, "{\"error\":{\"message\":\"boom\"}}");
                case 3 -> wire.reset();
                case 4 -> wire.close();
                case 5 -> wire.json(400, "{\"error\":{\"message\":\"wrong\"}}");
                case 6 -> wire.hang(2_000);
                case 7 -> wire.json(200, "");
                case 8 -> {
                    wire.stream().chunk(c("half"));
                    wire.reset();
                }
                case 9 -> {
                    wire.stream().chunk(c("half"));
                    wire.hang(3_000);
                }
                case 10 ->
                    wire.stream()
                            .chunk("data: {\"error\":{\"message\":\"boom\"}}\n\n")
                            .end();
                default -> wire.stream().chunk("data: {\"choices\":\"x\"}\n\n").end();
            }
        }
        if (draw == 6 || draw == 9) {
            wire.close();
        }
    }

    private static void well(ScriptedUpstream.Wire wire, boolean streamed, Random random)
            throws IOException, InterruptedException {
        if (!streamed) {
            Thread.sleep(random.nextInt(20));
            wire.json(200, Sse.whole("hello", 3, 2));
            return;
        }
        wire.stream();
        int chunks = 1 + random.nextInt(30);
        for (int i = 0; i < chunks; i++) {
            wire.chunk(c("word "));
            Thread.sleep(random.nextInt(4));
        }
        wire.chunk(fin("stop")).chunk(use(3, chunks)).chunk(DONE);
        if (random.nextInt(10) == 0) {
            Thread.sleep(300); // never ends the message by itself in time (case ST05)
        }
        wire.end();
    }

    /** One caller's behaviour; the trace id is added to {@code planned} where the request surely reached a plan. */
    private static void call(TestGateway gateway, int number, Random random, Map<String, Boolean> planned)
            throws IOException, InterruptedException {
        String trace = String.format("%016x%016x", random.nextLong() | 1, number + 1L);
        String[] headers = {
            "traceparent: 00-" + trace + "-00f067aa0ba902b7-01", "X-Deadline-Ms: " + (500 + random.nextInt(1_500))
        };
        String body = random.nextBoolean() ? Client.streamed() : Client.request();
        byte[] raw = Client.rawChat(body, headers).getBytes(StandardCharsets.UTF_8);
        try (Socket socket = gateway.client().connect(20_000)) {
            int draw = random.nextInt(10);
            if (draw == 0) { // leaves within its own request
                socket.getOutputStream().write(raw, 0, random.nextInt(raw.length));
                leave(socket, random);
                return;
            }
            socket.getOutputStream().write(raw);
            socket.getOutputStream().flush();
            planned.put(trace, draw >= 4);
            if (draw == 1) {
                leave(socket, random);
            } else if (draw == 2) {
                Thread.sleep(random.nextInt(40));
                leave(socket, random);
            } else if (draw == 3) {
                int got = socket.getInputStream().read(new byte[1 + random.nextInt(600)]);
                assertThat(got).as("an answer began").isPositive();
                leave(socket, random);
            } else {
                readAnswer(socket);
            }
        }
    }

    private static void leave(Socket socket, Random random) throws IOException {
        if (random.nextBoolean()) {
            socket.setSoLinger(true, 0);
        }
        socket.close();
    }

    /** Reads one answer to its end: by length, or by the last chunk of a stream. */
    private static void readAnswer(Socket socket) throws IOException {
        String head = Ends.readUntil(socket, "\r\n\r\n");
        int length = head.toLowerCase(Locale.ROOT).indexOf("content-length: ");
        if (length < 0) {
            String rest = head.substring(head.indexOf("\r\n\r\n") + 4);
            if (!rest.endsWith("\r\n0\r\n\r\n")) {
                Ends.readUntil(socket, "\r\n0\r\n\r\n");
            }
            return;
        }
        int wanted = Integer.parseInt(head.substring(length + 16, head.indexOf('\r', length)));
        int got = head.length() - head.indexOf("\r\n\r\n") - 4;
        while (got < wanted) {
            int n = socket.getInputStream().read(new byte[4_096]);
            assertThat(n).as("the answer is whole").isPositive();
            got += n;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20_251_129})
    void nothingIsHeldAndEveryRequestIsRecordedOnceHoweverItEnds(long seed) throws Exception {
        AtomicInteger draws = new AtomicInteger();
        ScriptedUpstream.Script bad = (request, wire) ->
                anything(request, wire, new Random(seed * 31 + draws.incrementAndGet()), DRAWS_OF_BAD);
        ScriptedUpstream.Script fair = (request, wire) ->
                anything(request, wire, new Random(seed * 31 + draws.incrementAndGet()), DRAWS_OF_FAIR);
        try (ScriptedUpstream one = ScriptedUpstream.playing(bad);
                ScriptedUpstream two = ScriptedUpstream.playing(bad);
                ScriptedUpstream three = ScriptedUpstream.playing(fair);
                TestGateway gateway = TestGateway.start(
                        TestConfig.chain(one, two, three),
                        new TestGateway.Options()
                                .breaker(BREAKER)
                                .eventLoops(2)
                                .pipeline(new PipelineSettings(32L << 20, 5_000, 3_000)))) {
            Map<String, Boolean> planned = new ConcurrentHashMap<>();
            AtomicInteger number = new AtomicInteger();
            Ends.parallel(CALLERS, REQUESTS, () -> {
                int mine = number.getAndIncrement();
                call(gateway, mine, new Random(seed * 1_000_003 + mine), planned);
                return mine;
            });

            Ends.nothingIsHeld(gateway, CALLERS * 2L, one, two, three);
            List<DecisionRecord> records = Ends.decisions(gateway);
            recordsAreRight(records, planned, seed);
            assertThat(gateway.metric("sluice_decisions_lost_total")).isZero();
            assertThat(gateway.metric("sluice_requests_total")).isEqualTo(records.size());
            assertThat(gateway.metric("sluice_attempts_total"))
                    .isEqualTo(records.stream()
                            .mapToInt(record -> record.attempts().size())
                            .sum());
            assertThat(gateway.metric("sluice_refusals_total{code=\"internal_error\""))
                    .isZero();
        }
    }

    private static void recordsAreRight(List<DecisionRecord> records, Map<String, Boolean> planned, long seed) {
        Map<String, Integer> times = new HashMap<>();
        for (DecisionRecord record : records) {
            times.merge(record.traceId(), 1, Integer::sum);
            assertThat(DecisionReplay.differences(record)).as("seed %d", seed).isEmpty();
            assertThat(record.outcome()).as("seed %d", seed).isNotEqualTo("internal_error");
            Money sum = Money.ZERO;
            for (AttemptRecord attempt : record.attempts()) {
                sum = sum.plus(attempt.cost());
            }
            if (!record.attempts().isEmpty()) {
                assertThat(record.cost()).isEqualTo(sum);
            }
            assertThat(record.attempts().size()).isLessThanOrEqualTo(4);
        }
        assertThat(times.values()).as("one record each, seed %d", seed).containsOnly(1);
        Set<String> stayed = planned.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        assertThat(times.keySet()).as("seed %d", seed).containsAll(stayed);
        assertThat(records).extracting(DecisionRecord::outcome).contains("ok", "client_abort", "incomplete");
    }
}
