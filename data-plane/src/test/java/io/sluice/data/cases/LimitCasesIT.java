package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.limit.LimitSettings;
import io.sluice.data.request.PipelineSettings;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.limit.LimitKind;
import java.net.Socket;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows RL01 to RL09 of the case list, and limits at every level. The clock of rates stands still unless a case moves it. */
class LimitCasesIT {
    private final AtomicLong clockMs = new AtomicLong(1_000_000);
    private final ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("hello", 60, 35));
    private TestGateway gateway;

    @AfterEach
    void close() {
        if (gateway != null) {
            gateway.close();
        }
        up.close();
    }

    private static LimitsConfig limits(Integer requests, Integer tokens, Integer running) {
        return new LimitsConfig(requests, tokens, running);
    }

    private static LimitsConfig requests(int limit) {
        return limits(limit, null, null);
    }

    private static LimitsConfig tokens(int limit) {
        return limits(null, limit, null);
    }

    private void start(UnaryOperator<TenantTree> change) {
        gateway = TestGateway.start(changed(change), options());
    }

    private Configuration changed(UnaryOperator<TenantTree> change) {
        Configuration configuration = TestConfig.pool(up);
        return configuration.with(change.apply(configuration.tenants().get(TestConfig.T1)));
    }

    private TestGateway.Options options() {
        return new TestGateway.Options().limitClock(clockMs::get).breaker(Ends.NEVER);
    }

    private static ApiKeyConfig key(String id, String app, LimitsConfig limits) {
        return new ApiKeyConfig(
                id, app, "00".repeat(32), id, null, null, null, Instant.EPOCH, null, null, null, limits);
    }

    private static UnaryOperator<TenantTree> keyLimits(LimitsConfig limits) {
        return tree -> tree.with(key("K1", "app", limits));
    }

    private static TenantTree tenantLimits(TenantTree tree, LimitsConfig limits, LimitsConfig endUsers) {
        TenantConfig now = tree.tenant();
        return tree.with(new TenantConfig(
                now.id(),
                now.version(),
                now.displayName(),
                now.timeZone(),
                now.currency(),
                false,
                now.calendar(),
                limits,
                endUsers));
    }

    private static TenantTree scenarioLimits(TenantTree tree, String name, LimitsConfig limits) {
        ScenarioConfig chat = tree.scenarios().get("chat");
        return tree.with(new ScenarioConfig(
                name,
                1,
                chat.sensitivity(),
                chat.kind(),
                true,
                chat.deadline(),
                chat.firstTokenTimeout(),
                chat.ladder(),
                chat.settings(),
                limits));
    }

    private Client.Answer ask(String... headers) {
        return gateway.client().chat(Client.request("\"max_tokens\":30"), headers);
    }

    private static List<Integer> statuses(List<Client.Answer> answers) {
        return answers.stream().map(Client.Answer::status).toList();
    }

    private void nothingRuns() {
        TestGateway.eventually("nothing runs", () -> gateway.metric("sluice_requests_running") == 0);
    }

    @Test
    void rl01ARequestThatIsRefusedForConcurrencyUsesNoRequest() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        up.play((request, wire) -> {
            go.await(20, TimeUnit.SECONDS);
            wire.json(200, Sse.whole("hello", 10, 5));
        });
        start(keyLimits(limits(2, null, 1)));
        try (Socket running = Ends.send(gateway, Client.request())) {
            TestGateway.eventually("the first runs", () -> up.requests().size() == 1);

            Client.Answer refused = ask();
            go.countDown();
            Ends.readUntil(running, "hello");
            nothingRuns();

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.code()).isEqualTo("rate_limited");
            assertThat(refused.header("retry-after")).isEqualTo("1");
            assertThat(refused.body()).contains("1 request at once of this API key");
            assertThat(ask().status()).isEqualTo(200);
            assertThat(ask().status()).isEqualTo(429);
        }
    }

    @Test
    void rl03RequestsAndTokensHaveWindowsOfTheirOwn() {
        start(keyLimits(limits(500, 100, null)));
        for (int minute = 0; minute < 3; minute++) {
            assertThat(ask().status()).as("minute %d", minute).isEqualTo(200);
            nothingRuns();
            assertThat(ask().status()).as("minute %d again", minute).isEqualTo(429);
            clockMs.addAndGet(61_000);
        }
    }

    @Test
    void rl04TwoLevelsWithTheSameLimitCountOnceEach() {
        start(tree -> scenarioLimits(tenantLimits(tree, requests(2), null), "chat", requests(2)));

        Client.Answer first = ask();
        Client.Answer second = ask();
        Client.Answer third = ask();

        assertThat(statuses(List.of(first, second, third))).containsExactly(200, 200, 429);
        assertThat(first.header("x-ratelimit-remaining-requests")).isEqualTo("1");
        assertThat(second.header("x-ratelimit-remaining-requests")).isEqualTo("0");
        assertThat(third.header("x-ratelimit-remaining-requests")).isEqualTo("0");
    }

    @Test
    void rl05RequestsWithoutCountableTextReserveTheirAnswers() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        up.play((request, wire) -> {
            go.await(20, TimeUnit.SECONDS);
            wire.json(200, Sse.whole("hello", 1, 499));
        });
        start(keyLimits(tokens(1_100)));
        AtomicInteger ended = new AtomicInteger();
        String body = "{\"model\":\"auto\",\"max_tokens\":500,\"messages\":[{\"role\":\"user\",\"content\":\"\"}]}";

        List<Integer> statuses = Ends.parallel(50, 50, () -> {
            int status = gateway.client().chat(body).status();
            if (ended.incrementAndGet() == 48) {
                go.countDown();
            }
            return status;
        });

        assertThat(statuses).filteredOn(status -> status == 200).hasSize(2);
        assertThat(statuses).filteredOn(status -> status == 429).hasSize(48);
        assertThat(up.requests()).hasSize(2);
    }

    @Test
    void rl07ARefusalNamesItsLimitAndHasHeadersOnlyOfLimitsThatAreSet() {
        start(keyLimits(requests(1)));
        clockMs.addAndGet(15_000);
        ask();
        clockMs.addAndGet(1_500);

        Client.Answer refused = ask();

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("content-type")).isEqualTo("application/json");
        assertThat(refused.json().path("error").path("type").asText()).isEqualTo("rate_limit_error");
        assertThat(refused.body()).contains("the limit of 1 request a minute of this API key is reached");
        assertThat(refused.header("retry-after")).isEqualTo("60");
        assertThat(refused.header("x-should-retry")).isNull();
        assertThat(refused.header("x-ratelimit-limit-requests")).isEqualTo("1");
        assertThat(refused.header("x-ratelimit-remaining-requests")).isEqualTo("0");
        assertThat(refused.header("x-ratelimit-reset-requests")).isEqualTo("59.5s");
        assertThat(refused.header("x-ratelimit-limit-tokens")).isNull();
        assertThat(refused.header("x-ratelimit-remaining-tokens")).isNull();
        assertThat(refused.header("x-ratelimit-reset-tokens")).isNull();
        assertThat(refused.header("x-sluice-attempts")).isEqualTo("0");
        assertThat(gateway.metric("sluice_limited_total{kind=\"requests\",level=\"key\""))
                .isEqualTo(1);
    }

    @Test
    void rl08AnAbsentLimitIsNoneAndTwoRulesShareNoCounter() {
        start(tree -> scenarioLimits(scenarioLimits(tree, "chat", limits(5, null, null)), "other", requests(5)));

        for (int i = 0; i < 5; i++) {
            assertThat(ask().status()).isEqualTo(200);
        }

        assertThat(ask().status()).isEqualTo(429);
        assertThat(ask("x-business-scenario", "other").status()).isEqualTo(200);
    }

    @Test
    void rl09RequestsThatAreMalformedCountForAKnownKey() {
        start(keyLimits(requests(20)));
        int malformed = 0;
        for (int i = 0; i < 10; i++) {
            malformed += gateway.client().chat("{\"model\":").status() == 400 ? 1 : 0;
            malformed += ask("x-business-scenario", "none").status() == 400 ? 1 : 0;
        }

        assertThat(malformed).isEqualTo(20);
        assertThat(gateway.client().chat("{\"model\":").status()).isEqualTo(429);
        assertThat(gateway.client()
                        .chat(Client.request().replace("auto", "unknown-model"))
                        .code())
                .isEqualTo("rate_limited");
        assertThat(ask().status()).isEqualTo(429);
        clockMs.addAndGet(61_000);
        assertThat(gateway.client().chat("{\"model\":").status()).isEqualTo(400);
    }

    @Test
    void rl09ABodyThatIsTooLargeCountsAndItsConnectionIsClosed() {
        gateway = TestGateway.start(
                changed(keyLimits(requests(1))), options().pipeline(new PipelineSettings(2_000, 5_000, 5_000)));
        String large = Client.request("\"x\":\"" + "x".repeat(3_000) + "\"");

        assertThat(gateway.client().chat(large).status()).isEqualTo(413);
        Client.Answer refused = gateway.client().chat(large);

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("connection")).isEqualTo("close");
    }

    @Test
    void show7FiveTimes133TokensDoNotFit100() throws Exception {
        start(keyLimits(tokens(100)));
        String body = Client.request("\"max_tokens\":132");

        List<Client.Answer> answers = Ends.parallel(5, 5, () -> gateway.client().chat(body));

        assertThat(statuses(answers)).containsOnly(429);
        assertThat(answers.get(0).header("x-should-retry")).isEqualTo("false");
        assertThat(answers.get(0).header("retry-after")).isNull();
        assertThat(answers.get(0).body()).contains("waiting does not help");
        assertThat(up.requests()).isEmpty();
        assertThat(ask().status()).isEqualTo(200);
    }

    /** Nobody says how long the answers may be, and each has 133 tokens: the first takes the whole limit until it is known. */
    @Test
    void show7AnswersOfUnknownLengthAreAdmittedOneByOne() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        up.play((request, wire) -> {
            go.await(20, TimeUnit.SECONDS);
            wire.json(200, Sse.whole("hello", 33, 100));
        });
        start(keyLimits(tokens(100)));
        AtomicInteger ended = new AtomicInteger();

        List<Integer> statuses = Ends.parallel(5, 5, () -> {
            int status = gateway.client().chat(Client.request()).status();
            if (ended.incrementAndGet() == 4) {
                go.countDown();
            }
            return status;
        });
        nothingRuns();

        assertThat(statuses).containsOnlyOnce(200);
        clockMs.addAndGet(59_000);
        assertThat(ask().status()).isEqualTo(429);
        clockMs.addAndGet(2_000);
        assertThat(ask().status()).isEqualTo(200);
    }

    @Test
    void tokensAreSettledToThoseThatWereUsed() {
        start(keyLimits(tokens(1_000)));

        Client.Answer first = gateway.client().chat(Client.request("\"max_tokens\":900"));
        nothingRuns();
        Client.Answer second = gateway.client().chat(Client.request("\"max_tokens\":800"));

        assertThat(Integer.parseInt(first.header("x-ratelimit-remaining-tokens")))
                .isLessThan(100);
        assertThat(second.status()).isEqualTo(200);
        nothingRuns();
        DecisionRecord record = gateway.decision(second);
        assertThat(record.limits().tokensUsed()).isEqualTo(95);
        assertThat(record.limits().input().facts().get(0).used()).isEqualTo(95);
        assertThat(DecisionReplay.differences(record)).isEmpty();
    }

    @Test
    void aRequestWithoutALimitHasNoHeadersOfLimits() {
        start(tree -> tree);

        Client.Answer answer = ask();

        assertThat(answer.response().headers().map().keySet()).noneMatch(name -> name.startsWith("x-ratelimit"));
        assertThat(gateway.decision(answer).limits()).isNull();
    }

    @Test
    void everyEndUserOfATenantHasALimitOfItsOwn() {
        start(tree -> tenantLimits(tree, null, requests(1)));

        assertThat(ask("x-end-user", "ann").status()).isEqualTo(200);
        assertThat(ask("x-end-user", "bob").status()).isEqualTo(200);
        assertThat(gateway.client().chat(Client.request("\"user\":\"ann\"")).body())
                .contains("of this end user is reached");
        assertThat(ask().status()).isEqualTo(200);
        assertThat(ask().status()).isEqualTo(200);
    }

    @Test
    void anAppLimitsAllItsKeysAndItsEndUsers() {
        start(tree -> tree.with(new AppConfig("app", null, requests(3), requests(2)))
                .with(key("K9", "app", null))
                .with(new AppConfig("free", null))
                .with(key("KF", "free", null)));

        assertThat(ask("x-end-user", "ann").status()).isEqualTo(200);
        assertThat(ask("x-end-user", "ann", "authorization", "Bearer K9").status())
                .isEqualTo(200);
        assertThat(ask("x-end-user", "ann").body()).contains("of this end user of the app is reached");
        assertThat(ask("authorization", "Bearer K9").status()).isEqualTo(200);
        assertThat(ask().body()).contains("of the app \\\"app\\\" is reached");
        assertThat(ask("x-end-user", "ann", "authorization", "Bearer KF").status())
                .isEqualTo(200);
    }

    @Test
    void anEndUserOfEndlessNameIsRefused() {
        start(tree -> tree);

        Client.Answer answer = ask("x-end-user", "x".repeat(257));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("error").path("param").asText()).isEqualTo("X-End-User");
    }

    @Test
    void aLimitThatIsLoweredHoldsFromTheNextRequestOn() {
        start(tree -> tenantLimits(tree, requests(100), null));
        ask();
        ask();

        gateway.change(configuration ->
                configuration.with(tenantLimits(configuration.tenants().get(TestConfig.T1), requests(2), null)));

        assertThat(ask().status()).isEqualTo(429);
    }

    @Test
    void endUsersOfOneTenantDoNotDisplaceThoseOfAnother() {
        gateway = TestGateway.start(
                changed(tree -> tenantLimits(tree, null, requests(1))),
                options().limits(new LimitSettings(5, 0.75)));
        assertThat(ask("x-end-user", "ann").status()).isEqualTo(200);
        for (int i = 0; i < 50; i++) {
            ask("x-end-user", "crowd" + i, "authorization", "Bearer K2");
        }

        assertThat(ask("x-end-user", "ann").status()).isEqualTo(429);
    }

    /** A caller of each kind in turn: answered, left before the answer or within it, failed upstream, cut stream, out of time. */
    @Test
    void show7AfterAThousandMixedEndsNothingRuns() throws Exception {
        up.play((request, wire) -> {
            String body = request.body();
            if (body.contains("fail")) {
                wire.json(500, "{}");
            } else if (body.contains("silent")) {
                request.clientLeftWithin(20_000);
            } else if (body.contains("cut")) {
                wire.stream().chunk(Sse.c("he")).close();
            } else if (body.contains("\"stream\":true")) {
                wire.stream();
                for (int i = 0; i < 3; i++) {
                    wire.chunk(Sse.c("word"));
                }
                wire.chunk(Sse.fin("stop") + Sse.use(5, 3) + Sse.DONE).end();
            } else {
                wire.json(200, Sse.whole("hello", 5, 3));
            }
        });
        LimitsConfig many = limits(1_000_000, 100_000_000, 64);
        gateway = TestGateway.start(
                changed(tree -> scenarioLimits(
                        tenantLimits(tree.with(key("K1", "app", many)), many, many)
                                .with(new AppConfig("app", null, many, many)),
                        "chat",
                        many)),
                options());
        AtomicInteger number = new AtomicInteger();

        Ends.parallel(16, 1_000, () -> mixed(number.getAndIncrement()));
        Ends.nothingIsHeld(gateway, 64, up);

        Client.Answer last = ask("x-end-user", "ann");
        assertThat(last.status()).isEqualTo(200);
        assertThat(gateway.decision(last).limits().input().facts())
                .filteredOn(facts -> facts.kind() == LimitKind.CONCURRENCY)
                .as("the one of six limits of 64 places each that has the least room")
                .singleElement()
                .satisfies(facts -> assertThat(facts.used()).isZero());
    }

    private int mixed(int number) throws Exception {
        return switch (number % 8) {
            case 0 -> ask("x-end-user", "ann").status();
            case 1 ->
                gateway.client().chat(Client.streamed(), "x-end-user", "ann").status();
            case 2 -> gateway.client().chat(prompt("fail")).status();
            case 3 ->
                gateway.client().chat(prompt("silent"), "x-deadline-ms", "60").status();
            case 4 ->
                gateway.client()
                        .chat(prompt("cut").replace("{\"model", "{\"stream\":true,\"model"))
                        .status();
            case 5 -> leave(prompt("silent"));
            case 6 -> leave(Client.streamed());
            default -> gateway.client().chat("{").status();
        };
    }

    private static String prompt(String text) {
        return Client.request().replace("hi", text);
    }

    private int leave(String body) throws Exception {
        try (Socket socket = Ends.send(gateway, body, "X-End-User: ann")) {
            Ends.reset(socket);
        }
        return 0;
    }
}
