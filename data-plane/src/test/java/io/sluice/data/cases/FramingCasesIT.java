package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.cases.RawExchange.Response;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bad-input catalogue §5.1, rows 1 to 33, byte by byte. Of whatever comes on a connection at most one request may reach the
 * upstream, cleanly framed, and at most one answer may come back.
 */
class FramingCasesIT {
    private static final String LINE = "POST /v1/chat/completions HTTP/1.1\r\n";

    private static final String USUAL =
            "Authorization: Bearer K1\r\nContent-Type: application/json\r\nX-Business-Scenario: chat\r\n";

    private static final String HEAD = LINE + "Host: localhost\r\n" + USUAL;

    private static final String SMUGGLED = HEAD + "Content-Length: 0\r\nX-Smuggled: yes\r\n\r\n";

    private static ScriptedUpstream upstream;
    private static TestGateway gateway;
    private int callsBefore;

    @BeforeAll
    static void start() {
        upstream = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
        gateway = TestGateway.start(TestConfig.pool(upstream));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
    }

    @BeforeEach
    void countCalls() {
        callsBefore = upstream.requests().size();
    }

    @AfterEach
    void nothingIsLeftRunning() {
        TestGateway.eventually("no request runs", () -> gateway.metric("sluice_requests_running") == 0);
    }

    private int calls() {
        return upstream.requests().size() - callsBefore;
    }

    private Response refusedAndClosed(String request, int status, String code) {
        RawExchange exchange = RawExchange.send(gateway.client(), request);
        Response response = exchange.only();

        assertThat(response.status()).as(exchange.bytes()).isEqualTo(status);
        assertThat(response.code()).isEqualTo(code);
        assertThat(response.error().size()).isEqualTo(4);
        assertThat(response.headers()).containsEntry("content-type", "application/json");
        assertThat(response.headers()).containsEntry("connection", "close");
        assertThat(response.headers()).containsKey("x-request-id");
        assertThat(exchange.closed()).isTrue();
        assertThat(calls()).isZero();
        return response;
    }

    private static String chunked(String body) {
        return Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n"
            })
    void row01And02ALengthBesideAChunkedBody(String framing) {
        refusedAndClosed(HEAD + framing + "\r\n0\r\n\r\n" + SMUGGLED, 400, "malformed_http");
    }

    @ParameterizedTest
    @ValueSource(strings = {"xchunked", "chunked x", "identity", "\u000bchunked", "chunked;x=1", "\"chunked\""})
    void row03AnUnknownTransferEncoding(String encoding) {
        refusedAndClosed(
                HEAD + "Transfer-Encoding: " + encoding + "\r\n\r\n0\r\n\r\n" + SMUGGLED, 400, "malformed_http");
    }

    @ParameterizedTest
    @CsvSource({
        "'gzip, chunked', 501, bad_transfer_encoding",
        "'chunked, gzip', 400, malformed_http",
        "'chunked, chunked', 400, malformed_http"
    })
    void row05TwoTransferEncodings(String encodings, int status, String code) {
        refusedAndClosed(
                HEAD + "Transfer-Encoding: " + encodings + "\r\n\r\n" + chunked(Client.request()), status, code);
    }

    @Test
    void row06TwoTransferEncodingHeaders() {
        refusedAndClosed(
                HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(Client.request()),
                400,
                "malformed_http");
    }

    @Test
    void row06TransferEncodingOnHttp10() {
        refusedAndClosed(
                HEAD.replace("HTTP/1.1", "HTTP/1.0") + "Transfer-Encoding: chunked\r\n\r\n" + chunked(Client.request()),
                400,
                "malformed_http");
    }

    @Test
    void row08AFoldedHeader() {
        RawExchange exchange =
                RawExchange.send(gateway.client(), HEAD + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + SMUGGLED);

        assertThat(exchange.only().status()).isIn(400, 501);
        assertThat(exchange.closed()).isTrue();
        assertThat(calls()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2\r\nContent-Length: 2\r\n",
                "Content-Length: 2\r\nContent-Length: 3\r\n",
                "Content-Length: 2, 2\r\n",
                "Content-Length: +2\r\n",
                "Content-Length: -1\r\n",
                "Content-Length: 0x2\r\n",
                "Content-Length: 12345678901234567890\r\n",
                "Content-Length: 9999999999999999999\r\n",
                "Content-Length: \r\n",
                "Content-Length: 2 2\r\n"
            })
    void row09ALengthThatIsNotOnePlainNumber(String lengths) {
        refusedAndClosed(HEAD + lengths + "\r\n{}", 400, "malformed_http");
    }

    @Test
    void row10ALengthNobodyCanSendIsRefusedAtOnce() {
        refusedAndClosed(HEAD + "Content-Length: 9223372036854775807\r\n\r\n{", 413, "body_too_large");
    }

    @Test
    void row11ASpaceBeforeTheColon() {
        refusedAndClosed(HEAD + "Content-Length : 2\r\n\r\n{}", 400, "malformed_http");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-A: b\rc\r\n",
                "X-A: b\u0000c\r\n",
                "X-\u0001A: b\r\n",
                "X A: b\r\n",
                "X-A: b\u007f\r\n",
                "X-\u00e9: b\r\n"
            })
    void row12ControlBytesInAHeader(String header) {
        refusedAndClosed(HEAD + header + "Content-Length: 2\r\n\r\n{}", 400, "malformed_http");
    }

    @Test
    void row12BareLineFeeds() {
        refusedAndClosed((HEAD + "Content-Length: 2\r\n\r\n{}").replace("\r\n", "\n"), 400, "malformed_http");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Host: localhost\r\nHost: localhost\r\n",
                "Host: a\r\nHost: b\r\n",
                "Host: a b\r\n",
                "Host: @\r\n",
                "Host: user@localhost\r\n",
                "Host: \r\n",
                "Host: a/b\r\n",
                "Host: a:123456\r\n"
            })
    void row14NotExactlyOneValidHost(String hosts) {
        refusedAndClosed(LINE + hosts + USUAL + "Content-Length: 2\r\n\r\n{}", 400, "bad_host");
    }

    @Test
    void row15ATargetInAbsoluteForm() {
        refusedAndClosed(
                HEAD.replace("POST /", "POST http://evil/") + "Content-Length: 2\r\n\r\n{}", 400, "malformed_http");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONNECT 127.0.0.1:22",
                "TRACE /",
                "FOO /",
                "post /v1/chat/completions",
                "PUT /v1/chat/completions",
                "DELETE /v1/models",
                "PATCH /v1/models/m1"
            })
    void row16AMethodThatIsNotServed(String start) {
        Response response = refusedAndClosed(start + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "method_not_allowed");

        assertThat(response.headers()).containsEntry("allow", "GET, HEAD, POST, OPTIONS");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "FOO", "TRACE"})
    void row16AMethodThatIsNotServedDoesNotExcuseTheFraming(String method) {
        refusedAndClosed(
                HEAD.replace("POST", method) + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + SMUGGLED,
                400,
                "malformed_http");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /v1/chat/completions, 'POST, OPTIONS'",
        "HEAD /v1/chat/completions, 'POST, OPTIONS'",
        "POST /v1/models, 'GET, HEAD, OPTIONS'",
        "POST /v1/decisions/x, 'GET, HEAD, OPTIONS'"
    })
    void row16AMethodThatIsNotServedHere(String start, String allowed) {
        RawExchange exchange =
                RawExchange.send(gateway.client(), start + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        String head = exchange.bytes();
        assertThat(head).startsWith("HTTP/1.1 405 ");
        assertThat(head).contains("allow: " + allowed + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/../admin",
                "/v1/chat/completions/..",
                "/v1/%2e%2e%2fadmin",
                "/v1/%2E./admin",
                "/v1/chat%2Fcompletions",
                "/v1/chat%2fcompletions",
                "/v1//chat",
                "//v1/chat/completions",
                "/v1/%zz",
                "/v1/chat/completions%",
                "/v1/models/%2",
                "/v1/models/a%2e%2e%2fb",
                "/v1/models/../chat/completions",
                "/v1\\chat",
                "/v1/chat/completions#x",
                "/v1/caf\u00e9",
                "*"
            })
    void row17APathThatCouldBeReadInTwoWays(String path) {
        refusedAndClosed("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + USUAL + "\r\n", 400, "malformed_http");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/Chat/completions",
                "/v1/chat/completions/",
                "/v1/chat/./completions",
                "/v1/chat/completions;x=1",
                "/v1/chat/%63ompletions",
                "/",
                "/admin",
                "/metrics",
                "/graphql"
            })
    void row17OnlyTheExactPathIsServed(String path) {
        RawExchange exchange = RawExchange.send(
                gateway.client(), HEAD.replace("/v1/chat/completions", path) + "Connection: close\r\n\r\n");

        assertThat(exchange.only().status()).isEqualTo(404);
        assertThat(exchange.only().code()).isEqualTo("not_found");
        assertThat(calls()).isZero();
    }

    @Test
    void row18ALongRequestLine() {
        refusedAndClosed(
                HEAD.replace("completions", "completions?" + "a".repeat(5_000)) + "Content-Length: 2\r\n\r\n{}",
                414,
                "uri_too_long");
    }

    @Test
    void row18LargeHeaders() {
        refusedAndClosed(
                HEAD + "X-A: " + "a".repeat(20_000) + "\r\nContent-Length: 2\r\n\r\n{}", 431, "headers_too_large");
    }

    @Test
    void row18ManySmallHeaders() {
        refusedAndClosed(HEAD + "X-A: b\r\n".repeat(5_000) + "Content-Length: 2\r\n\r\n{}", 431, "headers_too_large");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-2\r\n{}\r\n0\r\n\r\n",
                "0x2\r\n{}\r\n0\r\n\r\n",
                "FFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n",
                "7FFFFFFFFFFFFFFF1\r\n{}\r\n0\r\n\r\n",
                "2\n{}\n0\n\n",
                "2\r\n{}0\r\n\r\n",
                "\r\n{}\r\n0\r\n\r\n",
                "g\r\n{}\r\n0\r\n\r\n"
            })
    void row20AChunkThatIsNone(String body) {
        refusedAndClosed(HEAD + "Transfer-Encoding: chunked\r\n\r\n" + body, 400, "malformed_http");
    }

    @Test
    void row20ALongChunkExtension() {
        refusedAndClosed(
                HEAD + "Transfer-Encoding: chunked\r\n\r\n2;" + "a".repeat(10_240) + "\r\n{}\r\n0\r\n\r\n",
                400,
                "malformed_http");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1;a=\"\r\nX\r\n0\r\n\r\n", "1;a=\"\nX\r\n0\r\n\r\n", "1;a=\"\rX\r\n0\r\n\r\n"})
    void row21AChunkExtensionWithAQuotedLineEnd(String chunk) {
        RawExchange exchange = RawExchange.send(
                gateway.client(), HEAD + "Transfer-Encoding: chunked\r\n\r\n" + chunk + SMUGGLED + "\"\r\n\r\n");

        assertThat(exchange.only().status()).isEqualTo(400);
        assertThat(exchange.closed()).isTrue();
        assertThat(calls()).isZero();
    }

    @Test
    void row21NothingIsReadAfterAChunkedRequest() {
        RawExchange exchange = RawExchange.send(
                gateway.client(),
                HEAD + "Transfer-Encoding: chunked\r\n\r\n" + chunked(Client.request())
                        + Client.rawChat(Client.request()));

        assertThat(exchange.only().status()).isEqualTo(200);
        assertThat(exchange.only().headers()).containsEntry("connection", "close");
        assertThat(exchange.closed()).isTrue();
        assertThat(calls()).isEqualTo(1);
        ScriptedUpstream.Request called =
                upstream.requests().get(upstream.requests().size() - 1);
        assertThat(called.line()).isEqualTo("POST /v1/chat/completions HTTP/1.1");
        assertThat(called.headers()).doesNotContainKey("transfer-encoding");
        assertThat(called.headers())
                .containsEntry("content-length", Integer.toString(called.body().length()));
    }

    @Test
    void row21TrailersOfAChunkedRequestAreNoHeaders() {
        RawExchange exchange = RawExchange.send(
                gateway.client(),
                LINE + "Host: localhost\r\nContent-Type: application/json\r\nX-Business-Scenario: chat\r\n"
                        + "Transfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n"
                        + chunked(Client.request()).replace("0\r\n\r\n", "0\r\nAuthorization: Bearer K1\r\n\r\n"));

        assertThat(exchange.only().status()).isEqualTo(401);
        assertThat(calls()).isZero();
    }

    @Test
    void row21ALargeAnswerToAChunkedRequestComesWholeToASlowReader() throws Exception {
        String text = "x".repeat(12 << 20);
        upstream.play((request, wire) -> wire.json(200, Sse.whole(text, 1, 1)));
        try (Socket socket = gateway.client().connect(10_000)) {
            socket.getOutputStream()
                    .write((HEAD + "Transfer-Encoding: chunked\r\n\r\n" + chunked(Client.request()))
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            Thread.sleep(300);
            RawExchange exchange = RawExchange.readFrom(socket);

            assertThat(exchange.closed()).isTrue();
            assertThat(exchange.bytes()).endsWith("}").hasSizeGreaterThan(text.length());
        } finally {
            upstream.play((request, wire) -> wire.json(200, Sse.whole("hello", 26, 5)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"200-ok", "100-continue, x", ""})
    void row25AnExpectationNobodyKnows(String expectation) {
        refusedAndClosed(HEAD + "Expect: " + expectation + "\r\nContent-Length: 2\r\n\r\n", 417, "expectation_failed");
    }

    @Test
    void row26AWrongKeyIsRefusedBeforeTheBodyIsAskedFor() {
        refusedAndClosed(
                HEAD.replace("K1", "wrong") + "Expect: 100-continue\r\nContent-Length: 2048\r\n\r\n",
                401,
                "invalid_api_key");
    }

    @Test
    void row27AnUpgradeToHttp2InTheClearIsIgnored() {
        String body = Client.request();
        RawExchange exchange = RawExchange.send(
                gateway.client(),
                HEAD + "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n"
                        + "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nContent-Length: " + body.length() + "\r\n\r\n"
                        + body);

        assertThat(exchange.only().status()).isEqualTo(200);
        assertThat(exchange.bytes()).doesNotContain("101 Switching");
        assertThat(calls()).isEqualTo(1);
    }

    @Test
    void row27And28TheHttp2PrefaceIsRefusedSoThatNoneOfItsFloodsCanBegin() {
        RawExchange exchange = RawExchange.send(
                gateway.client(),
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000");

        assertThat(exchange.closed()).isTrue();
        assertThat(exchange.bytes()).isEqualTo("HTTP/2.0 501 Not Implemented\r\ncontent-length: 0\r\n\r\n");
        assertThat(calls()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "gzip, gzip", "br", "deflate", "zstd"})
    void row29ACompressedBody(String coding) {
        assertUnsupported("Content-Type: application/json\r\nContent-Encoding: " + coding + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Content-Type: text/plain\r\n",
                "Content-Type: multipart/form-data; boundary=x\r\n",
                "Content-Type: application/json; charset=utf-16\r\n",
                "Content-Type: application/jsonp\r\n",
                "Content-Type: application/json; charset=\"utf-16\"\r\n",
                "Content-Type: application/json\r\nContent-Type: text/plain\r\n"
            })
    void row30ABodyThatIsNotJsonInUtf8(String type) {
        assertUnsupported(type);
    }

    private void assertUnsupported(String headers) {
        RawExchange exchange = RawExchange.send(
                gateway.client(),
                LINE + "Host: localhost\r\nAuthorization: Bearer K1\r\nX-Business-Scenario: chat\r\n"
                        + "Connection: close\r\n" + headers + "Content-Length: 2\r\n\r\n{}");

        assertThat(exchange.only().status()).isEqualTo(415);
        assertThat(exchange.only().code()).isEqualTo("unsupported_media_type");
        assertThat(calls()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "Application/JSON",
                "application/json; charset=utf-8",
                "application/json;charset=UTF-8",
                "application/json ; charset=\"utf-8\""
            })
    void row30JsonUnderEveryRightName(String type) {
        Client.Answer answer = gateway.client().chat(Client.request(), "content-type", type);

        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void row31HeadersThatClaimAnIdentityAreNeitherReadNorPassedOn() {
        Client.Answer answer = gateway.client()
                .chat(
                        Client.request(),
                        "x-gw-tenant",
                        "T2-claimed",
                        "x-gw-cost",
                        "0-claimed",
                        "x-forwarded-for",
                        "10.9.8.7",
                        "forwarded",
                        "for=10.9.8.7",
                        "x_gw_tenant",
                        "T2-claimed");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(gateway.decision(answer).tenant()).isEqualTo(TestConfig.T1);
        String seen = upstream.requests().get(upstream.requests().size() - 1).whole();
        assertThat(seen).doesNotContain("claimed", "10.9.8.7", "forwarded", "gw-tenant", "gw_tenant");
    }

    @Test
    void row33ThreePipelinedRequestsAreAnsweredInOrder() {
        upstream.play((request, wire) -> wire.json(200, Sse.whole(request.body(), 1, 1)));
        String three = Client.rawChat(Client.request("\"user\":\"one\""))
                + Client.rawChat(Client.request("\"user\":\"two\""))
                + Client.rawChat(Client.request("\"user\":\"three\""), "Connection: close");
        RawExchange exchange = RawExchange.send(gateway.client(), three);
        upstream.play((request, wire) -> wire.json(200, Sse.whole("hello", 26, 5)));

        List<Response> responses = exchange.responses();
        assertThat(responses).hasSize(3);
        assertThat(responses.get(0).body()).contains("one");
        assertThat(responses.get(1).body()).contains("two");
        assertThat(responses.get(2).body()).contains("three");
        assertThat(responses.stream().map(each -> each.headers().get("x-request-id")))
                .doesNotHaveDuplicates();
    }

    @Test
    void row33OfPipelinedRequestsWhoseCallerLeavesNoneKeepsRunning() throws IOException, InterruptedException {
        upstream.play((request, wire) -> wire.hang(20_000));
        try (Socket socket = gateway.client().connect(5_000)) {
            socket.getOutputStream()
                    .write(Client.rawChat(Client.request()).repeat(3).getBytes(StandardCharsets.ISO_8859_1));
            TestGateway.eventually("the first is called", () -> calls() == 1);
        }

        assertThat(upstream.requests().get(callsBefore).clientLeftWithin(5_000)).isTrue();
        TestGateway.eventually("all are settled", () -> gateway.metric("sluice_requests_running") == 0);
        assertThat(gateway.metric("sluice_attempts_running")).isZero();
        assertThat(calls()).isEqualTo(1);
        upstream.play((request, wire) -> wire.json(200, Sse.whole("hello", 26, 5)));
    }

    @Test
    void row33NothingIsReadAfterTheWordCloseAmongOthers() {
        RawExchange exchange = RawExchange.send(
                gateway.client(),
                Client.rawChat(Client.request(), "Connection: x-y, Close") + Client.rawChat(Client.request()));

        assertThat(exchange.only().status()).isEqualTo(200);
        assertThat(exchange.closed()).isTrue();
        assertThat(calls()).isEqualTo(1);
    }

    @Test
    void row33ARequestBehindARefusedOneIsNotAnswered() {
        refusedAndClosed(
                HEAD + "Content-Length: 2, 2\r\n\r\n{}"
                        + Client.rawChat(Client.request()).repeat(2),
                400,
                "malformed_http");
    }

    @Test
    void row33ABodyThatNobodyReadIsNotTakenForARequest() {
        String hidden = Client.rawChat(Client.request());
        RawExchange exchange = RawExchange.send(
                gateway.client(),
                HEAD.replace("K1", "wrong") + "Connection: close\r\nContent-Length: " + hidden.length() + "\r\n\r\n"
                        + hidden);

        assertThat(exchange.only().status()).isEqualTo(401);
        assertThat(calls()).isZero();
    }
}
