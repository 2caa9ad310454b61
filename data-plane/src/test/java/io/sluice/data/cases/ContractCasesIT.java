package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.pool.BreakerSettings;
import io.sluice.tenants.config.RequestKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rules of the public contract that hold for every request: scenario, kind and deadline (requirements C1, D1, A5), names of
 * models in paths (case EN07), the shape of errors, and what one tenant sees of another (reliability §6.6).
 */
class ContractCasesIT {
    private static final BreakerSettings FORGIVING = new BreakerSettings(60_000, 1, 1_000_000, 64, 1, 1_000_000, 1, 1);

    private static ScriptedUpstream upstream;
    private static ScriptedUpstream other;
    private static TestGateway gateway;
    private static Client client;
    private int callsBefore;

    @BeforeAll
    static void start() {
        upstream = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
        other = ScriptedUpstream.answering(200, Sse.whole("t2-canary-answer", 26, 5));
        gateway = TestGateway.start(CaseConfig.tenants(upstream, other), new TestGateway.Options().breaker(FORGIVING));
        client = gateway.client();
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
        other.close();
    }

    @BeforeEach
    void answersWhole() {
        upstream.play((request, wire) -> wire.json(200, Sse.whole("hello", 26, 5)));
        callsBefore = upstream.requests().size();
    }

    private int calls() {
        return upstream.requests().size() - callsBefore;
    }

    private static String message(Client.Answer answer) {
        return answer.json().path("error").path("message").asText();
    }

    private static String param(Client.Answer answer) {
        return answer.json().path("error").path("param").asText();
    }

    /** A request whose only headers are a key and these. */
    private static RawExchange plain(String key, String... headers) {
        String body = Client.request();
        return RawExchange.send(
                client,
                "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                        + "\r\nContent-Type: application/json\r\nConnection: close\r\n"
                        + String.join("", headers) + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    @Test
    void c1ARequestWithoutAScenarioIsToldTheKnownOnes() {
        RawExchange exchange = plain("K1");

        assertThat(exchange.only().status()).isEqualTo(400);
        assertThat(exchange.only().code()).isEqualTo("scenario_required");
        assertThat(exchange.only().error().path("param").asText()).isEqualTo("X-Business-Scenario");
        assertThat(exchange.only().error().path("message").asText()).endsWith("one of: audit, brief, chat, flow");
        assertThat(calls()).isZero();
    }

    static Stream<Arguments> refusedBeforeRouting() {
        return Stream.of(
                Arguments.of(400, client.chat("{")),
                Arguments.of(400, client.chat(Client.request(), "x-business-scenario", "none")),
                Arguments.of(404, client.chat(Client.request().replace("auto", "none"))),
                Arguments.of(415, client.chat(Client.request(), "content-type", "text/plain")));
    }

    @ParameterizedTest
    @MethodSource("refusedBeforeRouting")
    void refusalsBeforeRoutingHaveTheHeadersOfEveryAnswer(int status, Client.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("x-request-id")).isNotBlank();
        assertThat(answer.header("x-sluice-epoch")).isNotBlank();
        assertThat(answer.header("x-sluice-attempts")).isEqualTo("0");
        assertThat(answer.header("x-sluice-descents")).isEqualTo("0");
        assertThat(Long.parseLong(answer.header("x-sluice-overhead-us"))).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Chat", "chat2", "ch at", "chat,audit", "\"chat\""})
    void c1AnUnknownScenarioIsToldTheKnownOnes(String name) {
        Client.Answer answer = client.chat(Client.request(), "x-business-scenario", name);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("unknown_scenario");
        assertThat(message(answer)).endsWith("known are: audit, brief, chat, flow");
        assertThat(calls()).isZero();
    }

    @Test
    void c1OfAnUnknownScenarioAtMostSixtyFourCharactersAreShown() {
        Client.Answer answer = client.chat(Client.request(), "x-business-scenario", "x".repeat(5_000));

        assertThat(message(answer)).contains("\"" + "x".repeat(64) + "\"");
    }

    @Test
    void c1AKeyWithOneScenarioIsToldOnlyThatOne() {
        RawExchange exchange = plain("KS");

        assertThat(exchange.only().error().path("message").asText()).endsWith("one of: chat");
    }

    @Test
    void c1TheDefaultScenarioOfAKeyIsUsedWhereNoneIsNamed() {
        RawExchange exchange = plain("KD");

        assertThat(exchange.only().status()).isEqualTo(200);
        assertThat(client.get("/v1/decisions/" + exchange.only().headers().get("x-request-id"))
                        .json()
                        .path("scenario")
                        .asText())
                .isEqualTo("chat");
    }

    @Test
    void c1ANamedScenarioGoesBeforeTheDefault() {
        RawExchange exchange = plain("KD", "X-Business-Scenario: audit\r\n");

        assertThat(client.get("/v1/decisions/" + exchange.only().headers().get("x-request-id"))
                        .json()
                        .path("scenario")
                        .asText())
                .isEqualTo("audit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Business-Scenario", "X-Request-Kind", "X-Deadline-Ms", "X-Session-Id"})
    void d1AHeaderThatDecidesMustBeSentOnce(String name) {
        String value = name.equals("X-Request-Kind") ? "read" : name.equals("X-Deadline-Ms") ? "1000" : "chat";
        RawExchange exchange = plain("KD", (name + ": " + value + "\r\n").repeat(2));

        assertThat(exchange.only().status()).isEqualTo(400);
        assertThat(exchange.only().code()).isEqualTo("invalid_request");
        assertThat(exchange.only().error().path("param").asText()).isEqualTo(name);
        assertThat(calls()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "chat, '', READ",
        "chat, read, READ",
        "chat, WRITE, WRITE",
        "chat, compliance, COMPLIANCE",
        "flow, read, WRITE",
        "flow, write, WRITE",
        "flow, Compliance, COMPLIANCE",
        "audit, read, COMPLIANCE",
        "audit, write, COMPLIANCE"
    })
    void d1TheHeaderMakesARequestOnlyStricter(String scenario, String kind, RequestKind expected) {
        Client.Answer answer = kind.isEmpty()
                ? client.chat(Client.request(), "x-business-scenario", scenario)
                : client.chat(Client.request(), "x-business-scenario", scenario, "x-request-kind", kind);

        assertThat(gateway.decision(answer).input().kind()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete", "read,write", "none", "0"})
    void d1AnUnknownKindIsRefused(String kind) {
        Client.Answer answer = client.chat(Client.request(), "x-request-kind", kind);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(param(answer)).isEqualTo("X-Request-Kind");
        assertThat(message(answer)).contains("read, write or compliance");
        assertThat(calls()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"read, 200", "write, 502", "compliance, 502"})
    void d1OnlyAReadGoesDownToALowerRung(String kind, int status) {
        upstream.play((request, wire) -> wire.json(401, "{}"));
        Client.Answer answer = client.chat(Client.request(), "x-request-kind", kind);

        assertThat(answer.status()).isEqualTo(status);
        assertThat("excuse".equals(answer.header("x-sluice-step"))).isEqualTo(status == 200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "abc", "1.5", "1e3", "+100", "99999999999", "\u0661", "1 0"})
    void a5ADeadlineThatIsNoneIsRefused(String value) {
        RawExchange exchange = plain("KD", "X-Deadline-Ms: " + value + "\r\n");

        assertThat(exchange.only().status()).isEqualTo(400);
        assertThat(exchange.only().code()).isEqualTo("invalid_request");
        assertThat(exchange.only().error().path("param").asText()).isEqualTo("X-Deadline-Ms");
        assertThat(calls()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"flow, 400", "brief, 600000", "brief, 400"})
    void a5TheShorterDeadlineHolds(String scenario, String asked) {
        upstream.play((request, wire) -> wire.hang(20_000));
        Client.Answer answer = client.chat(Client.request(), "x-business-scenario", scenario, "x-deadline-ms", asked);

        assertThat(answer.status()).isEqualTo(504);
        assertThat(answer.code()).isEqualTo("deadline_exceeded");
        assertThat(gateway.decision(answer).durationMs()).isLessThan(9_000);
    }

    @ParameterizedTest
    @CsvSource({"''", "' '", "s1"})
    void anEmptySessionIsNone(String session) {
        RawExchange exchange = plain("KD", "X-Session-Id: " + session + "\r\n");

        assertThat(exchange.only().status()).isEqualTo(200);
    }

    @Test
    void aLongSessionIsRefused() {
        Client.Answer answer = client.chat(Client.request(), "x-session-id", "s".repeat(257));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(param(answer)).isEqualTo("X-Session-Id");
    }

    @ParameterizedTest
    @CsvSource({
        "m1, 200",
        "auto, 200",
        "org%2Fname%3Atag, 200",
        "org%2fname:tag, 200",
        "org/name:tag, 200",
        "org/name%3Atag, 200",
        "org, 404",
        "org%252Fname:tag, 404",
        "name:tag, 404",
        "two%20words, 404",
        "two+words, 404",
        "%F0%9F%98%80, 404",
        "%FF, 404",
        "'', 404"
    })
    void en07AModelIsFoundByItsNameInThePath(String name, int status) {
        Client.Answer answer = client.get("/v1/models/" + name);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(status == 200 ? answer.json().path("object").asText() : answer.code())
                .isEqualTo(status == 200 ? "model" : "model_not_found");
    }

    @Test
    void en07APoolWithASlashInItsNameIsCalledByThatName() {
        Client.Answer answer = client.chat(Client.request().replace("auto", "org/name:tag"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("x-sluice-step")).isEqualTo("org/name:tag");
    }

    @Test
    void aDrainingNodeEndsWhatRunsAndSendsTheRestAway() throws Exception {
        try (TestGateway leaving = TestGateway.start(CaseConfig.tenants(upstream, other))) {
            CompletableFuture<Void> goOn = new CompletableFuture<>();
            upstream.play((request, wire) -> {
                goOn.orTimeout(10, TimeUnit.SECONDS).join();
                wire.json(200, Sse.whole("hello", 26, 5));
            });
            CompletableFuture<Client.Answer> running =
                    CompletableFuture.supplyAsync(() -> leaving.client().chat(Client.request()));
            TestGateway.eventually("it is called", () -> calls() == 1);
            leaving.plane().stop(Duration.ofSeconds(20));
            Client.Answer late = leaving.client().chat(Client.request());
            goOn.complete(null);

            assertThat(late.status()).isEqualTo(503);
            assertThat(late.code()).isEqualTo("draining");
            assertThat(late.header("retry-after")).isEqualTo("1");
            assertThat(running.get(10, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
    }

    /** What an upstream may say that must not reach a caller. */
    private static final String LOUD = "Traceback (most recent call last): File \\\"/srv/app/secret/main.py\\\" "
            + "java.lang.IllegalStateException: at com.provider.Main.run(Main.java:7) http://10.1.2.3:8000/x "
            + "sk-live-abc123def456ghi789 postgres://user:pw-secret@db/x";

    static Stream<String> upstreamFailures() {
        return Stream.of(
                "400",
                "401",
                "402",
                "403",
                "404",
                "408",
                "409",
                "413",
                "422",
                "429",
                "500",
                "502",
                "503",
                "529",
                "reset",
                "close",
                "html",
                "cut",
                "empty",
                "garbage",
                "error in 200");
    }

    private static void fail(String how, ScriptedUpstream.Wire wire) throws IOException {
        switch (how) {
            case "reset" -> wire.reset();
            case "close" -> wire.close();
            case "html" -> wire.whole(502, "text/html", "<html>" + LOUD + "</html>");
            case "cut" -> {
                wire.raw("HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{\"error\":");
                wire.close();
            }
            case "empty" -> wire.json(200, "");
            case "garbage" ->
                wire.raw("SSH-2.0-OpenSSH_9.0\r\n" + LOUD + "\r\n\r\n").close();
            case "error in 200" -> wire.json(200, "{\"error\":{\"message\":\"" + LOUD + "\"}}");
            default ->
                wire.json(
                        Integer.parseInt(how),
                        "{\"error\":{\"message\":\"" + LOUD + "\",\"type\":\"x\"}}",
                        "X-Leak: " + "sk-live-abc123");
        }
    }

    @ParameterizedTest
    @MethodSource("upstreamFailures")
    void everyUpstreamFailureIsToldInTheContractsShapeAndWithoutTheProvidersSecrets(String how) {
        upstream.play((request, wire) -> fail(how, wire));
        List<Client.Answer> answers = new ArrayList<>();
        for (String body : List.of(Client.request(), Client.streamed())) {
            answers.add(client.chat(body, "x-business-scenario", "flow"));
        }

        for (Client.Answer answer : answers) {
            assertThat(answer.status()).isGreaterThanOrEqualTo(400);
            assertThat(answer.header("content-type")).isEqualTo("application/json");
            assertErrorShape(answer.json().path("error"));
            assertNothingLeaks(answer);
        }
    }

    private static void assertErrorShape(JsonNode error) {
        assertThat(error.size()).isEqualTo(4);
        assertThat(error.path("message").asText()).isNotBlank();
        assertThat(error.path("type").asText())
                .isIn(
                        "invalid_request_error",
                        "authentication_error",
                        "permission_error",
                        "rate_limit_error",
                        "server_error",
                        "upstream_error",
                        "overloaded_error");
        assertThat(error.path("code").asText()).matches("[a-z_]+");
        assertThat(error.path("param").isNull() || error.path("param").isTextual())
                .isTrue();
    }

    private static void assertNothingLeaks(Client.Answer answer) {
        assertThat(answer.body() + answer.response().headers().map())
                .doesNotContain(
                        "127.0.0.1",
                        "localhost",
                        "10.1.2.3",
                        Integer.toString(upstream.port()),
                        "sk-",
                        "pw-secret",
                        "/srv/app",
                        "io.sluice",
                        "io.vertx",
                        "io.netty",
                        ".java:",
                        "\tat ",
                        "canary");
    }

    static Stream<List<String>> wrongRequests() {
        String chat = "/v1/chat/completions";
        return Stream.of(
                List.of("GET", "/v1/nothing"),
                List.of("GET", "/v1/models/t2-unseen-pool"),
                List.of("GET", "/v1/decisions/" + "0".repeat(32)),
                List.of("GET", "/v1/decisions/../../etc/passwd"),
                List.of("GET", chat),
                List.of("POST", chat, "Authorization", "Bearer wrong"),
                List.of("POST", chat, "Authorization", "Bearer K3"),
                List.of("POST", chat, "X-Business-Scenario", "nothing"),
                List.of("POST", chat, "X-Request-Kind", "nothing"),
                List.of("POST", chat, "X-Deadline-Ms", "nothing"),
                List.of("POST", chat, "Content-Type", "text/plain"),
                List.of("POST", chat, "Content-Encoding", "gzip"),
                List.of("POST", chat, "Expect", "nothing"),
                List.of("POST", chat, "Transfer-Encoding", "gzip"),
                List.of("POST", chat, "Content-Length", "99999999"),
                List.of("POST", chat, "Host", "@"),
                List.of("POST", chat));
    }

    @ParameterizedTest
    @MethodSource("wrongRequests")
    void everyWrongRequestIsToldInTheContractsShape(List<String> request) {
        StringBuilder head = new StringBuilder(request.get(0) + " " + request.get(1) + " HTTP/1.1\r\n");
        List<String> names = request.subList(2, request.size());
        for (String usual : List.of(
                "Host: localhost",
                "Authorization: Bearer K1",
                "Content-Type: application/json",
                "X-Business-Scenario: chat",
                "Content-Length: 0",
                "Connection: close")) {
            boolean replaced = names.stream().anyMatch(name -> usual.startsWith(name + ":"))
                    || (names.contains("Transfer-Encoding") && usual.startsWith("Content-Length"));
            head.append(replaced ? "" : usual + "\r\n");
        }
        for (int i = 2; i < request.size(); i += 2) {
            head.append(request.get(i)).append(": ").append(request.get(i + 1)).append("\r\n");
        }
        RawExchange exchange = RawExchange.send(client, head + "\r\n");

        assertThat(exchange.only().status()).isBetween(400, 501);
        assertErrorShape(exchange.only().error());
        assertThat(exchange.bytes()).doesNotContain("canary", "io.", "xception", "127.0.0.1");
        assertThat(exchange.only().headers()).containsKeys("x-request-id", "x-sluice-epoch");
    }

    @Test
    void isolationOneTenantSeesNoByteOfAnother() {
        Client.Answer theirs = client.chat(
                Client.request("\"user\":\"t2-canary-user\"").replace("hi", "t2-canary-prompt"),
                "authorization",
                "Bearer K2",
                "x-business-scenario",
                "t2-canary-scenario");
        assertThat(theirs.body()).contains("t2-canary-answer");
        String id = theirs.header("x-request-id");
        List<Client.Answer> seen = new ArrayList<>();
        for (String key : List.of("K1", "KM", "KS", "KD", "KX", "K3")) {
            String[] as = {"authorization", "Bearer " + key};
            seen.add(client.get("/v1/models", as));
            seen.add(client.get("/v1/models/m1", as));
            seen.add(client.get("/v1/models/unknown", as));
            seen.add(client.get("/v1/decisions/" + id, as));
            seen.add(client.get("/v1/nothing", as));
            seen.add(client.chat("{", as));
            seen.add(client.chat(Client.request(), as));
            seen.add(client.chat(Client.request().replace("hi", "t2-prompt"), as));
            seen.add(client.chat(Client.request().replace("auto", "unknown"), as));
            seen.add(client.chat(Client.request(), "authorization", as[1], "x-business-scenario", "unknown"));
            seen.add(client.chat(
                    Client.request(), "authorization", as[1], "traceparent", "00-" + id + "-00f067aa0ba902b7-01"));
            seen.add(client.get("/v1/decisions/" + id, as));
        }

        assertThat(seen)
                .allSatisfy(answer -> assertThat(
                                answer.body() + answer.response().headers().map())
                        .doesNotContain("canary"));
        assertThat(upstream.requests()).noneMatch(each -> each.whole().contains("canary"));
    }
}
