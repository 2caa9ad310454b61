package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.plugins.bus.Address;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.KeywordAnswers;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.message.BusMessage.CheckLadder;
import io.sluice.tenants.message.BusMessage.LadderChecked;
import io.sluice.tenants.message.BusMessage.RungProven;
import io.sluice.tenants.message.RungCheck;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Verifying a ladder through the bus, and which rungs count as proven (requirement C6). */
class VerifyLadderIT {
    private static Future<LadderChecked> ask(TestGateway gateway, String scenario, long timeMaxMs) {
        return gateway.bus()
                .request(
                        Address.ladderChecks("node-test"),
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

    private static Configuration capped(ScriptedUpstream upstream, String limit) {
        Configuration plain = TestConfig.pool(upstream);
        TenantTree tree = plain.tenants().get(TestConfig.T1);
        return plain.with(tree.with(TestConfig.cap(CapPeriod.DAY, limit)));
    }

    @Test
    void whatItCostsCountsInTheTenantsCap() throws Exception {
        try (ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("ok", 26, 5));
                TestGateway gateway = TestGateway.start(capped(good, "1"))) {
            LadderChecked checked = await(ask(gateway, "chat", 10_000));

            assertThat(checked.rungs().get(0).ok()).isTrue();
            TestGateway.eventually(
                    "36 micro-units are spent and nothing is held",
                    () -> gateway.authority().states().stream()
                            .anyMatch(each -> each.spentMicros() == 36 && each.heldMicros() == 0));
        }
    }

    @Test
    void whatACapDoesNotCoverIsNotCalled() throws Exception {
        try (ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("ok", 26, 5));
                TestGateway gateway = TestGateway.start(capped(good, "0.0001"))) {
            RungCheck check = await(ask(gateway, "chat", 10_000)).rungs().get(0);

            assertThat(check.ok()).isFalse();
            assertThat(check.detail()).startsWith("not called: a spend cap");
            assertThat(good.requests()).isEmpty();
        }
    }

    /** Two rungs of keywords between a pool and a text, and one of old answers. */
    private static Configuration withStatics(ScriptedUpstream upstream) {
        TenantTree tree = TestConfig.pool(upstream).tenants().get(TestConfig.T1);
        ScenarioConfig chat = tree.scenarios().get("chat");
        List<RungConfig> ladder = List.of(
                chat.ladder().get(0),
                new RungConfig.Cache("old", Duration.ofHours(1)),
                new RungConfig.Rules("known", keywords("refund")),
                new RungConfig.Rules("asked", keywords("ok")),
                new RungConfig.Text("sorry", "Please call us."));
        return TestConfig.pool(upstream)
                .with(tree.with(new ScenarioConfig(
                        "chat",
                        1,
                        chat.sensitivity(),
                        chat.kind(),
                        true,
                        chat.deadline(),
                        chat.firstTokenTimeout(),
                        ladder,
                        Map.of("cache", Rig.json("{\"exact\":{\"ttl\":\"PT10M\"}}")))));
    }

    private static KeywordAnswers keywords(String word) {
        return new KeywordAnswers(
                List.of(new KeywordAnswers.Answer(List.of(word, "another"), List.of(), "Five days.")), null);
    }

    @Test
    void rungsWithoutAModelAreProvenOnlyByAnAnswer() throws Exception {
        try (ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("ok", 26, 5));
                TestGateway gateway = TestGateway.start(withStatics(good))) {
            List<RungProven> proofs = proofs(gateway);

            LadderChecked checked = await(ask(gateway, "chat", 10_000));

            assertThat(checked.rungs())
                    .extracting(RungCheck::step, RungCheck::kind, RungCheck::ok)
                    .containsExactly(
                            tuple("first", "pool", true),
                            tuple("old", "cache", false),
                            tuple("known", "rules", true),
                            tuple("asked", "rules", true),
                            tuple("sorry", "text", true));
            assertThat(checked.rungs().get(1).detail()).contains("keeps no answer");
            assertThat(checked.rungs().get(2).detail()).startsWith("it answers its own keywords \"refund\"");
            assertThat(checked.rungs().get(3).detail()).isEqualTo("it answers the prompt");
            TestGateway.eventually("the proofs are told", () -> proofs.size() == 4);
            assertThat(proofs)
                    .extracting(RungProven::step)
                    .containsExactlyInAnyOrder("first", "known", "asked", "sorry");
        }
    }

    @Test
    void aRungOfOldAnswersIsProvenByOneThatIsKept() throws Exception {
        try (ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("ok", 26, 5));
                TestGateway gateway = TestGateway.start(withStatics(good))) {
            gateway.decision(gateway.client().chat(Client.request()));

            RungCheck old = await(ask(gateway, "chat", 10_000)).rungs().get(1);

            assertThat(old.ok()).isTrue();
            assertThat(old.detail()).contains("the newest");
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
