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
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultDecider;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.fault.FaultOdds;
import io.sluice.tenants.money.Money;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requirement H6 over real HTTP: a fault rule of a tenant makes calls of any provider fail as real ones do. */
class FaultRuleIT {
    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");
    private static final String WELL = Sse.whole("hello", 26, 5);

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "RATE_LIMIT,RATE_LIMITED,429",
        "QUOTA,QUOTA_EXHAUSTED,429",
        "INTERNAL_ERROR,UPSTREAM_INTERNAL,500",
        "UNAVAILABLE,OVERLOADED,503",
        "OVERLOADED,OVERLOADED,529",
        "OUT_OF_MEMORY,OUT_OF_MEMORY,500",
        "UNAUTHORIZED,AUTH,401",
        "REFUSED,NETWORK,0",
        "RESET,NETWORK,0",
        "HTML,UPSTREAM_INTERNAL,200",
        "EMPTY,SEMANTIC,200",
    })
    void aFaultThatStandsInForTheProviderIsClassedAsARealOneAndCostsNothing(
            FaultKind kind, FailureClass failure, int status) {
        for (String body : List.of(Client.request(), Client.streamed())) {
            try (ScriptedUpstream first = well();
                    ScriptedUpstream second = well();
                    TestGateway gateway = start(TestConfig.chain(first, second), onUp1(Fault.of(kind)))) {
                Client.Answer answer = gateway.client().chat(body);

                AttemptRecord struck = faultAnsweredByTheNextRung(gateway, answer, kind);
                assertThat(struck.failure()).isEqualTo(failure);
                assertThat(struck.upstreamStatus()).isEqualTo(status);
                assertThat(struck.cost()).isEqualTo(Money.ZERO);
                assertThat(first.requests()).isEmpty();
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "CUT,NETWORK",
        "TRUNCATED,UPSTREAM_INTERNAL",
        "BAD_JSON,UPSTREAM_INTERNAL",
        "ERROR_IN_STREAM,NETWORK",
    })
    void aBrokenWholeAnswerIsClassedAsARealOne(FaultKind kind, FailureClass failure) {
        try (ScriptedUpstream first = well();
                ScriptedUpstream second = well();
                TestGateway gateway = start(TestConfig.chain(first, second), onUp1(Fault.of(kind)))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(faultAnsweredByTheNextRung(gateway, answer, kind).failure())
                    .isEqualTo(failure);
            assertThat(first.requests()).isNotEmpty();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "CUT,NETWORK",
        "TRUNCATED,UPSTREAM_INTERNAL",
        "BAD_JSON,UPSTREAM_INTERNAL",
        "ERROR_IN_STREAM,NETWORK",
        "HANG,TIMEOUT_TOTAL",
    })
    void aStreamThatBreaksAfterAnEventIsToldAndChargedForWhatCame(FaultKind kind, FailureClass failure) {
        try (ScriptedUpstream first = ScriptedUpstream.streaming(c("he"), c("llo"), fin("stop"), use(26, 5), DONE);
                ScriptedUpstream second = well();
                TestGateway gateway = start(TestConfig.chain(first, second), onUp1(new Fault(kind, 0, 0, 1)))) {
            Client.Answer answer = gateway.client().chat(Client.streamed());

            assertThat(answer.text()).isEqualTo("he");
            assertThat(answer.done()).isFalse();
            assertThat(answer.body()).contains("\"error\"");
            DecisionRecord record = gateway.decision(answer);
            assertThat(record.outcome()).isEqualTo("incomplete");
            AttemptRecord struck = record.attempts().get(0);
            assertThat(struck.failure()).isEqualTo(failure);
            assertThat(struck.struckBy()).isEqualTo("rule");
            assertThat(struck.usage().estimated()).isTrue();
            assertThat(struck.cost()).isNotEqualTo(Money.ZERO);
            assertThat(answer.header("x-sluice-fault")).isEqualTo("rule");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"CUT,NETWORK", "TRUNCATED,UPSTREAM_INTERNAL", "BAD_JSON,UPSTREAM_INTERNAL", "ERROR_IN_STREAM,NETWORK"})
    void aStreamThatBreaksBeforeItsFirstEventIsInvisible(FaultKind kind, FailureClass failure) {
        try (ScriptedUpstream first = ScriptedUpstream.streaming(c("he"), c("llo"), fin("stop"), DONE);
                ScriptedUpstream second = ScriptedUpstream.streaming(c("well"), fin("stop"), DONE);
                TestGateway gateway = start(TestConfig.chain(first, second), onUp1(new Fault(kind, 0, 0, 0)))) {
            Client.Answer answer = gateway.client().chat(Client.streamed());

            assertThat(answer.text()).isEqualTo("well");
            assertThat(answer.done()).isTrue();
            assertThat(faultAnsweredByTheNextRung(gateway, answer, kind).failure())
                    .isEqualTo(failure);
        }
    }

    @Test
    void silenceRunsIntoTheFirstTokensTimeAndTheNextRungAnswers() {
        try (ScriptedUpstream first = well();
                ScriptedUpstream second = ScriptedUpstream.streaming(c("well"), fin("stop"), DONE);
                TestGateway gateway = start(TestConfig.chain(first, second), onUp1(Fault.of(FaultKind.HANG)))) {
            Client.Answer answer = gateway.client().chat(Client.streamed());

            AttemptRecord struck = faultAnsweredByTheNextRung(gateway, answer, FaultKind.HANG);
            assertThat(struck.failure()).isEqualTo(FailureClass.TIMEOUT_FIRST_TOKEN);
            assertThat(struck.cost()).isEqualTo(Money.ZERO);
            assertThat(first.requests()).isEmpty();
        }
    }

    @Test
    void aSlowFirstTokenDelaysTheRealAnswerWhichIsCharged() {
        Fault slow = new Fault(FaultKind.SLOW, 0, 150, -1);
        for (String body : List.of(Client.request(), Client.streamed())) {
            try (ScriptedUpstream up = well();
                    TestGateway gateway = start(TestConfig.pool(up), onUp1(slow))) {
                Client.Answer answer = gateway.client().chat(body);

                AttemptRecord struck = gateway.decision(answer).attempts().get(0);
                assertThat(answer.status()).isEqualTo(200);
                assertThat(struck.failure()).isNull();
                assertThat(struck.firstTokenMs()).isGreaterThanOrEqualTo(150);
                assertThat(struck.cost()).hasToString("0.000036");
                assertThat(up.requests()).hasSize(1);
                assertThat(answer.header("x-sluice-fault")).isEqualTo("rule");
            }
        }
    }

    @Test
    void aFirstTokenThatIsTooSlowFailsOverAsInReality() {
        Fault slow = new Fault(FaultKind.SLOW, 0, 60_000, -1);
        try (ScriptedUpstream first = ScriptedUpstream.streaming(c("late"), fin("stop"), DONE);
                ScriptedUpstream second = ScriptedUpstream.streaming(c("well"), fin("stop"), DONE);
                TestGateway gateway = start(TestConfig.chain(first, second), onUp1(slow))) {
            Client.Answer answer = gateway.client().chat(Client.streamed());

            assertThat(faultAnsweredByTheNextRung(gateway, answer, FaultKind.SLOW)
                            .failure())
                    .isEqualTo(FailureClass.TIMEOUT_FIRST_TOKEN);
            assertThat(answer.text()).isEqualTo("well");
        }
    }

    @Test
    void aSlowBodyDelaysEachEventAndLosesNone() {
        Fault slow = new Fault(FaultKind.SLOW_BODY, 0, 50, -1);
        try (ScriptedUpstream up = ScriptedUpstream.streaming(c("he") + c("llo") + fin("stop") + use(26, 5) + DONE);
                TestGateway gateway = start(TestConfig.pool(up), onUp1(slow))) {
            Client.Answer answer = gateway.client().chat(Client.streamed());

            AttemptRecord struck = gateway.decision(answer).attempts().get(0);
            assertThat(answer.text()).isEqualTo("hello");
            assertThat(answer.done()).isTrue();
            assertThat(struck.totalMs() - struck.firstTokenMs()).isGreaterThanOrEqualTo(100);
            assertThat(struck.cost()).hasToString("0.000036");
        }
    }

    @ParameterizedTest
    @CsvSource({"WRONG_USAGE", "NO_USAGE"})
    void usageThatCanNotBeTrueIsCountedBySluiceItself(FaultKind kind) {
        for (String body : List.of(Client.request(), Client.streamed())) {
            try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                        if (request.body().contains("\"stream\":true")) {
                            wire.stream()
                                    .chunk(c("hello") + fin("stop") + use(260, 50) + DONE)
                                    .end();
                        } else {
                            wire.json(200, Sse.whole("hello", 260, 50));
                        }
                    });
                    TestGateway gateway = start(TestConfig.pool(up), onUp1(Fault.of(kind)))) {
                Client.Answer answer = gateway.client().chat(body);

                AttemptRecord struck = gateway.decision(answer).attempts().get(0);
                assertThat(struck.failure()).isNull();
                assertThat(struck.usage().estimated()).isTrue();
                assertThat(struck.usage().output()).isLessThan(50);
            }
        }
    }

    @Test
    void aRateLimitSaysWhenToComeBack() {
        Fault limited = new Fault(FaultKind.RATE_LIMIT, 7_000, 0, -1);
        try (ScriptedUpstream up = well();
                TestGateway gateway = start(TestConfig.pool(up), onUp1(limited))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.code()).isEqualTo("no_healthy_target");
            assertThat(answer.header("retry-after")).isEqualTo("7");
            assertThat(answer.header("x-sluice-fault")).isEqualTo("rule");
        }
    }

    @Test
    void whatTheProviderRefusesIsTheCallersAndNoOtherTargetIsAsked() {
        for (FaultKind kind : List.of(FaultKind.BAD_REQUEST, FaultKind.CONTENT_FILTER, FaultKind.CONTEXT_LENGTH)) {
            try (ScriptedUpstream first = well();
                    ScriptedUpstream second = well();
                    TestGateway gateway = start(TestConfig.chain(first, second), onUp1(Fault.of(kind)))) {
                Client.Answer answer = gateway.client().chat(Client.request());

                assertThat(answer.status()).isEqualTo(400);
                assertThat(second.requests()).isEmpty();
            }
        }
    }

    @Test
    void consecutiveFaultsOpenTheBreakerOfTheTenantsOwnTarget() {
        try (ScriptedUpstream first = well();
                ScriptedUpstream second = well();
                TestGateway gateway =
                        start(TestConfig.chain(first, second), onUp1(Fault.of(FaultKind.OUT_OF_MEMORY)))) {
            gateway.client().chat(Client.request());

            TestGateway.eventually(
                    "the breaker is open",
                    () -> "1".equals(gateway.client().chat(Client.request()).header("x-sluice-attempts")));
        }
    }

    @Test
    void otherScenariosAreUntouched() {
        FaultRuleConfig rule = rule("rule", "other", null, Fault.of(FaultKind.RESET), 1, LATER);
        try (ScriptedUpstream up = well();
                TestGateway gateway = start(TestConfig.pool(up), rule)) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("x-sluice-fault")).isNull();
            assertThat(gateway.decision(answer).attempts().get(0).fault()).isNull();
        }
    }

    @Test
    void otherTenantsOfASharedPoolAreUntouchedAndKeepTheTarget() {
        try (ScriptedUpstream up = well();
                TestGateway gateway = start(shared(up), onUp1(Fault.of(FaultKind.OUT_OF_MEMORY)))) {
            for (int i = 0; i < 12; i++) {
                assertThat(gateway.client().chat(Client.request()).header("x-sluice-fault"))
                        .isEqualTo("rule");
            }
            Client.Answer other = gateway.client().chat(Client.request(), "authorization", "Bearer K2");

            assertThat(other.status()).as(other.body()).isEqualTo(200);
            assertThat(other.header("x-sluice-fault")).isNull();
        }
    }

    @Test
    void callsOfASharedPoolThatAreNeverMadeTakeNoPermitFromOtherTenants() throws Exception {
        try (ScriptedUpstream up = well();
                TestGateway gateway = start(shared(up), onUp1(Fault.of(FaultKind.HANG)));
                Socket hanging = gateway.client().connect(30_000)) {
            Client.write(hanging, Client.rawChat(Client.streamed()).getBytes(StandardCharsets.UTF_8));
            TestGateway.eventually("the first request runs", () -> gateway.metric("sluice_requests_running") == 1);
            Client.Answer other = gateway.client().chat(Client.request(), "authorization", "Bearer K2");

            assertThat(other.status()).as(other.body()).isEqualTo(200);
        }
    }

    @Test
    void theShareOfTraceIdsIsTheDecidersAndTheRecordCanBeMadeAgain() {
        FaultRuleConfig rule = rule("half", null, "up1", Fault.of(FaultKind.INTERNAL_ERROR), 0.5, LATER);
        try (ScriptedUpstream first = well();
                ScriptedUpstream second = well();
                TestGateway gateway = start(TestConfig.chain(first, second), rule)) {
            for (int i = 1; i <= 20; i++) {
                String trace = String.format("%032x", i);
                Client.Answer answer =
                        gateway.client().chat(Client.request(), "traceparent", "00-" + trace + "-00f067aa0ba902b7-01");

                boolean expected = FaultDecider.struck(List.of(new FaultOdds("half", 0.5)), trace, 1) != null;
                assertThat(answer.header("x-sluice-fault") != null)
                        .as("trace %s", trace)
                        .isEqualTo(expected);
                assertThat(DecisionReplay.differences(gateway.decision(answer))).isEmpty();
            }
        }
    }

    @Test
    void aRuleIsSeenWithTheNextEpochAndIsOverByItselfWithoutAnother() {
        try (ScriptedUpstream up = well();
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            FaultRuleConfig rule = rule(
                    "short",
                    null,
                    null,
                    new Fault(FaultKind.SLOW, 0, 1, -1),
                    1,
                    Instant.now().plusSeconds(3));
            gateway.change(configuration -> with(configuration, rule));
            assertThat(gateway.client().chat(Client.request()).header("x-sluice-fault"))
                    .isEqualTo("short");

            TestGateway.eventually(
                    "the rule is over",
                    () -> gateway.client().chat(Client.request()).header("x-sluice-fault") == null);
            assertThat(gateway.client().chat(Client.request()).header("x-sluice-epoch"))
                    .isEqualTo("2");
        }
    }

    /** The first attempt met the fault; the caller got the second rung's answer and sees why. */
    private static AttemptRecord faultAnsweredByTheNextRung(TestGateway gateway, Client.Answer answer, FaultKind kind) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("x-sluice-step")).isEqualTo("rung2");
        assertThat(answer.header("x-sluice-fault")).isEqualTo("rule");
        DecisionRecord record = gateway.decision(answer);
        assertThat(DecisionReplay.differences(record)).isEmpty();
        long struck = record.attempts().stream()
                .filter(attempt -> attempt.struckBy() != null)
                .count();
        assertThat(gateway.metric("sluice_faults_injected_total{kind=\"" + kind.word() + "\"}"))
                .isEqualTo((double) struck);
        AttemptRecord first = record.attempts().get(0);
        assertThat(first.struckBy()).isEqualTo("rule");
        assertThat(first.fault().kind()).isEqualTo(kind);
        return first;
    }

    private static ScriptedUpstream well() {
        return ScriptedUpstream.answering(200, WELL);
    }

    private static TestGateway start(Configuration configuration, FaultRuleConfig rule) {
        return TestGateway.start(with(configuration, rule));
    }

    private static Configuration with(Configuration configuration, FaultRuleConfig rule) {
        return configuration.with(configuration.tenants().get(TestConfig.T1).with(rule));
    }

    private static FaultRuleConfig onUp1(Fault fault) {
        return rule("rule", null, "up1", fault, 1, LATER);
    }

    private static FaultRuleConfig rule(
            String id, String scenario, String provider, Fault fault, double share, Instant endsAt) {
        return new FaultRuleConfig(
                id, 1, scenario, null, provider, null, fault, share, null, endsAt, "Ann", "a test of faults");
    }

    /** Both tenants use the platform's pool. */
    private static Configuration shared(ScriptedUpstream up) {
        Catalog platform = Catalog.EMPTY
                .with(new ModelConfig(ScopedId.platform("m1"), 1, 128_000, 16_384, true, true, true))
                .with(new ProviderConfig(
                        ScopedId.platform("up1"), 1, "openai", up.baseUrl(), null, null, null, 1, Map.of()))
                .with(new PoolConfig(
                        ScopedId.platform("shared"),
                        1,
                        Tier.STANDARD,
                        List.of(new TargetConfig("up1", "m1", null, 100))));
        Configuration configuration = TestConfig.pool(up).with(null, platform);
        for (TenantId tenant : List.of(TestConfig.T1, TestConfig.T2)) {
            configuration = configuration.with(configuration
                    .tenants()
                    .get(tenant)
                    .with(TestConfig.scenario(List.of(new RungConfig.Pool("first", "shared", null, null)))));
        }
        return configuration;
    }
}
