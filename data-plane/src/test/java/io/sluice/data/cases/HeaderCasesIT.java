package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.cases.RawExchange.Response;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.request.PipelineSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cases HD01 to HD13: what headers may cross the gateway, in which direction, and how bodies and heads belong together. The
 * gateway asks upstreams for the plain coding only; bodies are limited to a mebibyte here.
 */
class HeaderCasesIT {
    private static final int BODY_BYTES_MAX = 1 << 20;

    private static final String HEAD = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer K1\r\nContent-Type: application/json\r\nX-Business-Scenario: chat\r\n";

    private static ScriptedUpstream first;
    private static ScriptedUpstream second;
    private static TestGateway gateway;
    private static Client client;
    private int callsBefore;

    @BeforeAll
    static void start() {
        first = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
        second = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
        gateway = TestGateway.start(
                TestConfig.chain(first, second),
                new TestGateway.Options().pipeline(new PipelineSettings(BODY_BYTES_MAX, 5_000, 30_000)));
        client = gateway.client();
    }

    @AfterAll
    static void stop() {
        gateway.close();
        first.close();
        second.close();
    }

    @BeforeEach
    void answersWhole() {
        first.play((request, wire) -> wire.json(200, Sse.whole("hello", 26, 5)));
        callsBefore = first.requests().size();
    }

    private int calls() {
        return first.requests().size() - callsBefore;
    }

    private static ScriptedUpstream.Request last(ScriptedUpstream upstream) {
        return upstream.requests().get(upstream.requests().size() - 1);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void hd01TheCallersKeyNeverGoesUpstream(boolean streamed, boolean fallback) {
        first.play((request, wire) -> wire.json(fallback ? 429 : 200, Sse.whole("hello", 26, 5)));
        client.chat(streamed ? Client.streamed() : Client.request());

        ScriptedUpstream.Request called = last(fallback ? second : first);
        assertThat(called.headers()).containsEntry("authorization", "Bearer sk-upstream-secret");
        assertThat(called.whole()).doesNotContain("K1");
        assertThat(last(first).whole()).doesNotContain("K1");
    }

    @Test
    void hd03NoHeaderOfTheCallersGoesUpstream() {
        String body = Client.request();
        RawExchange exchange = RawExchange.send(
                client,
                HEAD + "Proxy-Authorization: Basic eA==\r\nCookie: s=canary\r\nx-goog-api-key: canary\r\n"
                        + "x-api-key: canary\r\nConnection: x-secret, close\r\nx-secret: canary\r\nTE: trailers\r\n"
                        + "Keep-Alive: timeout=99\r\nUpgrade: canary\r\nX-Other: canary\r\nReferer: http://canary/\r\n"
                        + "User-Agent: canary\r\nAccept-Language: canary\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body);

        assertThat(exchange.only().status()).isEqualTo(200);
        assertThat(last(first).whole()).doesNotContain("canary", "eA==");
        assertThat(last(first).headers())
                .doesNotContainKeys(
                        "proxy-authorization",
                        "cookie",
                        "x-goog-api-key",
                        "x-api-key",
                        "x-secret",
                        "te",
                        "keep-alive",
                        "upgrade",
                        "connection",
                        "referer");
    }

    @Test
    void hd03NoHeaderOfTheUpstreamsComesBack() {
        first.play((request, wire) -> wire.json(
                200,
                Sse.whole("hello", 26, 5),
                "Connection: x-up",
                "X-Up: canary",
                "Keep-Alive: timeout=99",
                "Set-Cookie: s=canary",
                "Server: canary",
                "Proxy-Authenticate: Basic",
                "Trailer: X-T",
                "openai-organization: canary",
                "x-sluice-model: canary",
                "x-request-id: canary"));
        Client.Answer answer = client.chat(Client.request());

        assertThat(answer.response().headers().map().toString()).doesNotContain("canary");
        assertThat(answer.response().headers().map())
                .doesNotContainKeys(
                        "x-up", "keep-alive", "set-cookie", "server", "proxy-authenticate", "trailer", "connection");
        assertThat(answer.header("x-sluice-model")).isEqualTo("up1/m1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Accept-Encoding: gzip\r\n", "Accept-Encoding: br\r\n"})
    void hd04And06TheUpstreamIsAskedForThePlainCodingAndTheCallerGetsIt(String accepts) {
        String body = Client.request();
        RawExchange exchange = RawExchange.send(
                client, HEAD + accepts + "Connection: close\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);

        assertThat(last(first).headers()).containsEntry("accept-encoding", "identity");
        assertThat(exchange.only().headers()).doesNotContainKey("content-encoding");
        assertThat(exchange.only().body()).isEqualTo(Sse.whole("hello", 26, 5));
        assertThat(exchange.bytes()).endsWith(exchange.only().body());
    }

    @Test
    void hd04ACompressedAnswerNobodyAskedForIsAFailureAndNeverGarbage() throws IOException {
        byte[] zipped = gzip(Sse.whole("hello", 26, 5));
        first.play((request, wire) -> {
            wire.raw("HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: "
                    + zipped.length + "\r\n\r\n");
            wire.raw(zipped);
        });
        Client.Answer answer = client.chat(Client.request());

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("x-sluice-step")).isEqualTo("rung2");
        assertThat(answer.header("content-encoding")).isNull();
        assertThat(answer.body()).isEqualTo(Sse.whole("hello", 26, 5));
    }

    @Test
    void hd06ACompressedStreamCutInItsHeaderIsAFailureAndNeverGarbage() throws IOException {
        byte[] zipped = gzip(Sse.c("hello") + Sse.fin("stop") + Sse.DONE);
        second.play((request, wire) -> wire.stream()
                .chunk(Sse.c("spare") + Sse.fin("stop") + Sse.use(26, 5) + Sse.DONE)
                .end());
        first.play((request, wire) -> {
            wire.raw("HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nContent-Length: "
                    + zipped.length + "\r\n\r\n");
            wire.raw(Arrays.copyOf(zipped, 5));
            Thread.sleep(50);
            wire.raw(Arrays.copyOfRange(zipped, 5, zipped.length));
        });
        Client.Answer answer = client.chat(Client.streamed());
        second.play((request, wire) -> wire.json(200, Sse.whole("hello", 26, 5)));

        assertThat(answer.text()).isEqualTo("spare");
        assertThat(answer.done()).isTrue();
    }

    @Test
    void hd05ACompressedErrorIsRead() throws IOException {
        byte[] zipped =
                gzip("{\"error\":{\"message\":\"the prompt has a wrong shape\",\"type\":\"invalid_request_error\"}}");
        first.play((request, wire) -> error(wire, 400, zipped));
        Client.Answer answer = client.chat(Client.request());

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("content-encoding")).isNull();
        assertThat(answer.json().path("error").path("message").asText()).contains("the prompt has a wrong shape");
    }

    @Test
    void hd05ACompressedQuotaErrorIsRecognised() throws IOException {
        byte[] zipped = gzip(
                "{\"error\":{\"message\":\"no money\",\"type\":\"insufficient_quota\",\"code\":\"insufficient_quota\"}}");
        try (ScriptedUpstream poor = ScriptedUpstream.playing((request, wire) -> error(wire, 429, zipped));
                TestGateway alone = TestGateway.start(TestConfig.pool(poor))) {
            Client.Answer answer = alone.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.json().path("error").path("message").asText()).contains("QUOTA_EXHAUSTED");
        }
    }

    private static void error(ScriptedUpstream.Wire wire, int status, byte[] body) throws IOException {
        wire.raw("HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
                + "Content-Length: " + body.length + "\r\n\r\n");
        wire.raw(body);
    }

    @Test
    void hd07TheBodyIsAskedForWith100AndAnsweredWith200() throws IOException {
        String body = Client.request("\"x\":\"" + "x".repeat(2_048) + "\"");
        try (Socket socket = client.connect(5_000)) {
            socket.getOutputStream()
                    .write((HEAD + "Expect: 100-continue\r\nConnection: close\r\nContent-Length: " + body.length()
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            String interim = new String(
                    socket.getInputStream().readNBytes("HTTP/1.1 100 Continue\r\n\r\n".length()),
                    StandardCharsets.ISO_8859_1);
            socket.getOutputStream().write(body.getBytes(StandardCharsets.ISO_8859_1));
            RawExchange exchange = RawExchange.readFrom(socket);

            assertThat(interim).startsWith("HTTP/1.1 100 ");
            assertThat(exchange.only().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"wrong, 2048, 401", "K1, 50000000, 413"})
    void hd07ARefusalDoesNotWaitForTheBody(String key, int length, int status) {
        RawExchange exchange = RawExchange.send(
                client, HEAD.replace("K1", key) + "Expect: 100-continue\r\nContent-Length: " + length + "\r\n\r\n");

        assertThat(exchange.only().status()).isEqualTo(status);
        assertThat(exchange.only().headers()).containsEntry("connection", "close");
        assertThat(exchange.closed()).isTrue();
        assertThat(calls()).isZero();
    }

    @Test
    void hd08APreflightNeedsNoKeyAndCallsNobody() {
        RawExchange exchange = RawExchange.send(
                client,
                "OPTIONS /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nOrigin: https://app.example\r\n"
                        + "Access-Control-Request-Method: POST\r\nConnection: close\r\n"
                        + "Access-Control-Request-Headers: authorization,content-type,x-business-scenario\r\n\r\n");

        Response response = exchange.only();
        assertThat(response.status()).isEqualTo(204);
        assertThat(response.headers())
                .containsEntry("access-control-allow-origin", "*")
                .containsEntry("access-control-allow-headers", "authorization,content-type,x-business-scenario");
        assertThat(response.headers().get("access-control-allow-methods")).contains("POST");
        assertThat(response.headers()).doesNotContainKey("access-control-allow-credentials");
        assertThat(calls()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/chat/completions", "/v1/models", "/v1/models/m1", "/v1/decisions/x"})
    void hd08ABareOptionsOpensNothing(String path) {
        RawExchange exchange = RawExchange.send(
                client, "OPTIONS " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(exchange.only().status()).isEqualTo(204);
        assertThat(exchange.only().headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
        assertThat(exchange.only().body()).isEmpty();
    }

    @Test
    void hd08AnOptionsOfAnUnknownPathIsNotFound() {
        RawExchange exchange = RawExchange.send(
                client, "OPTIONS /v1/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(exchange.only().status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\u00e9", "a;b", "<script>"})
    void hd08OddHeaderNamesAreNotSaidBack(String asked) {
        RawExchange exchange = RawExchange.send(
                client,
                "OPTIONS /v1/models HTTP/1.1\r\nHost: localhost\r\nOrigin: https://app.example\r\nConnection: close\r\n"
                        + "Access-Control-Request-Headers: " + asked + "\r\n\r\n");

        assertThat(exchange.only().headers()).doesNotContainKey("access-control-allow-headers");
    }

    @ParameterizedTest
    @CsvSource({
        "'POST /v1/chat/completions', 'Content-Length: 50000000', 413",
        "'POST /v1/chat/completions', 'Transfer-Encoding: gzip, chunked', 501",
        "'POST /v1/chat/completions', 'Content-Length: -1', 400",
        "'POST /v1/chat/completions', 'Host: again', 400",
        "'POST /v1/chat/completions', 'Expect: nothing', 417",
        "'POST /v1/chat/completions', 'Authorization: again', 401",
        "'POST /v1/chat/completions', 'Content-Encoding: gzip', 415",
        "'POST /v1/chat/completions', 'Content-Length: 0', 400",
        "'POST /v1/chat/completions', 'Content-Length : 0', 400",
        "'GET /v1/chat/completions', 'X: y', 405",
        "'PUT /v1/chat/completions', 'X: y', 405",
        "'GET /v1/nothing', 'X: y', 404",
        "'GET /v1/models/nothing', 'X: y', 404",
        "'GET /v1/../x', 'X: y', 400",
        "'GET /v1/decisions/nothing', 'X: y', 404"
    })
    void hd09EveryErrorCanBeReadByABrowser(String start, String header, int status) {
        RawExchange exchange = RawExchange.send(
                client,
                start + " HTTP/1.1\r\nHost: localhost\r\nOrigin: https://app.example\r\nAuthorization: Bearer K1\r\n"
                        + "Content-Type: application/json\r\nConnection: close\r\n" + header + "\r\n\r\n");

        assertThat(exchange.only().status()).as(exchange.bytes()).isEqualTo(status);
        assertThat(exchange.only().headers()).containsEntry("access-control-allow-origin", "*");
        assertThat(exchange.only().headers().get("access-control-expose-headers"))
                .contains("x-request-id", "retry-after");
    }

    @ParameterizedTest
    @CsvSource({"200, 200", "400, 400", "401, 502", "500, 502", "429, 503"})
    void hd09EveryEndOfARequestCanBeReadByABrowser(int upstreamStatus, int status) {
        try (ScriptedUpstream up = ScriptedUpstream.answering(upstreamStatus, Sse.whole("hello", 26, 5));
                TestGateway alone = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer answer = alone.client().chat(Client.request(), "origin", "https://app.example");

            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.header("access-control-allow-origin")).isEqualTo("*");
        }
    }

    @Test
    void hd10ABodyThatAnnouncesTooMuchIsRefusedEarly() {
        RawExchange exchange =
                RawExchange.send(client, HEAD + "Content-Length: 50000000\r\n\r\n" + "x".repeat(100_000));

        assertThat(exchange.only().status()).isEqualTo(413);
        assertThat(exchange.only().code()).isEqualTo("body_too_large");
        assertThat(exchange.only().headers()).containsEntry("x-sluice-attempts", "0");
        assertThat(exchange.closed()).isTrue();
        assertThat(calls()).isZero();
    }

    @Test
    void hd10ABodyThatGrowsTooLargeIsRefused() {
        String chunk = Integer.toHexString(65_536) + "\r\n" + "x".repeat(65_536) + "\r\n";
        RawExchange exchange =
                RawExchange.send(client, HEAD + "Transfer-Encoding: chunked\r\n\r\n" + chunk.repeat(32) + "0\r\n\r\n");

        assertThat(exchange.only().status()).isEqualTo(413);
        assertThat(exchange.closed()).isTrue();
        assertThat(calls()).isZero();
    }

    @Test
    void hd10ABodyOfExactlyTheLimitIsTaken() {
        String body = Client.request("\"x\":\"\"");
        String full = body.replace("\"x\":\"\"", "\"x\":\"" + "x".repeat(BODY_BYTES_MAX - body.length()) + "\"");
        int taken = client.chat(full).status();
        int refused = client.chat(full + " ").status();

        assertThat(List.of(taken, refused)).containsExactly(200, 413);
    }

    @Test
    void hd11AHeadHasNoBody() throws IOException {
        String key = " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer K1\r\n";
        try (Socket socket = client.connect(5_000)) {
            socket.getOutputStream()
                    .write(("HEAD /health" + key + "\r\nHEAD /v1/models" + key + "\r\nHEAD /v1/chat/completions" + key
                                    + "\r\nGET /health" + key + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            String all = RawExchange.readFrom(socket).bytes();

            String[] parts = all.split("\r\n\r\n", -1);
            assertThat(parts).hasSize(5);
            assertThat(parts[0]).startsWith("HTTP/1.1 404 ");
            assertThat(parts[1]).startsWith("HTTP/1.1 200 ");
            assertThat(parts[2]).startsWith("HTTP/1.1 405 ").contains("allow: POST, OPTIONS");
            assertThat(parts[3]).startsWith("HTTP/1.1 404 ");
            assertThat(parts[4]).startsWith("{\"error\"").endsWith("}");
        }
    }

    @Test
    void hd12ALengthBesideAChunkedBodyReachesNobody() {
        RawExchange exchange = RawExchange.send(
                client,
                HEAD + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + Client.rawChat(Client.request()));

        assertThat(exchange.only().status()).isEqualTo(400);
        assertThat(exchange.closed()).isTrue();
        assertThat(calls()).isZero();
    }

    @Test
    void hd13AnUpgradeToHttp2WithALargeBodyIsServedAsHttp1() {
        String body = Client.request();
        String large = body + " ".repeat(BODY_BYTES_MAX - body.length());
        RawExchange exchange = RawExchange.send(
                client,
                HEAD
                        + "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"
                        + "Content-Length: " + large.length() + "\r\n\r\n" + large);

        assertThat(exchange.only().status()).isEqualTo(200);
        assertThat(exchange.bytes()).doesNotContain("101 ");
    }

    @Test
    void aCallerOfHttp10GetsItsStreamWithoutChunkFrames() {
        first.play((request, wire) -> wire.stream()
                .chunk(Sse.c("hel"))
                .chunk(Sse.c("lo") + Sse.fin("stop") + Sse.use(26, 5) + Sse.DONE)
                .end());
        RawExchange exchange =
                RawExchange.send(client, Client.rawChat(Client.streamed()).replace("HTTP/1.1", "HTTP/1.0"));

        String[] parts = exchange.bytes().split("\r\n\r\n", 2);
        assertThat(parts[0]).contains(" 200 ").doesNotContainIgnoringCase("transfer-encoding");
        assertThat(Sse.payloads(parts[1])).hasSize(4).endsWith("[DONE]");
        assertThat(exchange.closed()).isTrue();
    }

    @Test
    void everyAnswerTellsItsTraceAndItsEpoch() {
        Map<String, List<String>> headers = client.chat(
                        Client.request(), "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .response()
                .headers()
                .map();

        assertThat(headers).containsEntry("x-request-id", List.of("4bf92f3577b34da6a3ce929d0e0e4736"));
        assertThat(headers).containsEntry("x-sluice-epoch", List.of("1"));
        assertThat(last(first).headers().get("traceparent")).startsWith("00-4bf92f3577b34da6a3ce929d0e0e4736-");
    }
}
