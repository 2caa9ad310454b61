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
            assertThat(answer.body())
                    .contains("it may have taken effect, how it ended is not known")
                    .contains("before you send it again")
                    .doesNotContain("try again")
                    .doesNotContain("Idempotency-Key");
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

    /** The key is for the caller's repeats: none within a request is safe because of it. */
    @ParameterizedTest
    @CsvSource({"write", "compliance"})
    void anIdempotencyKeyDoesNotMakeItSafeToSendItAgain(String kind) {
        try (ScriptedUpstream cut = cutting();
                ScriptedUpstream alsoCut = cutting();
                TestGateway gateway = TestGateway.start(TestConfig.pool(cut, alsoCut))) {
            Client.Answer answer =
                    gateway.client().chat(Client.request(), "X-Request-Kind", kind, "Idempotency-Key", "order-1");

            assertThat(cut.requests().size() + alsoCut.requests().size()).isEqualTo(1);
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body())
                    .contains("it may have taken effect, how it ended is not known")
                    .contains("before you send it again under a new Idempotency-Key")
                    .doesNotContain("try again");
            assertThat(answer.header("x-should-retry")).isEqualTo("false");
            assertThat(DecisionReplay.differences(gateway.decision(answer))).isEmpty();
        }
    }

    @Test
    void aReadUnderAnIdempotencyKeyIsRepeated() {
        try (ScriptedUpstream cut = cutting();
                TestGateway gateway = TestGateway.start(TestConfig.pool(cut))) {
            gateway.client().chat(Client.request(), "Idempotency-Key", "order-1");

            assertThat(cut.requests()).hasSize(3);
        }
    }

    /** Its answer began and broke off: what acts may have acted. */
    @Test
    void aBrokenStreamOfARequestThatActsDoesNotInviteARepeat() {
        try (ScriptedUpstream broken = ScriptedUpstream.streaming(Sse.c("he"));
                TestGateway gateway = TestGateway.start(TestConfig.pool(broken))) {
            Client.Answer answer = gateway.client().chat(Client.streamed(), "X-Request-Kind", "write");

            assertThat(answer.body())
                    .contains("it may have taken effect")
                    .contains("find out whether it took effect before you send it again")
                    .doesNotContain("send the request again");
        }
    }

    /** A provider that refused by its status has not acted, so the usual advice holds. */
    @Test
    void aWriteThatWasRefusedHearsTheUsualAdvice() {
        try (ScriptedUpstream limited = ScriptedUpstream.answering(429, "{\"error\":{\"message\":\"slow down\"}}");
                TestGateway gateway = TestGateway.start(TestConfig.pool(limited))) {
            Client.Answer answer = gateway.client().chat(Client.request(), "X-Request-Kind", "write");

            assertThat(limited.requests()).hasSize(1);
            assertThat(answer.body()).contains("come back later").doesNotContain("taken effect");
            assertThat(answer.header("x-should-retry")).isNull();
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
