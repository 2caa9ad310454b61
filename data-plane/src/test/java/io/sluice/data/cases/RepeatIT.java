package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.decision.DecisionReplay;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that may have an effect have it once: they are sent again only where that is known to be safe. */
class RepeatIT {
    private static ScriptedUpstream cutting() {
        return ScriptedUpstream.playing((request, wire) -> wire.reset());
    }

    private static ScriptedUpstream well() {
        return ScriptedUpstream.answering(200, Sse.whole("done", 3, 2));
    }

    @ParameterizedTest
    @CsvSource({"write", "compliance"})
    void whatWasSentIsNotSentAgainWhereItMayHaveAnEffect(String kind) {
        try (ScriptedUpstream cut = cutting();
                TestGateway gateway = TestGateway.start(TestConfig.pool(cut))) {
            Client.Answer answer = gateway.client().chat(Client.request(), "X-Request-Kind", kind);

            assertThat(cut.requests()).hasSize(1);
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).contains("may have had its effect").contains("Idempotency-Key");
            assertThat(answer.header("x-should-retry")).isEqualTo("false");
            assertThat(DecisionReplay.differences(gateway.decision(answer))).isEmpty();
        }
    }

    @Test
    void anotherTargetDoesNotGetItEither() {
        try (ScriptedUpstream cut = cutting();
                ScriptedUpstream alsoCut = cutting();
                TestGateway gateway = TestGateway.start(TestConfig.pool(cut, alsoCut))) {
            gateway.client().chat(Client.request(), "X-Request-Kind", "write");

            assertThat(cut.requests().size() + alsoCut.requests().size()).isEqualTo(1);
        }
    }

    @Test
    void aRequestThatOnlyReadsIsRepeated() {
        try (ScriptedUpstream cut = cutting();
                TestGateway gateway = TestGateway.start(TestConfig.pool(cut))) {
            gateway.client().chat(Client.request(), "X-Request-Kind", "read");

            assertThat(cut.requests()).as("two repeats of network trouble").hasSize(3);
        }
    }

    @Test
    void aRequestWithAnIdempotencyKeyIsRepeated() {
        try (ScriptedUpstream cut = cutting();
                TestGateway gateway = TestGateway.start(TestConfig.pool(cut))) {
            gateway.client().chat(Client.request(), "X-Request-Kind", "write", "Idempotency-Key", "order-1");

            assertThat(cut.requests()).hasSize(3);
        }
    }

    /** Nobody listens at the first target: nothing was sent, so nothing can have happened. */
    @Test
    void aRequestThatNobodyTookIsSentElsewhere() {
        ScriptedUpstream gone = well();
        gone.close();
        try (ScriptedUpstream there = well();
                TestGateway gateway = TestGateway.start(TestConfig.pool(gone, there))) {
            for (int i = 0; i < 8; i++) {
                Client.Answer answer = gateway.client().chat(Client.request(), "X-Request-Kind", "write");
                assertThat(answer.status()).isEqualTo(200);
            }

            assertThat(there.requests()).hasSize(8);
            assertThat(gateway.metric("sluice_attempts_total{failure=\"NETWORK\""))
                    .isPositive();
        }
    }
}
