package io.sluice.data.request;

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
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import org.junit.jupiter.api.Test;

/** The main job over real HTTP: whole and streamed answers, their headers, their records. */
class ChatIT {
    @Test
    void answersWholeAndSaysWhyInTheHeaders() {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(Sse.whole("hello", 26, 5));
            assertThat(answer.header("x-sluice-model")).isEqualTo("up1/m1");
            assertThat(answer.header("x-sluice-step")).isEqualTo("first");
            assertThat(answer.header("x-sluice-attempts")).isEqualTo("1");
            assertThat(answer.header("x-sluice-descents")).isEqualTo("0");
            assertThat(answer.header("x-sluice-epoch")).isEqualTo("1");
            assertThat(answer.header("x-sluice-cost-usd")).isEqualTo("0.000036");
            assertThat(answer.header("x-request-id")).matches("[0-9a-f]{32}");
        }
    }

    @Test
    void theHeaderForDollarsIsLeftOutWhereTheTenantPaysInAnotherCurrency() {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            gateway.changeTenant(tree -> tree.with(
                    new TenantConfig(TestConfig.T1, 2, "T1", tree.tenant().timeZone(), "EUR", false)));
            Client.Answer first = gateway.client().chat(Client.request(), "idempotency-key", "k");
            Client.Answer again = gateway.client().chat(Client.request(), "idempotency-key", "k");

            assertThat(first.status()).isEqualTo(200);
            assertThat(again.header("idempotent-replayed")).isEqualTo("true");
            assertThat(first.header("x-sluice-cost-usd")).isNull();
            assertThat(again.header("x-sluice-cost-usd")).isNull();
            assertThat(gateway.decision(first).cost()).hasToString("0.000036");
        }
    }

    @Test
    void streamsEventsAndRecordsTheDecision() {
        try (ScriptedUpstream up = ScriptedUpstream.streaming(c("he"), c("llo"), fin("stop"), use(26, 5), DONE);
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Client.Answer answer = gateway.client().chat(Client.streamed());

            assertThat(answer.text()).isEqualTo("hello");
            assertThat(answer.done()).isTrue();
            DecisionRecord record = gateway.decision(answer);
            assertThat(record.outcome()).isEqualTo("ok");
            assertThat(record.cost()).hasToString("0.000036");
            assertThat(DecisionReplay.differences(record)).isEmpty();
        }
    }

    @Test
    void failsOverToTheOtherTarget() {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(TestConfig.chain(bad, good))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("x-sluice-step")).isEqualTo("rung2");
            assertThat(answer.header("x-sluice-degraded")).isEqualTo("network");
        }
    }
}
