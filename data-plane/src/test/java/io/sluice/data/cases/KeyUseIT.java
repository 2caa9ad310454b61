package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.plugins.bus.Address;
import io.sluice.tenants.message.BusMessage.KeyUsed;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who manages keys hears which of them are used. */
class KeyUseIT {
    @Test
    void aProvenKeyIsToldOfOnceAMinuteHoweverOftenItIsUsed() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("x", 1, 1));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            List<KeyUsed> told = listen(gateway);
            long firstMinute = Instant.now().getEpochSecond() / 60;

            for (int i = 0; i < 5; i++) {
                assertThat(gateway.client().chat(Client.request()).status()).isEqualTo(200);
            }

            TestGateway.eventually("the use is told of", () -> !told.isEmpty());
            long minutes = Instant.now().getEpochSecond() / 60 - firstMinute + 1;
            assertThat(told).hasSizeLessThanOrEqualTo((int) minutes).allSatisfy(use -> {
                assertThat(use.tenant()).isEqualTo(TestConfig.T1);
                assertThat(use.keyId()).isEqualTo("K1");
                assertThat(use.at().getEpochSecond() / 60).isGreaterThanOrEqualTo(firstMinute);
            });
        }
    }

    @Test
    void aWrongKeyIsNobodysUse() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("x", 1, 1));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            List<KeyUsed> told = listen(gateway);

            assertThat(gateway.client()
                            .chat(Client.request(), "Authorization", "Bearer nobody")
                            .status())
                    .isEqualTo(401);
            gateway.client().chat(Client.request());

            TestGateway.eventually("the right key is told of", () -> !told.isEmpty());
            assertThat(told).extracting(KeyUsed::keyId).containsOnly("K1");
        }
    }

    private static List<KeyUsed> listen(TestGateway gateway) throws Exception {
        List<KeyUsed> told = new CopyOnWriteArrayList<>();
        gateway.bus()
                .on(Address.KEY_USES, told::add)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        return told;
    }
}
