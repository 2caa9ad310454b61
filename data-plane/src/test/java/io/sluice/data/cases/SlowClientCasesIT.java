package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.cases.RawExchange.Response;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.request.PipelineSettings;
import io.sluice.data.server.GatewaySettings;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bad-input catalogue §5.1, rows 23 and 24: callers who hold a place without using it, with the clocks cut short. */
class SlowClientCasesIT {
    private static final int PLACES = 8;

    private static ScriptedUpstream upstream;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        upstream = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
        gateway = TestGateway.start(
                TestConfig.pool(upstream),
                new TestGateway.Options()
                        .pipeline(new PipelineSettings(1 << 20, 300, 30_000))
                        .gateway(settings -> new GatewaySettings(
                                settings.host(),
                                settings.port(),
                                settings.requestLineMax(),
                                settings.headBytesMax(),
                                500,
                                1_000,
                                PLACES,
                                settings.sendBufferBytes())));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    @Test
    void row23ABodyShorterThanItsLength() {
        RawExchange exchange = RawExchange.send(
                gateway.client(),
                Client.rawChat(Client.request() + " ".repeat(100)).strip());

        Response response = exchange.only();
        assertThat(response.status()).isEqualTo(408);
        assertThat(response.code()).isEqualTo("request_timeout");
        assertThat(exchange.closed()).isTrue();
        assertThat(upstream.requests()).isEmpty();
    }

    @Test
    void row23AChunkedBodyThatDoesNotEnd() {
        RawExchange exchange = RawExchange.send(
                gateway.client(),
                Client.rawChat("").replace("Content-Length: 0", "Transfer-Encoding: chunked") + "2\r\n{}\r\n");

        assertThat(exchange.only().status()).isEqualTo(408);
        assertThat(exchange.closed()).isTrue();
    }

    @Test
    void row24AHeadThatDoesNotEnd() {
        RawExchange exchange = RawExchange.send(gateway.client(), "POST /v1/chat/completions HTTP/1.1\r\nHost: local");

        assertThat(exchange.closed()).isTrue();
        assertThat(exchange.bytes()).doesNotContain(" 200 ");
    }

    @Test
    void row24AHeadThatDrips() throws Exception {
        try (Socket socket = gateway.client().connect(5_000)) {
            String head = "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-A: " + "a".repeat(100);
            int sent = 0;
            try {
                while (sent < head.length()) {
                    write(socket, head.substring(sent, sent + 1));
                    sent++;
                    Thread.sleep(50);
                }
            } catch (IOException cut) {
                assertThat(cut).isNotNull();
            }

            assertThat(RawExchange.readFrom(socket).closed()).isTrue();
        }
    }

    @Test
    void row24AConnectionThatIsIdleAfterItsRequest() {
        RawExchange exchange = RawExchange.send(
                gateway.client(), "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer K1\r\n\r\n");

        assertThat(exchange.only().status()).isEqualTo(200);
        assertThat(exchange.closed()).isTrue();
    }

    @Test
    void row24NoAddressHoldsMoreThanItsPlaces() throws IOException {
        List<Socket> idle = new ArrayList<>();
        int cut = 0;
        try {
            for (int i = 0; i < PLACES * 2; i++) {
                idle.add(gateway.client().connect(200));
            }
            for (Socket socket : idle) {
                cut += RawExchange.readFrom(socket).closed() ? 1 : 0;
            }
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }

        assertThat(cut).isGreaterThanOrEqualTo(PLACES);
        TestGateway.eventually("the places are free again", () -> served());
    }

    private static boolean served() {
        RawExchange exchange = RawExchange.send(
                gateway.client(),
                "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer K1\r\nConnection: close\r\n\r\n");
        return exchange.bytes().startsWith("HTTP/1.1 200");
    }
}
