package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.tc;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.pool.BreakerSettings;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows CX01 to CX05 of the case list and show 8: whoever leaves stops the work, pays what was done, and holds nothing. */
class LeavingCasesIT {
    private static final ScriptedUpstream.Script THOUSAND_CHUNKS = (request, wire) -> {
        wire.stream();
        for (int i = 0; i < 1_000; i++) {
            wire.chunk(c("word"));
            Thread.sleep(10);
        }
        wire.chunk(fin("stop")).chunk(use(3, 1_000)).chunk(DONE).end();
    };

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cx01LeavingAfterTheFirstOfAThousandChunksStopsTheUpstreamWithinASecond(boolean byReset) throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing(THOUSAND_CHUNKS);
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Socket socket = Ends.send(gateway, Client.streamed());
            Ends.readUntil(socket, "word");
            long leftNs = System.nanoTime();
            if (byReset) {
                Ends.reset(socket);
            } else {
                socket.close();
            }

            assertThat(up.requests().get(0).clientLeftWithin(5_000)).isTrue();
            assertThat((up.requests().get(0).leftNs() - leftNs) / 1e9).isLessThan(1);
            Ends.nothingIsHeld(gateway, 0, up);
            DecisionRecord record = Ends.decision(gateway);
            assertThat(record.outcome()).isEqualTo("client_abort");
            assertThat(record.attempts()).hasSize(1);
            assertThat(record.attempts().get(0).failure()).isEqualTo(FailureClass.CANCELLED);
            assertThat(record.attempts().get(0).usage().estimated()).isTrue();
            assertThat(record.attempts().get(0).usage().input()).isPositive();
            assertThat(record.attempts().get(0).usage().output()).isBetween(1L, 300L);
            assertThat(record.cost().micros())
                    .isEqualTo(record.attempts().get(0).usage().input()
                            + 2 * record.attempts().get(0).usage().output());
        }
    }

    @Test
    void cx02LeavingAWholeRequestCutsTheUpstreamAndIsCharged() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> wire.hang(20_000));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Socket socket = Ends.send(gateway, Client.request());
            TestGateway.eventually(
                    "the upstream was called", () -> up.requests().size() == 1);
            socket.close();

            assertThat(up.requests().get(0).clientLeftWithin(1_000)).isTrue();
            Ends.nothingIsHeld(gateway, 0, up);
            DecisionRecord record = Ends.decision(gateway);
            assertThat(record.outcome()).isEqualTo("client_abort");
            assertThat(record.attempts().get(0).usage().estimated()).isTrue();
            assertThat(record.cost().micros()).isPositive();
        }
    }

    @Test
    void cx04LeavingDuringBackoffCallsNobodyAfterwards() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing(
                        (request, wire) -> wire.whole(503, "text/html", "busy", "Retry-After: 3"));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Socket socket = Ends.send(gateway, Client.request());
            TestGateway.eventually(
                    "the first attempt is over",
                    () -> up.requests().size() == 1 && gateway.metric("sluice_attempts_running") == 0);
            Thread.sleep(200);
            socket.close();
            DecisionRecord record = Ends.decision(gateway);
            Thread.sleep(3_500);

            assertThat(up.requests()).hasSize(1);
            assertThat(record.outcome()).isEqualTo("client_abort");
            assertThat(record.cost().micros()).isZero();
            Ends.nothingIsHeld(gateway, 1, up);
        }
    }

    /** Nothing is kept between requests: the next one has the half call only if it says so, and then with all that it says. */
    @Test
    void cx05ACallThatWasLeftHalfWayIsUnknownToTheNextRequestAndSpoilsNoOther() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    wire.stream().chunk(tc(0, "k1", "f", "{\"a\":"));
                    wire.hang(20_000);
                });
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Socket socket = Ends.send(gateway, Client.streamed());
            Ends.readUntil(socket, "k1");
            socket.close();
            Ends.nothingIsHeld(gateway, 0, up);
            up.play((request, wire) -> wire.json(200, Sse.whole("fine", 1, 1)));
            int called = up.requests().size();

            Client.Answer result = gateway.client()
                    .chat("{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},"
                            + "{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":\"1\"}]}");
            Client.Answer plain = gateway.client().chat(Client.request());

            assertThat(result.status()).isEqualTo(400);
            assertThat(result.body()).contains("messages[1].tool_call_id").contains("names no tool call");
            assertThat(plain.status()).isEqualTo(200);
            assertThat(up.requests()).hasSize(called + 1);
            assertThat(up.requests().get(called).body()).doesNotContain("k1");
        }
    }

    @Test
    void leavingBeforeTheBodyIsSentCallsNobody() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("x", 1, 1));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            String request = Client.rawChat(Client.request());
            Socket socket = gateway.client().connect(5_000);
            socket.getOutputStream()
                    .write(request.substring(0, request.length() - 20).getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            TestGateway.eventually("the request runs", () -> gateway.metric("sluice_requests_running") == 1);
            socket.close();

            Ends.nothingIsHeld(gateway, 0, up);
            assertThat(up.requests()).isEmpty();
            assertThat(Ends.decisionsSoFar(gateway)).isEmpty();
        }
    }

    /** A large body is parsed on another thread, so its sender can be gone before the plan is made. */
    @Test
    void leavingWhileTheBodyIsParsedHoldsNothing() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> wire.hang(20_000));
                TestGateway gateway = TestGateway.start(Ends.wide(TestConfig.pool(up)))) {
            String content = "x".repeat(3_000_000);
            int afterMs = 0;
            do {
                Socket socket = Ends.send(
                        gateway,
                        "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"" + content + "\"}]}");
                Thread.sleep(afterMs);
                Ends.reset(socket);
                afterMs++;
                // A busy machine may not have come so far with any of the first as to know whose they were.
            } while (afterMs < 20 || (afterMs < 200 && Ends.decisions(gateway).isEmpty()));

            Ends.nothingIsHeld(gateway, 20, up);
            for (ScriptedUpstream.Request request : up.requests()) {
                assertThat(request.clientLeftWithin(5_000))
                        .as("a connection in use is cut")
                        .isTrue();
            }
            assertThat(Ends.decisions(gateway)).extracting("outcome").containsOnly("client_abort");
        }
    }

    /** A listener whose queue is full answers no connection request at all. */
    @Test
    void leavingWhileTheUpstreamIsConnectedToCostsNothing() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ScriptedUpstream unused = ScriptedUpstream.answering(200, "{}");
                TestGateway gateway = TestGateway.start(Ends.providers(
                        TestConfig.pool(unused),
                        provider -> Ends.at(provider, "http://127.0.0.1:" + full.getLocalPort() + "/v1")))) {
            List<Socket> queue = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Socket socket = new Socket();
                queue.add(socket);
                try {
                    socket.connect(full.getLocalSocketAddress(), 100);
                } catch (SocketTimeoutException isFull) {
                    break;
                }
            }
            Socket leaving = Ends.send(gateway, Client.request());
            TestGateway.eventually("an attempt runs", () -> gateway.metric("sluice_attempts_running") == 1);
            leaving.close();
            Ends.nothingIsHeld(gateway, 0, unused);
            DecisionRecord record = Ends.decision(gateway);
            Client.Answer staying = gateway.client().chat(Client.request(), "x-deadline-ms", "3000");

            assertThat(record.outcome()).isEqualTo("client_abort");
            assertThat(record.cost().micros()).isZero();
            assertThat(staying.status()).isIn(502, 504);
            Ends.nothingIsHeld(gateway, 0, unused);
            for (Socket socket : queue) {
                socket.close();
            }
        }
    }

    /** The next request of the connection waits in the same socket; the end of the connection is seen all the same. */
    @Test
    void leavingWithAPipelinedRequestBehindStopsTheUpstream() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing(THOUSAND_CHUNKS);
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Socket socket = Ends.send(gateway, Client.streamed());
            socket.getOutputStream().write(Client.rawChat(Client.streamed()).getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            Ends.readUntil(socket, "word");
            socket.close();

            assertThat(up.requests().get(0).clientLeftWithin(3_000)).isTrue();
            Ends.nothingIsHeld(gateway, 0, up);
            assertThat(up.requests()).hasSize(1);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTurn() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    Thread.sleep(50);
                    wire.json(200, Sse.whole("answer to " + request.headers().get("x-session-id"), 1, 1));
                });
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Socket socket = gateway.client().connect(5_000);
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 5; i++) {
                all.append(Client.rawChat(
                        Client.request(), "X-Session-Id: s" + i, i == 4 ? "Connection: close" : "X-A: b"));
            }
            socket.getOutputStream().write(all.toString().getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            String read = Client.readAll(socket);

            int from = 0;
            for (int i = 0; i < 5; i++) {
                from = read.indexOf("answer to s" + i, from);
                assertThat(from).as("answer %d in %s", i, read).isPositive();
            }
            Ends.nothingIsHeld(gateway, 2, up);
        }
    }

    /** A probe whose caller leaves says nothing about the target; it must not keep the target out for ever. */
    @Test
    void leavingDuringTheProbesDoesNotKeepATargetOut() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(500, "{\"error\":{\"message\":\"CUDA out of memory\"}}");
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(up),
                        new TestGateway.Options().breaker(new BreakerSettings(60_000, 0.6, 10, 20, 0.5, 10, 300, 2)))) {
            assertThat(gateway.client().chat(Client.request()).status()).isEqualTo(502);
            up.play((request, wire) -> wire.hang(20_000));
            for (int i = 0; i < 6; i++) {
                int before = up.requests().size();
                TestGateway.eventually("a probe is sent", () -> leavesAfter100Ms(gateway, up) > before);
            }
            up.play((request, wire) -> wire.json(200, Sse.whole("well", 1, 1)));

            TestGateway.eventually(
                    "the target serves again",
                    () -> gateway.client().chat(Client.request()).status() == 200);
            Ends.nothingIsHeld(gateway, 1, up);
        }
    }

    /** How many requests the upstream had when the caller left. */
    private static int leavesAfter100Ms(TestGateway gateway, ScriptedUpstream up) {
        try {
            Socket socket = Ends.send(gateway, Client.request());
            Thread.sleep(100);
            int called = up.requests().size();
            socket.close();
            return called;
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }
}
