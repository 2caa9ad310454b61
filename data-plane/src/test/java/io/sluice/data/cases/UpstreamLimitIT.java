package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.routing.RoutePlan;
import java.io.IOException;
import java.net.Socket;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limits of upstream accounts (requirement B2): looked at before a target is chosen, learnt from what providers say. */
class UpstreamLimitIT {
    private static final String ANSWER = Sse.whole("hello", 10, 5);
    private static final String TOO_MANY =
            "{\"error\":{\"message\":\"slow down\",\"type\":\"requests\",\"code\":\"rate_limit_exceeded\"}}";

    private final AtomicLong clockMs = new AtomicLong(1_000_000);
    private final ScriptedUpstream first = ScriptedUpstream.answering(200, ANSWER);
    private final ScriptedUpstream second = ScriptedUpstream.answering(200, ANSWER);
    private TestGateway gateway;

    @AfterEach
    void close() {
        gateway.close();
        first.close();
        second.close();
    }

    private void start(Configuration configuration) {
        gateway = TestGateway.start(
                configuration,
                new TestGateway.Options().limitClock(clockMs::get).breaker(Ends.NEVER));
    }

    private static Configuration limited(Configuration configuration, String group, Integer requests, Integer tokens) {
        return Ends.providers(
                configuration,
                provider -> new ProviderConfig(
                        provider.id(),
                        provider.version(),
                        provider.plugin(),
                        provider.baseUrl(),
                        provider.credential(),
                        group,
                        null,
                        requests,
                        tokens,
                        null,
                        provider.settings()));
    }

    private Client.Answer ask() {
        Client.Answer answer = gateway.client().chat(Client.request("\"max_tokens\":30"));
        TestGateway.eventually("nothing runs", () -> gateway.metric("sluice_requests_running") == 0);
        return answer;
    }

    private List<RoutePlan.Reason> reasons(Client.Answer answer) {
        return gateway.decision(answer).plan().excluded().stream()
                .map(RoutePlan.Excluded::reason)
                .toList();
    }

    @Test
    void threeQuartersOfAConfiguredRateAreUsedThenTheNextRungAnswers() {
        start(limited(TestConfig.chain(first, second), null, 4, null));

        for (int i = 0; i < 3; i++) {
            assertThat(ask().header("x-sluice-step")).isEqualTo("rung1");
        }
        Client.Answer fourth = ask();

        assertThat(fourth.header("x-sluice-step")).isEqualTo("rung2");
        DecisionRecord record = gateway.decision(fourth);
        assertThat(record.plan().excluded()).contains(new RoutePlan.Excluded(0, 0, RoutePlan.Reason.NO_QUOTA));
        assertThat(record.input().ladder().get(0).targets().get(0).quotaMs()).isEqualTo(60_000);
        assertThat(DecisionReplay.differences(record)).isEmpty();
        assertThat(gateway.metric("sluice_targets_without_quota_total{target=\"up1/m1\""))
                .isEqualTo(1);
        clockMs.addAndGet(61_000);
        assertThat(ask().header("x-sluice-step")).isEqualTo("rung1");
    }

    @Test
    void anAccountThatSaysItIsEmptyIsNotAskedUntilItsReset() {
        first.play((request, wire) -> wire.json(
                200,
                ANSWER,
                "x-ratelimit-limit-requests: 60",
                "x-ratelimit-remaining-requests: 0",
                "x-ratelimit-reset-requests: 30s"));
        start(TestConfig.chain(first, second));

        assertThat(ask().header("x-sluice-step")).isEqualTo("rung1");
        assertThat(ask().header("x-sluice-step")).isEqualTo("rung2");
        clockMs.addAndGet(29_000);
        assertThat(ask().header("x-sluice-step")).isEqualTo("rung2");
        clockMs.addAndGet(1_000);
        assertThat(ask().header("x-sluice-step")).isEqualTo("rung1");
        assertThat(first.requests()).hasSize(2);
    }

    @Test
    void anAccountThatRefusesIsLeftAloneForTheTimeItNames() {
        first.play((request, wire) -> wire.json(429, TOO_MANY, "retry-after-ms: 7000"));
        start(TestConfig.chain(first, second));

        ask();
        Client.Answer early = ask();
        clockMs.addAndGet(7_000);
        Client.Answer late = ask();

        assertThat(first.requests()).hasSize(1);
        assertThat(reasons(early)).contains(RoutePlan.Reason.NO_QUOTA);
        assertThat(reasons(late)).doesNotContain(RoutePlan.Reason.NO_QUOTA);
    }

    @Test
    void targetsOfOneQuotaGroupAreEmptyTogether() {
        first.play((request, wire) -> wire.json(429, TOO_MANY, "retry-after: 5"));
        second.play((request, wire) -> wire.json(429, TOO_MANY, "retry-after: 5"));
        start(limited(TestConfig.chain(first, second), "account", null, null));

        Client.Answer refused = ask();
        Client.Answer again = ask();

        assertThat(refused.status()).isEqualTo(503);
        assertThat(again.status()).isEqualTo(503);
        assertThat(again.header("retry-after")).isEqualTo("5");
        assertThat(again.body()).contains("its provider has no quota left");
        assertThat(first.requests().size() + second.requests().size()).isEqualTo(1);
    }

    /** A fault on purpose is one tenant's, the account may be everybody's. */
    @Test
    void a429OnPurposeSaysNothingAboutTheAccount() {
        Configuration chain = limited(TestConfig.chain(first, second), null, 8, null);
        start(chain.with(chain.tenants()
                .get(TestConfig.T1)
                .with(new FaultRuleConfig(
                        "drill",
                        1,
                        null,
                        "pool1",
                        null,
                        null,
                        new Fault(FaultKind.RATE_LIMIT, 30_000, 0, -1),
                        1,
                        null,
                        Instant.now().plusSeconds(3_600),
                        "ops",
                        "drill"))));
        for (int i = 0; i < 3; i++) {
            ask();
        }
        gateway.change(configuration -> configuration.with(chain.tenants().get(TestConfig.T1)));

        assertThat(reasons(ask())).doesNotContain(RoutePlan.Reason.NO_QUOTA);
    }

    @Test
    void tokensOfAnAccountAreSettledToThoseThatWereUsed() {
        start(limited(TestConfig.pool(first), null, null, 200));

        for (int i = 0; i < 8; i++) {
            assertThat(ask().status()).as("call %d", i).isEqualTo(200);
        }
        assertThat(ask().status()).isEqualTo(503);
    }

    @Test
    void aStreamTellsItsQuotaBeforeItEnds() {
        first.play((request, wire) -> {
            wire.raw(
                    "HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
                            + "x-ratelimit-limit-tokens: 1000\r\nx-ratelimit-remaining-tokens: 0\r\nx-ratelimit-reset-tokens: 20s\r\n\r\n");
            wire.chunk(Sse.c("he"));
            if (request.clientLeftWithin(20_000)) {
                wire.close();
            }
        });
        start(TestConfig.chain(first, second));
        try (Socket reader = Ends.send(gateway, Client.streamed())) {
            Ends.readUntil(reader, "he");

            assertThat(gateway.client().chat(Client.request()).header("x-sluice-step"))
                    .isEqualTo("rung2");
            Ends.reset(reader);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }
}
