package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.data.cases.RawExchange.Response;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.plugins.api.Secret;
import io.sluice.plugins.bus.Address;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.message.BusMessage.CheckLadder;
import io.sluice.tenants.message.BusMessage.LadderChecked;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Bad-input catalogue §5.2, rows 34 to 40, and the cases AT01 to AT06 and RL09. The harness's verifier takes a key's id for the
 * key; secrets, checksums and hashes are proven where they are built.
 */
class AuthCasesIT {
    private static final String HEAD = String.join(
            "\r\n",
            "POST /v1/chat/completions HTTP/1.1",
            "Host: localhost",
            "Content-Type: application/json",
            "X-Business-Scenario: chat",
            "Connection: close",
            "");

    private static ScriptedUpstream upstream;
    private static ScriptedUpstream other;
    private static TestGateway gateway;
    private static Client client;
    private int callsBefore;

    @BeforeAll
    static void start() {
        upstream = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
        other = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
        gateway = TestGateway.start(CaseConfig.tenants(upstream, other));
        client = gateway.client();
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
        other.close();
    }

    @BeforeEach
    void countCalls() {
        callsBefore = upstream.requests().size() + other.requests().size();
    }

    private int calls() {
        return upstream.requests().size() + other.requests().size() - callsBefore;
    }

    private static RawExchange authorized(String headers) {
        String body = Client.request();
        return RawExchange.send(client, HEAD + headers + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Authorization:\r\n",
                "Authorization: \r\n",
                "Authorization: K1\r\n",
                "Authorization: Bearer\r\n",
                "Authorization: Bearer \r\n",
                "Authorization: BearerK1\r\n",
                "Authorization: Basic SzE6\r\n",
                "Authorization: Token K1\r\n",
                "Authorization: Bearer K1, Bearer K1\r\n",
                "Authorization: Bearer K1\r\nAuthorization: Bearer K1\r\n",
                "Authorization: Bearer K1\r\nAuthorization: Basic SzE6\r\n",
                "Authorization: \r\nx-api-key: K1\r\n",
                "x-api-key: \r\n",
                "x-api-key: K1\r\nx-api-key: K1\r\n",
                "Authorization: Bearer K\u00e9\r\n",
                "Authorization: Bearer K1%0d%0aX: y\r\n"
            })
    void row34And37AndAt03AndAt04NoKeyInItsOnePlace(String headers) {
        RawExchange exchange = authorized(headers);

        Response response = exchange.only();
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.code()).isEqualTo("invalid_api_key");
        assertThat(response.error().path("type").asText()).isEqualTo("authentication_error");
        assertThat(response.headers()).containsEntry("www-authenticate", "Bearer");
        assertThat(response.headers()).containsEntry("x-should-retry", "false");
        assertThat(calls()).isZero();
    }

    @Test
    void row34AKeyInTheQueryStringIsNone() {
        String body = Client.request();
        RawExchange exchange = RawExchange.send(
                client,
                HEAD.replace("completions", "completions?api_key=K1&key=K1&access_token=K1") + "Content-Length: "
                        + body.length() + "\r\n\r\n" + body);

        assertThat(exchange.only().status()).isEqualTo(401);
        assertThat(calls()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "authorization: bearer K1\r\n",
                "Authorization:   Bearer   K1  \r\n",
                "AUTHORIZATION: BEARER K1\r\n",
                "x-api-key: K1\r\n",
                "x-api-key:  K1 \r\n"
            })
    void at03TheSchemeInAnyCaseAndWithBlanks(String headers) {
        RawExchange exchange = authorized(headers);

        assertThat(exchange.only().status()).isEqualTo(200);
        assertThat(calls()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "KX", "KR", "k1", "K1x", "K"})
    void row35EveryWrongKeyIsRefusedInTheSameWords(String key) {
        Client.Answer answer = client.chat(Client.request(), "authorization", "Bearer " + key);

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body())
                .isEqualTo(
                        "{\"error\":{\"message\":\"the API key is missing or not valid; send it as \\\"Authorization: "
                                + "Bearer <key>\\\"\",\"type\":\"authentication_error\",\"param\":null,\"code\":\"invalid_api_key\"}}");
        assertThat(answer.response().headers().map().keySet())
                .containsExactlyInAnyOrder(
                        "content-length",
                        "content-type",
                        "www-authenticate",
                        "x-request-id",
                        "x-should-retry",
                        "x-sluice-epoch");
        assertThat(calls()).isZero();
    }

    @Test
    void row36AndRl09TenThousandGuessesAreThrottledAndTheGenuineKeyIsNot() {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway guessed = TestGateway.start(TestConfig.pool(up))) {
            String guess = "GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer guess\r\n\r\n";
            List<Response> answers = RawExchange.send(
                            guessed.client(),
                            guess.repeat(999) + guess.replace("Host", "Connection: close\r\nHost"),
                            20_000)
                    .responses();
            Client.Answer genuine = guessed.client().chat(Client.request());

            assertThat(answers).hasSize(1_000);
            assertThat(answers.get(0).status()).isEqualTo(401);
            assertThat(answers.get(999).status()).isEqualTo(429);
            assertThat(answers.get(999).code()).isEqualTo("too_many_auth_failures");
            assertThat(answers.get(999).headers()).containsEntry("retry-after", "10");
            assertThat(answers.stream().filter(each -> each.status() == 401).count())
                    .isLessThanOrEqualTo(400);
            assertThat(genuine.status()).isEqualTo(200);
        }
    }

    @Test
    void rl09AWrongKeyIsRefusedBeforeItsBodyIsLookedAt() {
        RawExchange exchange = RawExchange.send(
                client,
                HEAD.replace("application/json", "text/plain") + "Authorization: Bearer wrong\r\n"
                        + "Content-Length: 99999999\r\n\r\n");

        assertThat(exchange.only().status()).isEqualTo(401);
        assertThat(exchange.closed()).isTrue();
    }

    @Test
    void rl09ACallerWithAWrongKeyThatStillSendsIsNotCutOff() throws IOException {
        boolean whole = false;
        for (int i = 0; i < 5 && !whole; i++) { // a busy machine may make the sender fall silent itself
            whole = refusedButHeard();
        }
        assertThat(whole).isTrue();
    }

    /** Sends for four times as long as a silent caller is waited for; false where the connection went before the end. */
    private static boolean refusedButHeard() throws IOException {
        int pieces = 80;
        String head = HEAD + "Authorization: Bearer wrong\r\nContent-Length: " + pieces + "\r\n\r\n";
        try (Socket socket = client.connect(5_000)) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            for (int i = 0; i < pieces; i++) {
                LockSupport.parkNanos(5_000_000);
                socket.getOutputStream().write('x');
            }
            return RawExchange.readFrom(socket).only().status() == 401;
        } catch (SocketException cut) {
            return false;
        }
    }

    @Test
    void row37AMegabyteOfAuthorization() {
        RawExchange exchange = authorized("Authorization: Bearer " + "a".repeat(1 << 20) + "\r\n");

        assertThat(exchange.only().status()).isEqualTo(431);
        assertThat(calls()).isZero();
    }

    @Test
    void row37AKeyIsNeverLogged() {
        ListAppender<ILoggingEvent> events = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger("io.sluice");
        events.start();
        root.addAppender(events);
        root.setLevel(Level.TRACE);
        try {
            authorized("Authorization: Bearer gw_live_canary-secret\r\n");
            authorized("Authorization: Bearer gw_live_canary-\u00e9\r\n");
            authorized("Authorization: gw_live_canary-secret\r\n");
        } finally {
            root.setLevel(null);
            root.detachAppender(events);
        }

        assertThat(text(events)).doesNotContain("canary");
    }

    private static String text(ListAppender<ILoggingEvent> events) {
        return events.list.stream()
                .map(each -> each.getFormattedMessage() + each.getKeyValuePairs() + each.getThrowableProxy())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void row38AModelOfAnotherTenantIsUnknown() {
        Client.Answer theirs = client.chat(Client.request().replace("auto", "t2-canary-pool"));
        Client.Answer none = client.chat(Client.request().replace("auto", "t2-nobody-pool"));

        assertThat(theirs.status()).isEqualTo(404);
        assertThat(theirs.code()).isEqualTo("model_not_found");
        assertThat(theirs.body().replace("canary", "nobody")).isEqualTo(none.body());
        assertThat(theirs.response().headers().map().keySet())
                .isEqualTo(none.response().headers().map().keySet());
        assertThat(calls()).isZero();
    }

    @Test
    void row38AScenarioOfAnotherTenantIsUnknown() {
        Client.Answer theirs = client.chat(Client.request(), "x-business-scenario", "t2-canary-scenario");
        Client.Answer none = client.chat(Client.request(), "x-business-scenario", "t2-nobody-scenario");

        assertThat(theirs.status()).isEqualTo(400);
        assertThat(theirs.code()).isEqualTo("unknown_scenario");
        assertThat(theirs.body().replace("canary", "nobody")).isEqualTo(none.body());
    }

    @Test
    void row38AndAt01ADecisionOfAnotherTenantIsUnknown() {
        Client.Answer own = client.chat(Client.request("\"user\":\"t1-canary\""));
        String id = own.header("x-request-id");
        Client.Answer mine = client.get("/v1/decisions/" + id);
        Client.Answer theirs = client.get("/v1/decisions/" + id, "authorization", "Bearer K2");
        Client.Answer none = client.get("/v1/decisions/" + "0".repeat(31) + "1", "authorization", "Bearer K2");

        assertThat(mine.status()).isEqualTo(200);
        assertThat(theirs.status()).isEqualTo(404);
        assertThat(theirs.code()).isEqualTo("not_found");
        assertThat(theirs.body()).isEqualTo(none.body());
    }

    @Test
    void row38ATraceIdTakenFromAnotherTenantShowsNothingOfIt() {
        String id = client.chat(Client.request()).header("x-request-id");
        Client.Answer same = client.chat(
                Client.request(),
                "authorization",
                "Bearer K2",
                "x-business-scenario",
                "t2-canary-scenario",
                "traceparent",
                "00-" + id + "-00f067aa0ba902b7-01");
        Client.Answer theirs = client.get("/v1/decisions/" + id, "authorization", "Bearer K2");
        Client.Answer mine = client.get("/v1/decisions/" + id);

        assertThat(same.header("x-request-id")).isEqualTo(id);
        assertThat(theirs.json().path("tenant").asText()).isEqualTo("T2");
        assertThat(mine.json().path("tenant").asText()).isEqualTo("T1");
    }

    @ParameterizedTest
    @CsvSource({
        "org/name:tag, 403, model_not_allowed",
        "auto, 403, model_not_allowed",
        "t2-canary-pool, 404, model_not_found",
        "nothing, 404, model_not_found",
        "m1, 200, ''"
    })
    void row39AKeyForOneModelMayNotAskForAnother(String model, int status, String code) {
        Client.Answer answer = client.chat(Client.request().replace("auto", model), "authorization", "Bearer KM");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
    }

    @Test
    void row39TheListHoldsWhatTheKeyMayAskFor() {
        Client.Answer all = client.get("/v1/models");
        Client.Answer one = client.get("/v1/models", "authorization", "Bearer KM");
        Client.Answer hidden = client.get("/v1/models/blind", "authorization", "Bearer KM");

        assertThat(all.json().path("data").findValuesAsText("id"))
                .containsExactly("auto", "blind", "m1", "org/name:tag");
        assertThat(one.json().path("data").findValuesAsText("id")).containsExactly("m1");
        assertThat(hidden.status()).isEqualTo(404);
        assertThat(hidden.code()).isEqualTo("model_not_found");
    }

    @Test
    void row39AKeyForOneScenarioMayNotUseAnother() {
        Client.Answer answer =
                client.chat(Client.request(), "authorization", "Bearer KS", "x-business-scenario", "audit");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.code()).isEqualTo("scenario_not_allowed");
        assertThat(answer.json().path("error").path("type").asText()).isEqualTo("permission_error");
        assertThat(answer.json().path("error").path("message").asText()).endsWith("it may use: chat");
        assertThat(calls()).isZero();
    }

    @Test
    void row40HeadersOfOpenAiThatNameAnotherTenantChangeNothing() {
        Client.Answer answer =
                client.chat(Client.request(), "openai-organization", "T2", "openai-project", "t2-canary-pool");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(gateway.decision(answer).tenant()).isEqualTo(TestConfig.T1);
        assertThat(other.requests()).noneMatch(each -> each.whole().contains("canary-pool"));
        assertThat(upstream.requests().get(upstream.requests().size() - 1).headers())
                .doesNotContainKeys("openai-organization", "openai-project");
    }

    @Test
    void at01AnOwnerFieldInTheBodyIsNoOwner() {
        Client.Answer answer = client.chat(Client.request(
                "\"tenant\":\"T2\"", "\"tenantId\":\"T2\"", "\"owner\":\"T2\"", "\"x_gw_tenant\":\"T2\""));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(gateway.decision(answer).tenant()).isEqualTo(TestConfig.T1);
    }

    @Test
    void at02ARevokedKeyIsRefusedFromTheNextEpochOn() {
        try (TestGateway changed = TestGateway.start(CaseConfig.tenants(upstream, other))) {
            assertThat(status(changed, "KD")).isEqualTo(200);
            changed.change(now -> with(
                    now,
                    TestConfig.T1,
                    tree -> tree.with(tree.keys().get("KD").revoked(Instant.EPOCH))
                            .with(TestConfig.key("KNEW"))));

            assertThat(status(changed, "KD")).isEqualTo(401);
            assertThat(status(changed, "KNEW")).isEqualTo(200);
        }
    }

    @Test
    void at02ASuspendedTenantsKeysAreRefusedFromTheNextEpochOn() {
        try (TestGateway changed = TestGateway.start(CaseConfig.tenants(upstream, other))) {
            changed.change(now -> with(now, TestConfig.T2, tree -> tree.with(suspended(tree, true))));
            int whileSuspended = status(changed, "K2");
            changed.change(now -> with(now, TestConfig.T2, tree -> tree.with(suspended(tree, false))));

            assertThat(whileSuspended).isEqualTo(403);
            assertThat(status(changed, "K2")).isEqualTo(400); // there again: its scenarios are not T1's
        }
    }

    private static int status(TestGateway gateway, String key) {
        return gateway.client()
                .chat(Client.request(), "authorization", "Bearer " + key)
                .status();
    }

    private static Configuration with(Configuration now, TenantId tenant, UnaryOperator<TenantTree> change) {
        return now.with(change.apply(now.tenants().get(tenant)));
    }

    private static TenantConfig suspended(TenantTree tree, boolean suspended) {
        TenantConfig was = tree.tenant();
        return new TenantConfig(
                was.id(), was.version() + 1, was.displayName(), was.timeZone(), was.currency(), suspended);
    }

    @Test
    void at02TheKeyOfASuspendedTenantIsDisabled() {
        Client.Answer chat = client.chat(Client.request(), "authorization", "Bearer K3");
        Client.Answer list = client.get("/v1/models", "authorization", "Bearer K3");

        assertThat(chat.status()).isEqualTo(403);
        assertThat(chat.code()).isEqualTo("key_disabled");
        assertThat(list.status()).isEqualTo(403);
        assertThat(calls()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void at06TheProvidersOwn401IsNeverShownAsTheCallers(boolean streamed) {
        String secret = "sk-live-abc123def456ghi789";
        ListAppender<ILoggingEvent> events = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger("io.sluice");
        events.start();
        log.addAppender(events);
        log.setLevel(Level.TRACE);
        try (ScriptedUpstream up = ScriptedUpstream.answering(
                        401,
                        "{\"error\":{\"message\":\"Incorrect API key provided: " + secret
                                + " at http://user:pw-secret@10.1.2.3:8000/v1/x (/srv/app/key.pem)\"}}",
                        "X-Leak: " + secret,
                        "WWW-Authenticate: Basic realm=\"" + secret + "\"");
                TestGateway refused = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer answer = refused.client().chat(streamed ? Client.streamed() : Client.request());
            String decision = refused.client()
                    .get("/v1/decisions/" + answer.header("x-request-id"))
                    .body();
            String detail = refused.decision(answer).attempts().get(0).detail();

            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.code()).isEqualTo("upstream_failed");
            assertThat(answer.header("www-authenticate")).isNull();
            String seen = answer.body()
                    + answer.response().headers().map()
                    + decision
                    + detail
                    + refused.scrape()
                    + text(events);
            assertThat(seen).doesNotContain("abc123", "pw-secret", "sk-upstream-secret");
            assertThat(answer.body() + answer.response().headers().map() + decision)
                    .doesNotContain("10.1.2.3", "key.pem", "127.0.0.1", Integer.toString(up.port()));
        } finally {
            log.setLevel(null);
            log.detachAppender(events);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void at06AnUpstreamThatIsNotThereIsNotNamed(boolean streamed) {
        ScriptedUpstream gone = ScriptedUpstream.answering(200, "{}");
        int port = gone.port();
        gone.close();
        try (TestGateway refused = TestGateway.start(TestConfig.pool(gone))) {
            Client.Answer answer = refused.client().chat(streamed ? Client.streamed() : Client.request());

            assertThat(answer.status()).isEqualTo(502);
            String decision = refused.client()
                    .get("/v1/decisions/" + answer.header("x-request-id"))
                    .body();
            assertThat(answer.body() + answer.response().headers().map() + decision)
                    .doesNotContain("127.0.0.1", "localhost", Integer.toString(port), "xception", "onnection refused");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 422})
    void at06TheProvidersWordsAboutABadRequestComeWithoutSecrets(int status) {
        try (ScriptedUpstream up = ScriptedUpstream.answering(
                        status,
                        "{\"error\":{\"message\":\"bad value; key sk-live-abc123def456ghi789, Bearer eyJabc.def.ghi, host "
                                + "http://user:pw-secret@10.1.2.3:8000/v1/x\",\"type\":\"invalid_request_error\"}}");
                TestGateway refused = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer answer = refused.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).contains("bad value");
            assertThat(answer.body()).doesNotContain("abc123", "eyJabc", "pw-secret", "10.1.2.3");
        }
    }

    /** Of a kind that no pattern knows for a key. */
    private static final String CREDENTIAL = "hunter2-pass";

    private static String signed(String how) {
        return "{\"error\":{\"message\":\"Invalid param; request was signed with " + how
                + "\",\"type\":\"invalid_request_error\"}}";
    }

    private static TestGateway withCredential(ScriptedUpstream up) {
        return TestGateway.start(
                TestConfig.pool(up),
                new TestGateway.Options().credentials(provider -> Optional.of(new Secret(CREDENTIAL))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                CREDENTIAL,
                "Authorization: Bearer " + CREDENTIAL,
                "HUNTER2-PASS",
                "Basic Omh1bnRlcjItcGFzcw==",
                "\\u0068unter2-pass"
            })
    void at06TheCredentialOfTheCallReachesNobody(String how) throws Exception {
        ListAppender<ILoggingEvent> events = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger("io.sluice");
        events.start();
        log.addAppender(events);
        log.setLevel(Level.TRACE);
        try (ScriptedUpstream up = ScriptedUpstream.answering(400, signed(how));
                TestGateway refused = withCredential(up)) {
            Client.Answer whole = refused.client().chat(Client.request());
            Client.Answer unbegun = refused.client().chat(Client.streamed());
            LadderChecked checked = refused.bus()
                    .request(
                            Address.ladderChecks("node-test"),
                            new CheckLadder(TestConfig.T1, "chat", "ok?", 10_000),
                            LadderChecked.class,
                            Duration.ofSeconds(20))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            up.play((request, wire) -> wire.stream()
                    .chunk(Sse.c("a") + "data: " + signed(how) + "\n\n")
                    .end());
            Client.Answer begun = refused.client().chat(Client.streamed());

            assertThat(whole.body()).contains("Invalid param; request was signed with");
            assertThat(begun.body()).contains("Invalid param; request was signed with");
            assertThat(checked.rungs().get(0).detail()).contains("Invalid param");
            String decisions = "";
            for (Client.Answer answer : new Client.Answer[] {whole, unbegun, begun}) {
                decisions += refused.client()
                        .get("/v1/decisions/" + answer.header("x-request-id"))
                        .body();
                decisions += refused.decision(answer).attempts().get(0).detail();
            }
            assertThat(whole.body() + unbegun.body() + begun.body() + decisions + checked + text(events))
                    .doesNotContainIgnoringCase("hunter2")
                    .doesNotContain("h1bnRlcjItcGFzc", "\\u0068unter2");
        } finally {
            log.setLevel(null);
            log.detachAppender(events);
        }
    }
}
