package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.plugins.bus.Address;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.message.BusMessage.CheckLadder;
import io.sluice.tenants.message.BusMessage.LadderChecked;
import io.sluice.tenants.message.BusMessage.RungProven;
import io.sluice.tenants.message.RungCheck;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Verifying a ladder through the bus, and which rungs count as proven (requirement C6). */
class VerifyLadderIT {
    private static Future<LadderChecked> ask(TestGateway gateway, String scenario, long timeMaxMs) {
        return gateway.bus()
                .request(
                        Address.LADDER_CHECKS,
                        new CheckLadder(TestConfig.T1, scenario, "ok?", timeMaxMs),
                        LadderChecked.class,
                        Duration.ofSeconds(20));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static List<RungProven> proofs(TestGateway gateway) throws Exception {
        List<RungProven> proofs = new CopyOnWriteArrayList<>();
        await(gateway.bus().on(Address.RUNGS_PROVEN, proofs::add));
        return proofs;
    }

    @Test
    void everyTargetIsCalledOnceAndTold() throws Exception {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(401, "{\"error\":{\"message\":\"no such key\"}}");
                ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("ok", 26, 5));
                TestGateway gateway = TestGateway.start(TestConfig.chain(bad, good))) {
            List<RungProven> proofs = proofs(gateway);

            LadderChecked checked = await(ask(gateway, "chat", 10_000));

            RungCheck first = checked.rungs().get(0);
            assertThat(first.step()).isEqualTo("rung1");
            assertThat(first.ok()).isFalse();
            assertThat(first.failure()).isEqualTo(FailureClass.AUTH);
            assertThat(first.detail()).contains("no such key");
            RungCheck second = checked.rungs().get(1);
            assertThat(second.ok()).isTrue();
            assertThat(second.provider() + "/" + second.model()).isEqualTo("up2/m1");
            assertThat(second.cost()).hasToString("0.000036");
            assertThat(bad.requests()).hasSize(1);
            assertThat(good.requests()).hasSize(1);
            assertThat(good.requests().get(0).body()).contains("\"content\":\"ok?\"");
            TestGateway.eventually("the proof is told", () -> proofs.size() == 1);
            assertThat(proofs.get(0).step()).isEqualTo("rung2");
            assertThat(proofs.get(0).how()).isEqualTo("VERIFY");
        }
    }

    @Test
    void whatHasNoTimeLeftIsNotCalled() throws Exception {
        try (ScriptedUpstream silent = ScriptedUpstream.playing((request, wire) -> request.clientLeftWithin(20_000));
                ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("ok", 26, 5));
                TestGateway gateway = TestGateway.start(TestConfig.chain(silent, good))) {
            LadderChecked checked = await(ask(gateway, "chat", 100));

            assertThat(checked.rungs().get(0).failure())
                    .isIn(FailureClass.TIMEOUT_TOTAL, FailureClass.TIMEOUT_FIRST_TOKEN);
            assertThat(checked.rungs().get(1).ok()).isFalse();
            assertThat(checked.rungs().get(1).detail()).contains("not called: the 100 ms");
            assertThat(good.requests()).isEmpty();
        }
    }

    @Test
    void aNodeVerifiesOneLadderAtATime() throws Exception {
        try (ScriptedUpstream silent = ScriptedUpstream.playing((request, wire) -> request.clientLeftWithin(20_000));
                TestGateway gateway = TestGateway.start(TestConfig.pool(silent))) {
            Future<LadderChecked> running = ask(gateway, "chat", 3_000);

            assertThat(await(ask(gateway, "chat", 3_000)).problem()).contains("try again");
            assertThat(await(running).problem()).isNull();
        }
    }

    @Test
    void anUnknownScenarioIsAProblemAndNoFault() throws Exception {
        try (TestGateway gateway = TestGateway.start(TestConfig.pool())) {
            assertThat(await(ask(gateway, "nope", 1_000)).problem()).contains("does not serve");
        }
    }

    @Test
    void aServedRequestProvesItsRungOnceAMinute() throws Exception {
        try (ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("ok", 26, 5));
                TestGateway gateway = TestGateway.start(TestConfig.pool(good))) {
            List<RungProven> proofs = proofs(gateway);
            for (int i = 0; i < 5; i++) {
                gateway.decision(gateway.client().chat(Client.request()));
            }

            // Two where the minute ends while this runs.
            assertThat(proofs).hasSizeBetween(1, 2);
            assertThat(proofs.get(0))
                    .extracting(RungProven::tenant, RungProven::scenario, RungProven::step, RungProven::how)
                    .containsExactly(TestConfig.T1, "chat", "first", "EARNEST");
        }
    }

    @Test
    void aPoolThatTheCallerChoseProvesNoRung() throws Exception {
        try (ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("ok", 26, 5));
                TestGateway gateway = TestGateway.start(TestConfig.pool(good))) {
            List<RungProven> proofs = proofs(gateway);
            gateway.decision(gateway.client().chat(Client.request().replace("\"auto\"", "\"m1\"")));

            assertThat(proofs).isEmpty();
        }
    }
}
