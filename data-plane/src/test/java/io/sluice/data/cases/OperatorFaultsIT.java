package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.plugins.api.Secret;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.failure.FailureClass;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What only an operator can put right is tried once, told plainly to callers, and in full to operators. */
class OperatorFaultsIT {
    @Test
    void aCredentialThatCantBeReadFailsOnceAndAsksForTheOperator() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("x", 1, 1));
                TestGateway gateway =
                        TestGateway.start(TestConfig.pool(up), new TestGateway.Options().credentials(provider -> {
                                    throw new IllegalStateException("the variable UP_KEY is not set");
                                }))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            failedOnceAsAuth(gateway, answer, "the credential can't be read");
            assertThat(up.requests()).isEmpty();
        }
    }

    @Test
    void anAddressThatIsNotAllowedFailsOnceAndAsksForTheOperator() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("x", 1, 1));
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(up), new TestGateway.Options().addresses((host, address) -> false))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            failedOnceAsAuth(gateway, answer, "the address is not allowed");
            assertThat(up.requests()).isEmpty();
        }
    }

    @Test
    void anotherTargetStandsInForOneWithoutItsCredential() throws Exception {
        try (ScriptedUpstream first = ScriptedUpstream.answering(200, Sse.whole("first", 1, 1));
                ScriptedUpstream second = ScriptedUpstream.answering(200, Sse.whole("second", 1, 1));
                TestGateway gateway = TestGateway.start(
                        TestConfig.chain(first, second), new TestGateway.Options().credentials(provider -> {
                                    if (provider.id().key().endsWith("up1")) {
                                        throw new IllegalStateException("the variable UP_KEY is not set");
                                    }
                                    return Optional.of(new Secret("sk-upstream-secret"));
                                }))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("x-sluice-attempts")).isEqualTo("2");
            assertThat(first.requests()).isEmpty();
        }
    }

    private static void failedOnceAsAuth(TestGateway gateway, Client.Answer answer, String detail) {
        assertThat(answer.status()).isEqualTo(502);
        assertThat(answer.header("x-should-retry")).isEqualTo("false");
        assertThat(answer.body()).contains("its operator has to act").doesNotContain(detail, "UP_KEY");
        List<AttemptRecord> attempts = gateway.decision(answer).attempts();
        assertThat(attempts).hasSize(1);
        assertThat(attempts.get(0).failure()).isEqualTo(FailureClass.AUTH);
        assertThat(attempts.get(0).detail()).startsWith(detail).doesNotContain("UP_KEY", "sk-");
        assertThat(attempts.get(0).cost().micros()).isZero();
    }
}
