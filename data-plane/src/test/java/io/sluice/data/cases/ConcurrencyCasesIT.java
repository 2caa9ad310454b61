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
import io.sluice.data.request.PipelineSettings;
import io.sluice.data.upstream.UpstreamLimits;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Rows CO02 to CO06 and ME01 to ME04 of the case list. */
class ConcurrencyCasesIT {
    private static final byte[] CHUNK = new byte[64 << 10];

    static {
        Arrays.fill(CHUNK, (byte) 'a');
    }

    private static String sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new AssertionError(everyJvmHasIt);
        }
    }

    /** The long content of {@code body}, which is all capitals. */
    private static String letters(String body) {
        return body.chars()
                .filter(each -> each >= 'A' && each <= 'Z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void co02BodiesArriveWholeUnderParallelRequests() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) ->
                        wire.json(200, Sse.whole(sha256(letters(request.body())), 1, 1)));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            AtomicInteger number = new AtomicInteger();
            List<Boolean> whole = Ends.parallel(25, 50, () -> {
                String content = String.valueOf((char) ('A' + number.getAndIncrement() % 26))
                        .repeat(100_000);
                Client.Answer answer = gateway.client()
                        .chat("{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"" + content
                                + "\"}]}");
                return answer.status() == 200 && answer.body().contains(sha256(content));
            });

            assertThat(whole).hasSize(50).containsOnly(true);
            Ends.nothingIsHeld(gateway, 50, up);
        }
    }

    /** Scaled down from 1,000 to 300 streams. */
    @Test
    void co03CallersWhoLeaveEarlyDoNotUseThePoolUp() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    wire.stream();
                    for (int i = 0; i < 20; i++) {
                        wire.chunk(c("word"));
                        Thread.sleep(2);
                    }
                    wire.chunk(fin("stop")).chunk(use(1, 20)).chunk(DONE).end();
                });
                TestGateway gateway = TestGateway.start(
                        Ends.providers(TestConfig.pool(up), provider -> Ends.limited(provider, 10)),
                        new TestGateway.Options()
                                .upstream(new UpstreamLimits(32L << 20, 16 << 10, 2_000, 10, 60, 100)))) {
            AtomicInteger number = new AtomicInteger();
            Ends.parallel(8, 300, () -> {
                if (number.getAndIncrement() % 2 == 0) {
                    return gateway.client().chat(Client.streamed()).status();
                }
                try (Socket socket = Ends.send(gateway, Client.streamed())) {
                    return socket.getInputStream().read();
                }
            });
            long start = System.nanoTime();
            Client.Answer last = gateway.client().chat(Client.streamed());

            assertThat(last.done()).isTrue();
            assertThat((System.nanoTime() - start) / 1e9).isLessThan(5);
            Ends.nothingIsHeld(gateway, 10, up);
        }
    }

    @Test
    void co05AClientThatIsResetWhileTheUpstreamIsPausedReleasesEverything() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    wire.stream();
                    while (true) {
                        wire.chunk(c(new String(CHUNK, StandardCharsets.US_ASCII)));
                    }
                });
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Socket socket = Ends.send(gateway, Client.streamed());
            Ends.readUntil(socket, "aaaa");
            Thread.sleep(1_000);
            assertThat(up.requests().get(0).clientLeftWithin(1)).isFalse();
            Ends.reset(socket);

            assertThat(up.requests().get(0).clientLeftWithin(2_000)).isTrue();
            Ends.nothingIsHeld(gateway, 0, up);
            assertThat(Ends.decision(gateway).outcome()).isEqualTo("client_abort");
        }
    }

    /** Scaled down from 20 bodies at once to 4; 8 bodies of 4 MB. */
    @Test
    void co06LongBodiesKeepTheirOrderThroughBackPressure() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    String body = request.body();
                    int start = body.indexOf("\"content\":\"") + 11;
                    wire.json(200, Sse.whole(sha256(body.substring(start, body.indexOf('"', start))), 1, 1));
                });
                TestGateway gateway = TestGateway.start(Ends.wide(TestConfig.pool(up)))) {
            AtomicInteger seed = new AtomicInteger();
            List<Boolean> equal = Ends.parallel(4, 8, () -> {
                byte[] random = new byte[3_000_000];
                new Random(seed.getAndIncrement()).nextBytes(random);
                String content = Base64.getEncoder().encodeToString(random);
                Client.Answer answer = gateway.client()
                        .chat("{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"" + content
                                + "\"}]}");
                return answer.body().contains(sha256(content));
            });

            assertThat(equal).hasSize(8).containsOnly(true);
        }
    }

    /** The upstreams would give without end; a caller who reads nothing is cut off after the stall time, here 4 s. */
    @Test
    void me01CallersWhoReadNothingPauseTheUpstreamAndAreCutOff() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    wire.stream();
                    while (true) {
                        wire.chunk(c(new String(CHUNK, StandardCharsets.US_ASCII)));
                    }
                });
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(up),
                        new TestGateway.Options().pipeline(new PipelineSettings(32L << 20, 15_000, 4_000)))) {
            long before = usedMemory();
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sockets.add(Ends.send(gateway, Client.streamed()));
            }
            TestGateway.eventually("all are called", () -> up.requests().size() == 10);
            Thread.sleep(2_000);
            long grown = usedMemory() - before;

            assertThat(grown).isLessThan(60L << 20);
            for (ScriptedUpstream.Request request : up.requests()) {
                assertThat(request.clientLeftWithin(15_000)).isTrue();
            }
            Ends.nothingIsHeld(gateway, 0, up);
            assertThat(Ends.decisions(gateway))
                    .extracting("outcome")
                    .hasSize(10)
                    .containsOnly("client_abort");
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void me02ALineWithoutAnEndIsCutAndDisturbsNobody() {
        String letters = "a".repeat(64 << 10);
        try (ScriptedUpstream endless = ScriptedUpstream.playing((request, wire) -> {
                    if (request.headers().containsKey("x-session-id")) {
                        wire.stream()
                                .chunk(c("fine"))
                                .chunk(fin("stop"))
                                .chunk(DONE)
                                .end();
                        return;
                    }
                    wire.stream().chunk(c("begin")).chunk("data: ");
                    while (true) {
                        wire.chunk(letters);
                    }
                });
                TestGateway gateway = TestGateway.start(TestConfig.pool(endless))) {
            Client.Answer answer = gateway.client().chat(Client.streamed());
            Client.Answer other = gateway.client().chat(Client.streamed(), "x-session-id", "other");

            assertThat(answer.text()).isEqualTo("begin");
            assertThat(answer.done()).isFalse();
            assertThat(answer.chunks().get(answer.chunks().size() - 1).has("error"))
                    .isTrue();
            assertThat(other.text()).isEqualTo("fine");
            Ends.nothingIsHeld(gateway, 1, endless);
        }
    }

    /** Scaled down from 1,000,000 requests to 4,000, and from 256 MB of heap to a growth below 30 MB. */
    @Test
    void me04NothingIsKeptOfCallsThatEnded() throws Exception {
        String answer = Sse.whole("x".repeat(100_000), 1, 1);
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, answer);
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Ends.parallel(
                    4, 1_000, () -> gateway.client().chat(Client.request()).status());
            long before = usedMemory();
            List<Integer> statuses = Ends.parallel(
                    4, 3_000, () -> gateway.client().chat(Client.request()).status());
            long grown = usedMemory() - before;

            assertThat(statuses).containsOnly(200);
            assertThat(grown).isLessThan(30L << 20);
            Ends.nothingIsHeld(gateway, 8, up);
        }
    }
}
